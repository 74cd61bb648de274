//! Sealed papers in several forms, and with options in an order of each candidate's own: what of them each candidate
//! gets, and from when on.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};

use super::entrant::{Entrant, knock, opened};
use super::roads::adaptive;
use super::{School, id, send};
use crate::hall::{Answer, eventually, ids};

/// A seat of each of three forms.
const SEATS: [(&str, &str, &str); 3] = [("Ada", "1", "B"), ("Bo", "2", "C"), ("Cy", "3", "A")];

/// A school whose template has these choices.
async fn school(choice: Value) -> School {
    let school = School::open().await;
    change_template(&school, choice).await;
    school
}

async fn change_template(school: &School, changes: Value) {
    let at = format!("/api/admin/test-templates/{}?force=true", school.template);
    let changed = send(&school.admin, Method::PUT, &at, &changes).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
}

/// A sitting whose doors are open, with everybody of [`SEATS`], who have entered.
async fn entered(school: &School) -> (Value, Vec<Entrant>) {
    let sitting = school.sitting(20, json!({})).await;
    let person = |(name, seat, _): (&str, &str, &str)| json!({ "email": format!("{}@exam.test", name.to_lowercase()), "name": name, "seat": seat });
    school.enrol(&sitting, SEATS.map(person).into_iter().collect()).await;
    // The first one to sign in becomes admin.
    school.hall.cookie("head@exam.test").await;
    let mut entrants = Vec::new();
    for (name, ..) in SEATS {
        entrants.push(enter(school, &sitting, name).await);
    }
    (sitting, entrants)
}

async fn enter(school: &School, sitting: &Value, name: &str) -> Entrant {
    let enter = json!({ "sittingId": sitting["id"], "key": format!("the device of {name}, once") });
    Entrant::signed_in(&school.hall, &format!("{}@exam.test", name.to_lowercase()), enter).await
}

fn url(waiting: &Value) -> String {
    let parts = waiting["sealed"].as_array().unwrap();
    assert_eq!((parts.len(), &parts[0]["part"]), (1, &json!("1")), "the own part alone: {waiting}");
    parts[0]["url"].as_str().unwrap().to_owned()
}

fn orders(frame: &Value) -> BTreeMap<String, String> {
    frame.get("optionOrder").map(|orders| serde_json::from_value(orders.clone()).unwrap()).unwrap_or_default()
}

fn question_ids(questions: &[Value]) -> Vec<String> {
    questions.iter().map(|question| question["id"].as_str().unwrap().to_owned()).collect()
}

/// The state over HTTPS.
async fn state(entrant: &Entrant) -> Value {
    let answer = entrant.caller().get(&format!("/api/live/{}", entrant.session_id)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn in_the_clear(entrant: &Entrant, sitting: &Value, part: &str) -> Answer {
    entrant.caller().get(&format!("/api/sittings/{}/paper/{part}?open", id(sitting))).await
}

#[track_caller]
fn assert_early(frame: &Value, form: &str) {
    for name in ["optionOrder", "questionIds", "keys"] {
        assert!(frame.get(name).is_none(), "{name} before the beginning: {frame}");
    }
    assert_eq!((&frame["type"], &frame["form"]), (&json!("waiting"), &json!(form)), "{frame}");
}

#[tokio::test]
async fn each_candidate_opens_the_part_of_their_form_and_no_other() {
    let mut school = school(json!({ "forms": 3 })).await;
    let (sitting, mut entrants) = entered(&school).await;
    let mut parts = Vec::new();
    for (entrant, (name, _, form)) in entrants.iter_mut().zip(SEATS) {
        assert_early(&entrant.waiting, form);
        assert_early(&state(entrant).await, form);
        let part = if form == "A" { "1".to_owned() } else { format!("1-{form}") };
        assert!(url(&entrant.waiting).contains(&format!("/paper/{part}?v=")), "{name}: {}", entrant.waiting);
        entrant.prepare().await;
        parts.push(part);
    }
    assert_eq!(entrants.iter().map(|entrant| &entrant.sealed["1"]).collect::<BTreeSet<_>>().len(), 3);

    // An early look tells nothing: the sealed bytes are everyone's, and nobody can open any of them.
    for part in &parts {
        let sealed = school.hall.anonymous().get(&format!("/api/sittings/{}/paper/{part}", id(&sitting))).await;
        assert!(sealed.status == 200 && !sealed.text().contains("g5-"), "{part}");
        for entrant in &entrants {
            let early = in_the_clear(entrant, &sitting, part).await;
            assert_eq!((early.status, &early.json()["code"]), (409, &json!("not_begun")), "{part}: {}", early.text());
        }
    }
    for unknown in ["1-D", "1-A", "1-b"] {
        let missing = school.hall.anonymous().get(&format!("/api/sittings/{}/paper/{unknown}", id(&sitting))).await;
        assert_eq!(missing.status, 404, "{unknown}");
    }

    school.advance(21);
    let (mut begun, mut papers) = (Vec::new(), Vec::new());
    for entrant in &mut entrants {
        let begin = entrant.socket.until("begin").await;
        assert_eq!(begin["keys"].as_object().unwrap().keys().collect::<Vec<_>>(), ["1"], "{begin}");
        papers.push(entrant.open("1", &begin["keys"]));
        begun.push(begin);
    }
    for (own, entrant) in entrants.iter().enumerate() {
        for (other, begin) in begun.iter().enumerate() {
            let is_open = opened(&entrant.sealed["1"], &begin["keys"]["1"]).is_some();
            assert_eq!(is_open, own == other, "the key of {other} and the part of {own}");
        }
        for (other, part) in parts.iter().enumerate() {
            let clear = in_the_clear(entrant, &sitting, part).await;
            // To each of them, their own first part is called 1.
            if own == other || part == "1" {
                assert_eq!((clear.status, clear.json()), (200, json!(papers[own])), "{part}");
            } else {
                assert_eq!((clear.status, &clear.json()["code"]), (409, &json!("not_begun")), "{part}");
            }
        }
    }
    let asked: Vec<Vec<String>> = papers.iter().map(|paper| question_ids(paper)).collect();
    let sets: BTreeSet<BTreeSet<&String>> = asked.iter().map(|ids| ids.iter().collect()).collect();
    assert_eq!(
        (sets.len(), asked.iter().collect::<BTreeSet<_>>().len()),
        (1, 3),
        "the same questions, in another order"
    );
    assert_eq!(begun.iter().map(|begin| orders(begin).is_empty()).collect::<Vec<_>>(), [false, false, true]);
    assert_ne!(orders(&begun[0]), orders(&begun[1]));

    // They keep it on another device, over HTTPS, and after a restart.
    let tablet = json!({ "sittingId": sitting["id"], "key": "another device of Ada" });
    let cookie = school.hall.cookie("ada@exam.test").await;
    let mut tablet = knock(&school.hall.base(), &[("cookie", &cookie)], tablet).await;
    assert_shown(&tablet.expect("resumed").await, &entrants[0].waiting, &begun[0], &asked[0]);
    school.hall.restart().await;
    for ((entrant, begin), asked) in entrants.iter_mut().zip(&begun).zip(&asked) {
        entrant.base = school.hall.base();
        let resumed = entrant.resume("resumed").await;
        assert_shown(&resumed, &entrant.waiting, begin, asked);
        assert_shown(&state(entrant).await, &entrant.waiting, begin, asked);
    }
    for ((entrant, begin), (_, _, form)) in entrants.iter_mut().zip(&begun).zip(SEATS) {
        entrant.submit(9).await;
        let after = state(entrant).await;
        assert!(after.get("optionOrder").is_none(), "others may still write: {after}");
        assert_eq!(after["keys"], json!({}), "others may still write: {after}");
        let stored = stored(&school, entrant).await;
        assert_eq!((&stored["form"], orders(&stored)), (&json!(form), orders(begin)), "{stored}");
    }
}

/// Asserts that a `resumed` shows what was begun.
#[track_caller]
fn assert_shown(resumed: &Value, waiting: &Value, begin: &Value, asked: &[String]) {
    assert_eq!(ids(&resumed["questionIds"]), asked, "{resumed}");
    let told = |name: &str| (resumed.get(name), waiting.get(name).or_else(|| begin.get(name)));
    for name in ["form", "sealed", "keys", "optionOrder"] {
        let (now, then) = told(name);
        assert_eq!(now, then, "{name}");
    }
}

/// The stored session, as staff read it.
async fn stored(school: &School, entrant: &Entrant) -> Value {
    let admin = school.hall.signed_in("admin").await;
    let path = format!("/api/sessions/{}", entrant.session_id);
    eventually("the session is stored", async || Some(admin.get(&path).await).filter(|answer| answer.status == 200))
        .await
        .json()
}

#[tokio::test]
async fn those_of_one_form_get_the_same_beginning() {
    let school = school(json!({ "forms": 2 })).await;
    let sitting = school.sitting(20, json!({})).await;
    let people: Value = (1..=6).map(|seat| json!({ "email": format!("s{seat}@exam.test"), "name": format!("S{seat}"), "seat": seat.to_string() })).collect();
    school.enrol(&sitting, people).await;
    let mut students = school.enter_all(&sitting).await;
    let rows = school.admin.get(&format!("/api/live/sessions?sittingId={}", id(&sitting))).await.json();
    for row in rows["sessions"].as_array().unwrap() {
        let seat: u32 = row["seat"].as_str().unwrap().parse().unwrap();
        assert_eq!(row["form"], if seat % 2 == 1 { "B" } else { "A" }, "{row}");
    }
    school.advance(21);
    let mut begun: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for student in &mut students {
        let form = student.started["form"].as_str().unwrap().to_owned();
        begun.entry(form).or_default().insert(student.begin().await.to_string());
    }
    assert_eq!(begun.values().map(BTreeSet::len).collect::<Vec<_>>(), [1, 1], "{begun:?}");
}

#[tokio::test]
async fn each_candidate_may_have_an_order_of_their_own() {
    let mut school = school(json!({ "shuffleOptions": true })).await;
    let (sitting, mut entrants) = entered(&school).await;
    let mut begun = Vec::new();
    for entrant in &mut entrants {
        assert!(entrant.waiting.get("form").is_none() && entrant.waiting.get("optionOrder").is_none());
        entrant.prepare().await;
    }
    let urls: BTreeSet<String> = entrants.iter().map(|entrant| url(&entrant.waiting)).collect();
    assert_eq!(urls.len(), 1, "the same part for all");
    // The server is replaced while they wait, so that what they get comes from the store.
    school.hall.restart().await;
    for entrant in &mut entrants {
        entrant.base = school.hall.base();
        assert!(entrant.resume("waiting").await.get("optionOrder").is_none());
    }
    school.advance(21);
    for entrant in &mut entrants {
        begun.push(entrant.socket.until("begin").await);
    }
    let distinct: BTreeSet<String> = begun.iter().map(|begin| begin["optionOrder"].to_string()).collect();
    assert_eq!(distinct.len(), 3, "{distinct:?}");
    assert_eq!(begun.iter().map(|begin| begin["keys"].to_string()).collect::<BTreeSet<_>>().len(), 1);
    let asked = question_ids(&entrants[0].open("1", &begun[0]["keys"]));
    for (entrant, begin) in entrants.iter_mut().zip(&begun) {
        assert_eq!(orders(&state(entrant).await), orders(begin));
        assert_shown(&entrant.resume("resumed").await, &entrant.waiting, begin, &asked);
    }
    school.hall.restart().await;
    school.admin = school.hall.signed_in("admin").await;
    for (entrant, begin) in entrants.iter_mut().zip(&begun) {
        entrant.base = school.hall.base();
        assert_shown(&entrant.resume("resumed").await, &entrant.waiting, begin, &asked);
        entrant.submit(9).await;
        assert_eq!(orders(&stored(&school, entrant).await), orders(begin));
    }
    assert_eq!(school.read(&sitting).await["counts"]["submitted"], 3);
}

#[tokio::test]
async fn a_template_that_changes_while_they_wait_gives_each_their_new_part() {
    for (before, after, forms) in [
        (json!({ "forms": 3 }), json!({ "forms": 2 }), [Some("B"), Some("A"), Some("B")]),
        (json!({ "forms": 3 }), json!({ "forms": 1 }), [None, None, None]),
        (json!({}), json!({ "forms": 3 }), [Some("B"), Some("C"), Some("A")]),
        (json!({}), json!({ "forms": 2, "shuffleOptions": true }), [Some("B"), Some("A"), Some("B")]),
    ] {
        let mut school = school(before.clone()).await;
        let (sitting, mut entrants) = entered(&school).await;
        for entrant in &mut entrants {
            entrant.prepare().await;
        }
        change_template(&school, after.clone()).await;
        let place = format!("{before} and then {after}");
        for (entrant, form) in entrants.iter_mut().zip(forms) {
            let old = url(&entrant.waiting);
            while url(&entrant.waiting) == old {
                entrant.waiting = entrant.socket.until("waiting").await;
            }
            assert_eq!(entrant.waiting.get("form"), form.map(|form| json!(form)).as_ref(), "{place}");
            assert_eq!(entrant.waiting["ready"], false, "it is another paper");
            let part = entrant.caller().get(&url(&entrant.waiting)).await;
            assert_eq!(part.status, 200);
            entrant.sealed.insert("1".to_owned(), part.body.to_vec());
        }
        // The row says the same as the seat.
        school.hall.restart().await;
        school.admin = school.hall.signed_in("admin").await;
        for entrant in &mut entrants {
            entrant.base = school.hall.base();
            let waiting = entrant.resume("waiting").await;
            let said = |waiting: &Value| (waiting.get("form").cloned(), url(waiting));
            assert_eq!(said(&waiting), said(&entrant.waiting), "{place}");
        }
        school.advance(21);
        for entrant in &mut entrants {
            let begin = entrant.socket.until("begin").await;
            let paper = question_ids(&entrant.open("1", &begin["keys"]));
            let resumed = entrant.resume("resumed").await;
            assert_shown(&resumed, &entrant.waiting, &begin, &paper);
            entrant.submit(9).await;
            let stored = stored(&school, entrant).await;
            let form = entrant.waiting.get("form");
            assert_eq!((stored.get("form"), orders(&stored)), (form, orders(&begin)), "{place}");
        }
        assert_eq!(school.read(&sitting).await["counts"]["submitted"], 3);
    }
}

/// From now on the store counts how often a paper of an attempt is written.
async fn count_papers(school: &School) {
    school.hall.alter("CREATE TABLE written_papers (number integer)").await;
    let is_sqlite = school.hall.database_url().starts_with("sqlite");
    school
        .hall
        .alter(if is_sqlite {
            "CREATE TRIGGER counted AFTER UPDATE OF paper ON attempts BEGIN INSERT INTO written_papers VALUES (1); END"
        } else {
            "CREATE FUNCTION counted() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN INSERT INTO written_papers VALUES (1); RETURN NULL; END $$; \
             CREATE TRIGGER counted AFTER UPDATE OF paper ON attempts FOR EACH ROW EXECUTE FUNCTION counted()"
        })
        .await;
}

async fn written_papers(school: &School) -> i64 {
    let connection = Database::connect(school.hall.database_url()).await.unwrap();
    let backend = connection.get_database_backend();
    let count = Statement::from_string(backend, "SELECT count(*) FROM written_papers");
    let row = connection.query_one_raw(count).await.unwrap().unwrap();
    connection.close().await.unwrap();
    row.try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn a_new_paper_is_written_once_for_each_who_waits() {
    for choice in [
        json!({ "shuffleOptions": true }),
        json!({ "forms": 2, "shuffleOptions": true }),
        json!({ "forms": 2 }),
        json!({}),
    ] {
        let school = school(choice.clone()).await;
        entered(&school).await;
        count_papers(&school).await;
        change_template(&school, json!({ "name": "Sealed anew" })).await;
        assert_eq!(written_papers(&school).await, 3, "{choice}");
    }
}

#[tokio::test]
async fn the_second_stage_of_a_sitting_is_shuffled_too() {
    let mut school = School::open().await;
    let template = adaptive(&school).await;
    school.template = template;
    change_template(&school, json!({ "shuffleOptions": true })).await;
    let (_, mut entrants) = entered(&school).await;
    for entrant in &mut entrants {
        entrant.prepare().await;
    }
    school.advance(21);
    let mut told = BTreeSet::new();
    for entrant in &mut entrants {
        let begin = entrant.socket.until("begin").await;
        entrant.socket.send(&json!({ "type": "next", "seq": 7 })).await;
        let stage = entrant.socket.until("stage").await;
        let band = stage["band"].as_str().unwrap().to_owned();
        let paper = question_ids(&entrant.open(&band, &stage["keys"]));
        assert_eq!(ids(&stage["questionIds"]), paper);
        assert!(orders(&stage).keys().all(|id| paper.contains(id)), "of its own questions alone: {stage}");
        told.insert(stage["optionOrder"].to_string());
        let both: BTreeMap<String, String> = orders(&begin).into_iter().chain(orders(&stage)).collect();
        assert_eq!(orders(&entrant.resume("resumed").await), both);
    }
    assert!(told.len() > 1, "{told:?}");
    school.hall.restart().await;
    for entrant in &mut entrants {
        entrant.base = school.hall.base();
        let resumed = entrant.resume("resumed").await;
        assert_eq!((&resumed["stage"], ids(&resumed["questionIds"]).len()), (&json!(2), 4), "{resumed}");
        entrant.submit(9).await;
        assert_eq!(orders(&stored(&school, entrant).await), orders(&resumed));
    }
}

/// A paper that a server of an earlier version has sealed.
#[tokio::test]
async fn a_paper_that_was_sealed_before_there_were_forms_opens() {
    let mut school = School::open().await;
    let (sitting, mut entrants) = entered(&school).await;
    // It has no form and no number of options with its questions.
    let stored = school.sealed_questions(&sitting).await;
    let names: BTreeSet<&String> =
        stored.as_array().unwrap().iter().flat_map(|one| one.as_object().unwrap().keys()).collect();
    assert!(!names.iter().any(|name| ["order", "movable"].contains(&name.as_str())), "as it always was: {names:?}");
    for entrant in &mut entrants {
        entrant.prepare().await;
        assert!(entrant.waiting.get("form").is_none() && url(&entrant.waiting).contains("/paper/1?v="));
    }
    school.hall.restart().await;
    school.advance(21);
    for entrant in &mut entrants {
        entrant.base = school.hall.base();
        let resumed = entrant.resume("resumed").await;
        let begin = json!({ "keys": resumed["keys"] });
        assert_shown(&resumed, &entrant.waiting, &begin, &question_ids(&entrant.open("1", &resumed["keys"])));
    }
}
