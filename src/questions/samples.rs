//! `GET` and `POST /api/admin/questions/sample-bank`: how many sample questions stand as they were shipped, and the
//! change of these to another language.

use std::collections::HashMap;
use std::sync::LazyLock;

use actix_web::web::{self, Data};
use actix_web::{HttpResponse, get, post};
use domain::grade::Grade;
use domain::question::Question;
use domain::resources::Importer;
use domain::school::PageLanguage;
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::bank::Banks;
use super::seed::sample_questions;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::with_detail;
use crate::http::fields::{JsonFields, body};
use crate::provider::{NO_SUCH_CALL, Provider};
use crate::store::rewritten::{RewriteCounts, Rewriting};

/// Each sample question as it is shipped in each language. Only digests are kept, since they are compared when somebody
/// opens a page; what is compared before a change are the questions.
static SHIPPED: LazyLock<HashMap<String, [Fingerprint; PageLanguage::ALL.len()]>> = LazyLock::new(|| {
    let mut shipped = HashMap::new();
    for grade in Grade::all() {
        for rewriting in rewritings(grade, PageLanguage::Vi) {
            let Rewriting { known, instead } = rewriting;
            shipped.insert(known.id.clone(), [fingerprint(&known), fingerprint(&instead)]);
        }
    }
    shipped
});

type Fingerprint = [u8; 32];

/// A digest of all that a question has. It never leaves this process.
fn fingerprint(question: &Question) -> Fingerprint {
    Sha256::digest(format!("{question:?}")).into()
}

/// How many questions of the sample bank stand as they were shipped, by language.
#[derive(Serialize, ToSchema)]
struct SampleCounts {
    en: usize,
    vi: usize,
}

body! {
    /// The language that the sample bank shall have.
    struct SampleLanguage {
        language: PageLanguage = |field| field.parsed(PageLanguage::parse),
    }
}

/// What a change of the sample bank's language has done.
#[derive(Serialize, ToSchema)]
struct SamplesChanged {
    /// Questions that are in the language now, and were not.
    changed: usize,
    /// Sample questions that the school has changed or retired: they are as they were.
    left: usize,
}

/// Counts the questions of the sample bank that nobody has changed since they were shipped.
#[utoipa::path(
    operation_id = "countSamples",
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "Their number, by the language in which they stand", body = SampleCounts),
        AdminRefusals,
        (status = 501, description = "Questions are in an external service", body = ErrorBody),
    )
)]
#[get("/api/admin/questions/sample-bank")]
pub async fn count(_admin: Admin, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    refuse_elsewhere(&**provider)?;
    let mut counts = SampleCounts { en: 0, vi: 0 };
    for grade in Grade::all() {
        let bank = provider.bank(grade).await?;
        let [en, vi] = web::block(move || standing(&bank)).await.map_err(Error::internal)?;
        counts.en += en;
        counts.vi += vi;
    }
    Ok(HttpResponse::Ok().json(counts))
}

/// Writes all sample questions that stand as they were shipped in another language.
///
/// Ids, difficulties and right options stay; prices become dollars or đồng with their questions. What the school has
/// changed or retired stays as it is, and so do reports of tests. Asked again, it changes nothing.
#[utoipa::path(
    operation_id = "changeSampleLanguage",
    tag = "administration",
    security(("api_token" = [])),
    request_body = SampleLanguage,
    responses(
        (status = 200, description = "What was done", body = SamplesChanged),
        (status = 400, description = "`Invalid language`", body = ErrorBody),
        AdminRefusals,
        (status = 501, description = "Questions are in an external service", body = ErrorBody),
        (status = 503, description = "Another change takes too long", body = ErrorBody),
    )
)]
#[post("/api/admin/questions/sample-bank")]
pub async fn change(
    asked: After<Admin, JsonFields>,
    provider: Data<dyn Provider>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), fields) = asked;
    let SampleLanguage { language } = SampleLanguage::read(&fields)?;
    let by = Importer { email: admin.email, name: admin.name };
    let RewriteCounts { changed, left } = rewrite(&**provider, language, &by).await?;
    if changed > 0 {
        banks.changed().await;
    }
    let detail = format!("{}: {changed} changed, {left} left", language.code());
    Ok(with_detail(HttpResponse::Ok().json(SamplesChanged { changed, left }), detail))
}

/// Writes the sample questions that stand as they were shipped in a language.
pub async fn rewrite(provider: &dyn Provider, language: PageLanguage, by: &Importer) -> Result<RewriteCounts, Error> {
    refuse_elsewhere(provider)?;
    let all = move || -> Vec<Rewriting> { Grade::all().flat_map(|grade| rewritings(grade, language)).collect() };
    provider.rewrite(web::block(all).await.map_err(Error::internal)?, by).await
}

/// The questions of other servers are theirs.
fn refuse_elsewhere(provider: &dyn Provider) -> Result<(), Error> {
    if provider.kind() == "local" { Ok(()) } else { Err(Error::NotHere(NO_SUCH_CALL)) }
}

/// The sample questions of a grade, to be written in this language where they stand in the other one.
fn rewritings(grade: Grade, language: PageLanguage) -> Vec<Rewriting> {
    let other = match language {
        PageLanguage::En => PageLanguage::Vi,
        PageLanguage::Vi => PageLanguage::En,
    };
    let known = sample_questions(other, grade);
    known.zip(sample_questions(language, grade)).map(|(known, instead)| Rewriting { known, instead }).collect()
}

/// How many questions stand as they were shipped in each language, in the order of [`PageLanguage::ALL`].
fn standing(bank: &[Question]) -> [usize; PageLanguage::ALL.len()] {
    let mut counts = [0; PageLanguage::ALL.len()];
    for question in bank {
        let Some(shipped) = SHIPPED.get(&question.id) else { continue };
        let here = fingerprint(question);
        for (known, of_language) in counts.iter_mut().zip(shipped) {
            *known += usize::from(*of_language == here);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shipped_is_known_by_its_language() {
        let grade = Grade::new(5).unwrap();
        let mut bank: Vec<Question> = sample_questions(PageLanguage::En, grade).collect();
        assert_eq!(standing(&bank), [140, 0]);
        bank[0].subtopic.push('!');
        bank[1].id = "own".to_owned();
        assert_eq!(standing(&bank), [138, 0]);
        bank.extend(sample_questions(PageLanguage::Vi, grade));
        assert_eq!(standing(&bank), [138, 140]);
    }

    #[test]
    fn a_question_keeps_its_id_and_its_key_in_each_language() {
        for Rewriting { known, instead } in Grade::all().flat_map(|grade| rewritings(grade, PageLanguage::Vi)) {
            assert_eq!((&known.id, known.difficulty), (&instead.id, instead.difficulty));
            assert_eq!(known.answer.choice(), instead.answer.choice(), "{}", known.id);
            assert_ne!(known, instead);
        }
    }
}
