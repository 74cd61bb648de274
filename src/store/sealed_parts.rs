//! The sealed papers of sittings, in the database.

mod waiting_papers;

use std::sync::Arc;

use domain::option_counts::OptionCounts;
use domain::question::KeyedQuestion;
use domain::sitting::part::PaperPart;
use domain::template::TemplateConfig;
use entities::{sealed_part, sitting};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::Unreadable;
use super::sessions::{list_keys_from_text, list_keys_to_text};
use super::sittings::LockedSitting;
use crate::database::Database;

/// A part of a paper, sealed, with the questions that are in it.
#[derive(Clone, Debug)]
pub struct SealedPart {
    pub part: PaperPart,
    /// Nonce, ciphertext and tag.
    pub sealed: Vec<u8>,
    /// Of the sealed bytes.
    pub sha256: [u8; 32],
    pub questions: Vec<Arc<KeyedQuestion>>,
    /// Those of them whose options each attempt shows in an order of its own.
    pub counts: OptionCounts,
}

/// Stores the paper of a sitting, in place of an earlier one, with the keys of its parts, which are sealed themselves.
/// `config` is that of its template.
pub async fn replace(
    sitting: &LockedSitting<'_>,
    parts: &[SealedPart],
    sealed_keys: Vec<u8>,
    config: &TemplateConfig,
) -> Result<(), DbErr> {
    let (transaction, sitting_id) = (sitting.transaction(), sitting.id);
    let of_it = sealed_part::Column::SittingId.eq(sitting_id);
    let forms_before = count_forms(transaction, sitting_id).await?;
    sealed_part::Entity::delete_many().filter(of_it).exec(transaction).await?;
    let row = |part: &SealedPart| {
        Ok::<_, DbErr>(sealed_part::ActiveModel {
            sitting_id: Set(sitting_id),
            part: Set(part.part.name().to_owned()),
            sealed: Set(part.sealed.clone()),
            sha256: Set(part.sha256.to_vec()),
            questions: Set(list_keys_to_text(&part.questions, &part.counts)?),
        })
    };
    let rows = parts.iter().map(row).collect::<Result<Vec<_>, _>>()?;
    sealed_part::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    let keys = sitting::ActiveModel { sealing_key: Set(Some(sealed_keys)), ..Default::default() };
    sitting::Entity::update_many().set(keys).filter(sitting::Column::Id.eq(sitting_id)).exec(transaction).await?;
    waiting_papers::replace(transaction, sitting_id, parts, forms_before, config).await
}

/// In how many forms the paper of a sitting is sealed.
async fn count_forms(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<usize, DbErr> {
    let of_it = sealed_part::Entity::find().select_only().column(sealed_part::Column::Part);
    let of_it = of_it.filter(sealed_part::Column::SittingId.eq(sitting_id));
    let names: Vec<String> = of_it.into_tuple().all(connection).await?;
    let is_first = |name: &&String| matches!(PaperPart::parse(name), Some(PaperPart::First(_)));
    Ok(names.iter().filter(is_first).count())
}

/// Loads the paper of a sitting, the first part first. It is empty until the doors have opened.
pub async fn load(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Vec<SealedPart>, DbErr> {
    let of_it = sealed_part::Entity::find().filter(sealed_part::Column::SittingId.eq(sitting_id));
    let rows = of_it.order_by_asc(sealed_part::Column::Part).all(connection).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// The sealed bytes of one part.
pub async fn find_sealed(database: &Database, sitting_id: Uuid, part: PaperPart) -> Result<Option<Vec<u8>>, DbErr> {
    let one = sealed_part::Entity::find_by_id((sitting_id, part.name().to_owned()));
    one.select_only().column(sealed_part::Column::Sealed).into_tuple().one(&database.read).await
}

/// The keys of a sitting's parts, as they are stored.
pub async fn find_keys(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Option<Vec<u8>>, DbErr> {
    let one = sitting::Entity::find_by_id(sitting_id).select_only().column(sitting::Column::SealingKey);
    Ok(one.into_tuple::<Option<Vec<u8>>>().one(connection).await?.flatten())
}

fn from_row(row: sealed_part::Model) -> Result<SealedPart, Unreadable> {
    let (questions, counts) = list_keys_from_text(&row.questions)?;
    Ok(SealedPart {
        part: PaperPart::parse(&row.part).ok_or(Unreadable("part"))?,
        sealed: row.sealed,
        sha256: row.sha256.try_into().map_err(|_| Unreadable("sha256"))?,
        questions,
        counts,
    })
}
