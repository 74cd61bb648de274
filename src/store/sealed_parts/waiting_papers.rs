//! Gives those who wait in a sitting its new paper: each of them the list of their form, with the order of options of
//! their own attempt.

use std::collections::{BTreeMap, HashMap};

use domain::form::FormLetter;
use domain::option_counts::OptionCounts;
use domain::sitting::part::{PaperPart, own_form};
use domain::template::TemplateConfig;
use domain::time::moment::Moment;
use entities::{attempt, candidate};
use sea_orm::sea_query::{ExprTrait, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, JoinType, QueryFilter, QuerySelect, Value,
};
use uuid::Uuid;

use super::SealedPart;
use crate::store::many_rows;
use crate::store::sessions::{band_keys_to_text, keys_to_text};
use crate::store::sittings::whole;

/// Attempts that get their papers at once: where options are shuffled, each has a text of its own.
const PAPERS_AT_ONCE: usize = 500;

/// Gives those who wait already the new paper, its minutes and its calculator. They keep the forms that they have,
/// unless the paper had another number of them before: neighbours differ by that number.
pub(super) async fn replace(
    transaction: &DatabaseTransaction,
    sitting_id: Uuid,
    parts: &[SealedPart],
    forms_before: usize,
    config: &TemplateConfig,
) -> Result<(), DbErr> {
    let (mut forms, mut second, mut counts) = (BTreeMap::new(), BTreeMap::new(), OptionCounts::default());
    for part in parts {
        match part.part {
            PaperPart::First(form) => drop(forms.insert(form, part)),
            PaperPart::Second(band) => {
                second.insert(band, part.questions.clone());
                counts.extend(part.counts.clone());
            }
        }
    }
    let second = if second.is_empty() { None } else { Some(band_keys_to_text(&second, &counts)?) };
    let of_all = attempt::ActiveModel {
        second_papers: Set(second),
        duration_minutes: Set(whole(config.duration_minutes)),
        calculator: Set(config.calculator.allowed().map(str::to_owned)),
        ..Default::default()
    };
    // Most papers are the same for everybody.
    let only = forms.values().next().filter(|first| forms.len() == 1 && first.counts.is_empty());
    let of_all = match only {
        Some(only) => attempt::ActiveModel { paper: Set(keys_to_text(&only.questions)?), form: Set(None), ..of_all },
        None => of_all,
    };
    let is_same_for_all = only.is_some();
    attempt::Entity::update_many().set(of_all).filter(waits_in(sitting_id)).exec(transaction).await?;
    if !is_same_for_all {
        let attempts = find_forms(transaction, sitting_id, forms_before, forms.len()).await?;
        let has_letters = forms.len() > 1;
        for (form, list) in forms {
            let ids = attempts.get(&form).map(Vec::as_slice).unwrap_or_default();
            replace_lists(transaction, list, has_letters.then(|| form.to_string()), ids).await?;
        }
    }
    Ok(())
}

/// The attempts of a sitting that wait, by the form that they have of a paper with so many now.
async fn find_forms(
    transaction: &DatabaseTransaction,
    sitting_id: Uuid,
    forms_before: usize,
    forms: usize,
) -> Result<HashMap<FormLetter, Vec<Uuid>>, DbErr> {
    use attempt::Column;
    let to_candidate =
        attempt::Entity::belongs_to(candidate::Entity).from(Column::CandidateId).to(candidate::Column::Id);
    let query = attempt::Entity::find()
        .select_only()
        .columns([Column::SessionId, Column::CandidateId, Column::Form])
        .column(candidate::Column::Seat)
        .join(JoinType::InnerJoin, to_candidate.into())
        .filter(waits_in(sitting_id));
    type Row = (Uuid, Uuid, Option<String>, Option<String>);
    let mut found: HashMap<FormLetter, Vec<Uuid>> = HashMap::new();
    for (session_id, candidate_id, given, seat) in query.into_tuple::<Row>().all(transaction).await? {
        let given = given.as_deref().and_then(FormLetter::parse).filter(|_| forms_before == forms);
        let form = own_form(given, candidate_id, seat.as_deref(), forms);
        found.entry(form.unwrap_or(FormLetter::A)).or_default().push(session_id);
    }
    Ok(found)
}

/// Gives these attempts a list, and notes of which form it is.
async fn replace_lists(
    transaction: &DatabaseTransaction,
    list: &SealedPart,
    form: Option<String>,
    session_ids: &[Uuid],
) -> Result<(), DbErr> {
    const SET: &str = "UPDATE attempts SET paper = new.column2";
    const OWN: &str = "attempts.session_id = new.column1";
    let mut of_all = attempt::ActiveModel { form: Set(form), ..Default::default() };
    // A paper is large, so none is written over by an attempt's own.
    if list.counts.is_empty() {
        of_all.paper = Set(keys_to_text(&list.questions)?);
    }
    for ids in session_ids.chunks(PAPERS_AT_ONCE) {
        let are_these = attempt::Column::SessionId.is_in(ids.iter().copied());
        attempt::Entity::update_many().set(of_all.clone()).filter(are_these).exec(transaction).await?;
        if !list.counts.is_empty() {
            let own = |id: &Uuid| -> Result<[Value; 2], DbErr> {
                Ok([(*id).into(), keys_to_text(&list.counts.shuffled(list.questions.clone(), *id))?.into()])
            };
            let rows = ids.iter().map(own).collect::<Result<Vec<_>, _>>()?;
            many_rows::update(transaction, SET, OWN, rows.into_iter()).await?;
        }
    }
    Ok(())
}

/// Whether an attempt waits in a sitting: its time has not begun to count, as far as is written.
fn waits_in(sitting_id: Uuid) -> SimpleExpr {
    use attempt::Column;
    let has_begun = Column::StartedAtMs.ne(Moment::LAST.milliseconds());
    Column::SittingId.eq(sitting_id).and(Column::EndedAtMs.is_null()).and(has_begun.not())
}
