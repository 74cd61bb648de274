//! Candidates who would like to know another form, or their own before its time: they learn nothing of it.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::super::School;
use super::super::entrant::{Entrant, access_codes, opened};
use super::exam::{Kind, school};
use super::student::id;
use crate::hall::{Answer, Caller, LiveSocket};

const FORMS: Kind = Kind { forms: 4, has_parallel: true, is_shuffled: false };
/// How a part of a form could be called.
const PARTS: [&str; 9] = ["1", "1-A", "1-B", "1-C", "1-D", "1-E", "1-b", "A", "2"];

/// A sitting in 40 minutes whose candidates wait, each in the form of the next seat.
struct Room {
    school: School,
    sitting: Value,
    entrants: Vec<Entrant>,
    /// The questions of all forms.
    ids: BTreeSet<String>,
}

impl Room {
    async fn open(kind: Kind, count: usize) -> Self {
        let (school, _) = school(kind).await;
        let sitting = school.sitting(40, json!({})).await;
        let person = |place: usize| {
            let (id, name, seat) = (place.to_string(), format!("Student {place}"), format!("A{place}"));
            json!({ "externalId": id, "name": name, "seat": seat })
        };
        school.enrol(&sitting, (1..=count).map(person).collect()).await;
        let codes = access_codes(&school, &sitting).await;
        school.advance(11);
        let enter = |code: &String| Entrant::enter(&school.hall, json!({ "sittingId": sitting["id"], "access": code }));
        let entrants = join_all(codes.values().map(enter)).await;
        let read = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
        let template = &read["template"];
        let lists = [&template["standardQuestions"], &template["formQuestions"]];
        let questions = lists.into_iter().filter_map(Value::as_array).flatten();
        let ids = questions.map(|question| id(question).to_owned()).collect();
        Self { school, sitting, entrants, ids }
    }

    fn part(&self, part: &str) -> String {
        format!("/api/sittings/{}/paper/{part}?open", id(&self.sitting))
    }

    /// What a candidate, and anybody, may ask for.
    fn roads(&self, entrant: &Entrant) -> Vec<String> {
        let (session, template) = (&entrant.session_id, &self.school.template);
        [
            format!("/api/live/{session}"),
            format!("/api/sessions/{session}"),
            format!("/api/sessions/{session}?payload=1"),
            format!("/api/report/{session}/questions"),
            format!("/api/report/{session}/pdf"),
            format!("/api/test-templates/{template}"),
            format!("/api/test-templates/{template}?sessionId={session}"),
            "/api/questions?grade=5&types=all".to_owned(),
            "/api/sittings".to_owned(),
            "/api/live/mine".to_owned(),
        ]
        .into()
    }

    /// How many questions of any form an answer names.
    fn named(&self, text: &str) -> usize {
        self.ids.iter().filter(|id| text.contains(&format!("\"{id}\""))).count()
    }

    /// No question of any form, and no order, leaves by these roads.
    async fn assert_withheld(&self, state: &str) {
        for entrant in &self.entrants {
            for caller in [entrant.caller(), self.school.hall.anonymous()] {
                for road in
                    self.roads(entrant).iter().filter(|road| state != "at work" || !road.starts_with("/api/live"))
                {
                    let text = caller.get(road).await.text();
                    assert_eq!(
                        (self.named(&text), text.contains("optionOrder")),
                        (0, false),
                        "{state}, {road}: {text}"
                    );
                }
            }
        }
    }

    async fn open_part(&self, caller: &Caller, part: &str) -> Option<Vec<String>> {
        let answer = caller.get(&self.part(part)).await;
        if answer.status != 200 {
            assert!(matches!(answer.status, 403 | 404 | 409), "{part}: {} {}", answer.status, answer.text());
            assert_eq!(self.named(&answer.text()), 0, "{}", answer.text());
            return None;
        }
        Some(answer.json().as_array().unwrap().iter().map(|question| id(question).to_owned()).collect())
    }
}

#[tokio::test]
async fn nobody_reads_a_form_before_the_time_or_another_one_after_it() {
    let mut room = Room::open(FORMS, 4).await;
    let forms: BTreeSet<&str> = room.entrants.iter().map(|one| one.waiting["form"].as_str().unwrap()).collect();
    assert_eq!(forms.len(), 4, "each has another one");
    assert!(room.ids.len() > 24, "the forms have questions of their own: {:?}", room.ids);
    for entrant in &room.entrants {
        let waiting = entrant.waiting.to_string();
        assert_eq!((room.named(&waiting), waiting.contains("optionOrder")), (0, false), "{waiting}");
        assert_eq!(entrant.waiting["sealed"].as_array().unwrap().len(), 1, "the own part alone");
        for part in PARTS {
            assert_eq!(room.open_part(&entrant.caller(), part).await, None, "{part} before the time");
        }
    }
    room.assert_withheld("waiting").await;
    // Practice with the questions of any form is refused like one with questions that there are not.
    for chosen in room.ids.iter().collect::<Vec<_>>().chunks(10).filter(|chosen| chosen.len() == 10) {
        let start = json!({ "grade": 5, "types": "all", "questionIds": chosen });
        let refused = room.school.hall.anonymous().post_json("/api/live", &start).await;
        assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("invalid_test")), "{}", refused.text());
    }
    let hashes: Vec<Value> = room.entrants.iter().map(|one| one.waiting["sealed"][0]["sha256"].clone()).collect();
    for (place, entrant) in room.entrants.iter_mut().enumerate() {
        let other = &hashes[(place + 1) % hashes.len()];
        entrant.socket.send(&json!({ "type": "ready", "seq": 90, "sha256": other })).await;
        entrant.socket.until("error").await;
        entrant.prepare().await;
    }
    room.school.advance(30);
    let mut papers = Vec::new();
    for entrant in &mut room.entrants {
        let begun = entrant.socket.until("begin").await;
        assert_eq!(begun["keys"].as_object().unwrap().keys().collect::<Vec<_>>(), ["1"], "{begun}");
        let own = opened(&entrant.sealed["1"], &begun["keys"]["1"]).unwrap();
        papers.push((begun["keys"]["1"].clone(), own.iter().map(|one| id(one).to_owned()).collect::<Vec<_>>()));
    }
    for (place, (key, own)) in papers.iter().enumerate() {
        let caller = room.entrants[place].caller();
        assert_eq!(room.open_part(&caller, "1").await.as_ref(), Some(own), "the own part");
        for part in PARTS {
            let told = room.open_part(&caller, part).await;
            assert!(told.is_none() || told.as_ref() == Some(own), "{part}: {told:?}");
        }
        for (other, entrant) in room.entrants.iter().enumerate().filter(|(other, _)| *other != place) {
            assert!(opened(&entrant.sealed["1"], key).is_none(), "the key of {place} opens the part of {other}");
        }
        let state = caller.get(&format!("/api/live/{}", room.entrants[place].session_id)).await.text();
        let others = room.ids.iter().filter(|id| !own.contains(*id) && state.contains(&format!("\"{id}\"")));
        assert_eq!(others.count(), 0, "{state}");
    }
    room.assert_withheld("at work").await;
    for (place, (_, own)) in papers.iter().enumerate() {
        let other = &papers[(place + 1) % papers.len()].1;
        let foreign = other.iter().find(|id| !own.contains(*id)).unwrap();
        let entrant = &mut room.entrants[place];
        let answer = json!({ "type": "answer", "seq": 91, "questionId": foreign, "selected": "A" });
        entrant.socket.send(&answer).await;
        let refused = entrant.socket.until("error").await;
        assert_eq!((&refused["code"], &refused["seq"]), (&json!("unknown_question"), &json!(91)), "{refused}");
        entrant.socket.send(&json!({ "type": "submit", "seq": 92 })).await;
        entrant.socket.until("submitted").await;
    }
    for entrant in &room.entrants {
        for part in PARTS {
            assert_eq!(room.open_part(&entrant.caller(), part).await, None, "{part} after the end");
        }
    }
    // Until the release all forms are withheld, and not only the one that is the list.
    let bank = "/api/questions?grade=5&types=all";
    assert_eq!(room.named(&room.school.hall.anonymous().get(bank).await.text()), 0);
    assert_eq!(room.school.release(&room.sitting).await.status, 200);
    assert_eq!(room.named(&room.school.hall.anonymous().get(bank).await.text()), room.ids.len());
}

#[tokio::test]
async fn an_order_is_told_to_the_holder_of_the_token_alone() {
    let kind = Kind { forms: 2, has_parallel: false, is_shuffled: true };
    let mut room = Room::open(kind, 4).await;
    room.school.advance(30);
    let mut orders = Vec::new();
    for entrant in &mut room.entrants {
        let begun = entrant.socket.until("begin").await;
        orders.push(begun["optionOrder"].clone());
    }
    assert!(orders.iter().all(Value::is_object), "{orders:?}");
    for (place, order) in orders.iter().enumerate() {
        let (own, other) = (&room.entrants[place], &room.entrants[(place + 1) % room.entrants.len()]);
        let path = format!("/api/live/{}", other.session_id);
        for caller in [own.caller(), room.school.hall.anonymous(), room.school.hall.bearer("nobody's")] {
            let refused = caller.get(&path).await;
            assert!(matches!(refused.status, 401 | 403), "{}", refused.text());
            assert!(!refused.text().contains("optionOrder"), "{}", refused.text());
        }
        let mut socket = LiveSocket::connect(&own.base, &[]).await.unwrap();
        socket.send(&json!({ "type": "resume", "sessionId": other.session_id, "token": own.token })).await;
        let refused = socket.expect_error("bad_token").await;
        assert!(refused.get("optionOrder").is_none(), "{refused}");
        let mine = own.caller().get(&path.replace(&other.session_id, &own.session_id)).await.json();
        assert_eq!(&mine["optionOrder"], order, "the own one, and no other");
    }
    // Proctors see which form somebody has, and not where the options stand.
    let listed = format!("/api/live/sessions?sittingId={}", id(&room.sitting));
    let listed = Answer::to(room.school.admin.request(Method::GET, &listed)).await;
    assert!(listed.status == 200 && !listed.text().contains("optionOrder"), "{}", listed.text());
    let pictured: BTreeSet<String> = orders.iter().map(Value::to_string).collect();
    assert!(pictured.len() > 2, "each has their own: {pictured:?}");
}
