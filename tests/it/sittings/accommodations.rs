//! The register of accommodations, their copies, and changes after the doors have opened.

use std::sync::Arc;

use examhall::config::Secret;
use examhall::database::Database;
use examhall::sittings::Sittings;
use examhall::store::embargo::Embargo;
use reqwest::Method;
use serde_json::{Value, json};

use super::{School, candidate_path, delete, send};
use crate::hall::Answer;

const PATH: &str = "/api/admin/accommodations";
const ADA: &str = "/api/admin/accommodations/Ada%40exam.test";

async fn put(school: &School, path: &str, body: Value) -> Value {
    let answer = send(&school.admin, Method::PUT, path, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn what_a_person_needs_is_kept_under_their_address() {
    let school = School::open().await;
    let note =
        json!({ "factor": 125, "flags": ["large print", "reader"], "note": "by the door", "validUntil": "2027-07-31" });
    let put_once = put(&school, ADA, note).await;
    let expected = json!({
        "email": "ada@exam.test", "factor": 125, "extraMinutes": null, "flags": ["large print", "reader"],
        "note": "by the door", "validUntil": "2027-07-31T23:59:59.999Z",
    });
    assert_eq!(put_once, json!({ "accommodation": expected, "concerns": [] }));
    assert_eq!(school.admin.get(ADA).await.json(), json!({ "accommodation": expected }));
    let changed = put(&school, ADA, json!({ "factor": null, "extraMinutes": 15 })).await["accommodation"].clone();
    assert_eq!(
        (&changed["factor"], &changed["extraMinutes"], &changed["note"]),
        (&Value::Null, &json!(15), &json!("by the door"))
    );
    for (body, field) in [
        (json!({ "factor": 99 }), "factor"),
        (json!({ "extraMinutes": "many" }), "extraMinutes"),
        (json!({ "flags": [5] }), "flags"),
        (json!({ "validUntil": "soon" }), "validUntil"),
        (json!({ "email": "bo@exam.test" }), "email"),
    ] {
        send(&school.admin, Method::PUT, ADA, &body).await.assert_error(400, &format!("Invalid {field}"));
    }
    assert_eq!(delete(&school.admin, ADA).await.json(), json!({ "accommodation": null, "concerns": [] }));
    delete(&school.admin, ADA).await.assert_error(404, "Not found");
    school.admin.get(ADA).await.assert_error(404, "Not found");
}

#[tokio::test]
async fn a_list_adds_and_changes_and_takes_nothing_away() {
    let school = School::open().await;
    put(&school, ADA, json!({ "factor": 125, "flags": ["reader"] })).await;
    let list = "email;factor;extra minutes;flags;valid until\nada@exam.test;150;;;\nbo@exam.test;;10;large print, reader;2027-01-31\nnobody;125;;;\n";
    let send = async |query: &str| {
        let request = school.admin.request(Method::PUT, &format!("{PATH}{query}")).header("content-type", "text/csv");
        Answer::to(request.body(list)).await.json()
    };
    let expected = json!({ "added": 1, "updated": 1, "errors": ["Row 4: email is not an address"], "concerns": [] });
    assert_eq!(send("?dryRun=true").await, expected);
    assert_eq!(school.admin.get(PATH).await.json()["accommodations"].as_array().unwrap().len(), 1);
    assert_eq!(send("").await, expected);
    let register = school.admin.get(PATH).await.json()["accommodations"].clone();
    assert_eq!((&register[0]["factor"], &register[0]["flags"]), (&json!(150), &json!(["reader"])));
    assert_eq!(
        (&register[1]["email"], &register[1]["flags"]),
        (&json!("bo@exam.test"), &json!(["large print", "reader"]))
    );
    let empty = put(&school, PATH, json!({ "accommodations": [] })).await;
    assert_eq!(
        (empty["added"].clone(), school.admin.get(PATH).await.json()["accommodations"].clone()),
        (json!(0), register)
    );
}

#[tokio::test]
async fn candidates_have_copies_from_the_moment_the_doors_open() {
    let school = School::open().await;
    put(&school, ADA, json!({ "factor": 125 })).await;
    put(&school, "/api/admin/accommodations/bo%40exam.test", json!({ "factor": 200, "validUntil": "2020-01-01" }))
        .await;
    let sitting = school.sitting(60, json!({})).await;
    school
        .enrol(
            &sitting,
            json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]),
        )
        .await;
    assert_eq!(school.candidate(&sitting, "Ada").await["factor"], 125);
    assert_eq!(school.candidate(&sitting, "Bo").await["factor"], 100, "it was valid until long ago");
    // Before the doors open, the register counts.
    let told = put(&school, ADA, json!({ "factor": 150 })).await;
    assert_eq!(
        (told["concerns"].clone(), school.candidate(&sitting, "Ada").await["factor"].clone()),
        (json!([]), json!(150))
    );
    school.advance(31);
    assert_eq!(school.patch(&sitting, json!({ "name": "Finals A" })).await.status, 200);
    assert_eq!(school.candidate(&sitting, "Ada").await["factor"], 150);
    // From now on a change says whom it concerns, and changes those who are named.
    let ada = school.candidate(&sitting, "Ada").await;
    let told = put(&school, ADA, json!({ "factor": 200 })).await["concerns"].clone();
    let concerned = &told[0];
    for (name, value) in [
        ("sittingId", sitting["id"].clone()),
        ("sitting", json!("Finals A")),
        ("candidateId", ada["id"].clone()),
        ("name", json!("Ada")),
        ("state", json!("expected")),
        ("applied", json!(false)),
    ] {
        assert_eq!(concerned[name], value, "{name}");
    }
    assert_eq!((&concerned["before"]["factor"], &concerned["after"]["factor"]), (&json!(150), &json!(200)));
    let (before, after) = (&concerned["before"]["deadline"], &concerned["after"]["deadline"]);
    let longer = crate::hall::time_of(after) - crate::hall::time_of(before);
    assert_eq!((longer.num_seconds(), told.as_array().unwrap().len()), (45 * 30, 1));
    assert_eq!(school.candidate(&sitting, "Ada").await["factor"], 150);
    let version = school.read(&sitting).await["version"].as_i64().unwrap();
    let told =
        put(&school, &format!("{ADA}?apply={}", ada["id"].as_str().unwrap()), json!({})).await["concerns"].clone();
    assert_eq!(
        (&told[0]["applied"], school.candidate(&sitting, "Ada").await["factor"].clone()),
        (&json!(true), json!(200))
    );
    assert_eq!(school.read(&sitting).await["version"], version + 1);
    assert_eq!(school.explain(&sitting, &ada).await["factor"], json!({ "value": 200, "source": "accommodation" }));
    assert_eq!(
        put(&school, &format!("{ADA}?apply=all"), json!({})).await["concerns"],
        json!([]),
        "there is nothing left"
    );
    // Whoever comes later gets a copy at once.
    put(&school, "/api/admin/accommodations/cy%40exam.test", json!({ "extraMinutes": 10 })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test" }, { "email": "cy@exam.test", "name": "Cy" }])).await;
    assert_eq!(school.candidate(&sitting, "Cy").await["extraMinutes"], 10);
    assert_eq!(school.candidate(&sitting, "Ada").await["factor"], 200);
    let removed = delete(&school.admin, &format!("{ADA}?apply=all")).await.json();
    assert_eq!(removed["concerns"][0]["after"]["factor"], 100);
    assert_eq!(school.candidate(&sitting, "Ada").await["factor"], 100);
    send(&school.admin, Method::PUT, &format!("{ADA}?apply=some"), &json!({})).await.assert_error(400, "Invalid apply");
}

#[tokio::test]
async fn those_who_have_handed_in_are_not_concerned() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    school
        .enrol(
            &sitting,
            json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]),
        )
        .await;
    school.patch(&sitting, json!({ "name": "Finals A" })).await;
    let (ada, bo) = (school.candidate(&sitting, "Ada").await, school.candidate(&sitting, "Bo").await);
    let mut first = school.enter(&sitting, &ada).await;
    school.advance(6);
    first.begin().await;
    first.submit().await;
    let _at_work = school.enter(&sitting, &bo).await;
    let list = json!({ "accommodations": [{ "email": "ada@exam.test", "factor": 125 }, { "email": "bo@exam.test", "factor": 125 }] });
    let told = put(&school, &format!("{PATH}?apply=all&dryRun=true"), list.clone()).await["concerns"].clone();
    assert_eq!(
        (told.as_array().unwrap().len(), &told[0]["name"], &told[0]["applied"]),
        (1, &json!("Bo"), &json!(false))
    );
    let told = put(&school, &format!("{PATH}?apply=all"), list).await["concerns"].clone();
    assert_eq!((&told[0]["state"], &told[0]["applied"]), (&json!("active"), &json!(true)));
    let own = send(&school.admin, Method::PATCH, &candidate_path(&sitting, &bo), &json!({ "factor": 110 })).await;
    assert_eq!(own.json()["candidate"]["factor"], 110, "the candidate's own entry overrides the accommodation");
}

#[tokio::test]
async fn however_many_open_the_doors_they_are_opened_once() {
    let school = School::open().await;
    put(&school, ADA, json!({ "factor": 125 })).await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let database = Database::open(school.hall.database_url(), 4, 1).await.unwrap();
    let secret = Secret::new(vec![7; 32]);
    let clock = school.hall.clock.clone();
    let embargo = Arc::new(Embargo::new(database.clone(), clock.clone()));
    let service = Sittings::new(database.clone(), clock, &secret, embargo, true);
    let id = super::id(&sitting);
    school.advance(31);
    let opened = futures_util::future::join_all((0..6).map(|_| service.open_doors(id))).await;
    let first = opened[0].as_ref().unwrap().opened_at.unwrap();
    assert!(opened.iter().all(|sitting| sitting.as_ref().unwrap().opened_at == Some(first)));
    put(&school, ADA, json!({ "factor": 200 })).await;
    service.open_doors(id).await.unwrap();
    let now = school.read(&sitting).await;
    assert_eq!(
        (&now["openedAt"], &now["version"]),
        (&json!(first.iso()), &json!(2)),
        "nobody's change is refused for it"
    );
    assert_eq!(school.candidate(&sitting, "Ada").await["factor"], 125);
    database.close().await;
}
