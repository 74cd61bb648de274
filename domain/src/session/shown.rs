//! How a finished test was shown to its student: which form it was, and in which orders options stood.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::{SentResult, Session};
use crate::form::FormLetter;
use crate::option_order::OptionOrder;

impl Session {
    /// The orders in which the student saw options, by the ids of their questions; only of questions whose options
    /// stood in another order than in the bank.
    #[must_use]
    pub fn option_orders(&self) -> BTreeMap<&str, OptionOrder> {
        let graded_by = self.graded_by.inside_the_server();
        let of_keys = graded_by.iter().filter_map(|key| Some((&*key.id, key.order?)));
        // Another service has nothing to say of what was graded here.
        let sent = self.sent_orders.iter().filter(|_| graded_by.is_empty());
        of_keys.chain(sent.map(|(id, order)| (id.as_str(), *order))).collect()
    }
}

/// The form and the orders of a session that another service has, which may not know the fields, or have others of
/// these names. Orders of questions that the test does not have are left out.
pub(super) fn of_stored(
    form: Option<&Value>,
    option_order: Option<&Value>,
    result: &SentResult,
) -> (Option<FormLetter>, BTreeMap<String, OptionOrder>) {
    let form = form.and_then(Value::as_str).and_then(FormLetter::parse);
    let asked: HashSet<&str> = result.question_ids().collect();
    let sent = option_order.and_then(Value::as_object).into_iter().flatten();
    let order = |(id, order): (&String, &Value)| Some((id.clone(), OptionOrder::parse(order.as_str()?)?));
    (form, sent.filter(|(id, _)| asked.contains(id.as_str())).filter_map(order).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::access::Grades;
    use crate::question::{Choice, Difficulty, KeyedQuestion};
    use crate::sight::{EmbargoState, Reader, Sight, Untold};

    fn stored(shown: &Value) -> Value {
        let answers: Vec<Value> =
            ["q1", "q2"].map(|id| json!({ "questionId": id, "selected": "A", "correct": "B" })).to_vec();
        let mut session = json!({
            "sessionId": Uuid::from_u128(7),
            "grade": 5,
            "startedAt": "2026-01-05T09:00:00Z",
            "timestamp": "2026-01-05T09:35:00Z",
            "result": {
                "score": 200, "correctAnswers": 0, "totalQuestions": 2, "timeTaken": 60,
                "topicBreakdown": [], "difficultyBreakdown": [], "answers": answers,
            },
        });
        session.as_object_mut().unwrap().extend(shown.as_object().unwrap().clone());
        session
    }

    fn read(shown: &Value) -> Session {
        Session::from_stored_json(&stored(shown).to_string()).unwrap()
    }

    fn written(session: &Session) -> Value {
        let reader = Reader::Caller { is_staff: true, reviews: Grades::ALL, has_public_answers: true };
        let sight = Sight::of(session, reader, EmbargoState::Open);
        serde_json::from_str(&session.stored_json(sight).unwrap()).unwrap()
    }

    #[test]
    fn what_another_service_keeps_comes_back() {
        let shown = json!({ "form": "B", "optionOrder": { "q1": "CADB", "q2": "BA" } });
        let session = read(&shown);
        assert_eq!(session.form, FormLetter::parse("B"));
        let order = |text| OptionOrder::parse(text).unwrap();
        assert_eq!(session.option_orders(), BTreeMap::from([("q1", order("CADB")), ("q2", order("BA"))]));
        let again = written(&session);
        assert_eq!((&again["form"], &again["optionOrder"]), (&shown["form"], &shown["optionOrder"]));
        assert_eq!(again["result"]["answers"][0]["correct"], "B", "letters are those of the bank");
    }

    #[test]
    fn staff_alone_compare_with_the_master_copy() {
        let session = read(&json!({ "optionOrder": { "q1": "CADB" } }));
        assert_eq!(written(&session)["masterLetters"], true);
        assert!(written(&read(&json!({ "form": "B" }))).get("masterLetters").is_none(), "nothing stood otherwise");
        let student = Reader::Caller { is_staff: false, reviews: Grades::NONE, has_public_answers: true };
        let of = |reader| Sight::of(&session, reader, EmbargoState::Open);
        for sight in [of(student), of(Reader::OtherServer), Sight::of_keeper(&session)] {
            let json = session.stored_json(sight).unwrap();
            assert!(json.contains("optionOrder") && !json.contains("masterLetters"), "{json}");
        }
    }

    #[test]
    fn without_them_nothing_is_written_and_what_is_wrong_is_none() {
        for shown in [
            json!({}),
            json!({ "form": null, "optionOrder": null }),
            json!({ "form": "J", "optionOrder": {} }),
            json!({ "form": 2, "optionOrder": ["CADB"] }),
            json!({ "form": { "name": "B" }, "optionOrder": { "q1": "ABCD", "q2": 7, "other": "CADB" } }),
        ] {
            let session = read(&shown);
            assert_eq!((session.form, session.option_orders().len()), (None, 0), "{shown}");
            let again = written(&session);
            let fields = ["form", "optionOrder", "masterLetters"];
            assert!(fields.iter().all(|field| again.get(field).is_none()), "{again}");
        }
    }

    #[test]
    fn the_keys_of_this_server_know_better() {
        let key = |id: &str, order: Option<&str>| {
            Arc::new(KeyedQuestion {
                id: id.into(),
                topic: "Shapes".into(),
                difficulty: Difficulty::new(3).unwrap(),
                answer: Choice::B.into(),
                options: None,
                version: None,
                order: order.and_then(OptionOrder::parse),
            })
        };
        let sent = read(&json!({ "optionOrder": { "q1": "CADB" } }));
        let session = Session { graded_by: Untold::of(vec![key("q1", None), key("q2", Some("BADC"))]), ..sent };
        assert_eq!(session.option_orders(), BTreeMap::from([("q2", OptionOrder::parse("BADC").unwrap())]));
        assert_eq!(written(&session)["optionOrder"], json!({ "q2": "BADC" }));
    }
}
