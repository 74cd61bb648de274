//! Many changes of one template at once, by two servers of one store: none is lost, and no question is twice on a
//! paper.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{BANDS, adaptive, assert_no_repeats, create, generate, lists, read, standard, swap, update, with};
use crate::hall::{Answer, Caller, Hall};

/// An admin at each of two servers.
async fn two_servers() -> (Hall, Hall, [Caller; 2]) {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let token = hall.token("admin").await;
    let admins = [hall.bearer(&token), other.bearer(&token)];
    (hall, other, admins)
}

#[tokio::test]
async fn no_swap_is_lost() {
    let (_hall, _other, admins) = two_servers().await;
    let targets = json!({ "1": 5, "2": 5, "3": 5, "4": 5, "5": 5 });
    let template = create(&admins[0], with(standard(), json!({ "standardTargets": targets }))).await;
    let before = lists(&template)["standard"].clone();
    let template = &template;
    let swaps = before.iter().zip(admins.iter().cycle()).map(|(id, admin)| async move {
        let answer = swap(admin, template, json!({ "bucket": { "kind": "standard" }, "questionId": id })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["replacement"]["id"].as_str().unwrap().to_owned()
    });
    let came = join_all(swaps).await;
    let after = read(&admins[1], template).await;
    assert_no_repeats(&after);
    // A question that has gone may come back for another one; but each that came is there unless it was put away again.
    assert_eq!(lists(&after)["standard"].len(), before.len());
    for (place, id) in lists(&after)["standard"].iter().enumerate() {
        assert_eq!(id, &came[place], "the swap of place {place} is not lost");
    }
}

#[tokio::test]
async fn the_same_replacement_comes_once() {
    let (hall, _other, admins) = two_servers().await;
    let bank = hall.bank(5).await;
    let template = create(&admins[0], with(standard(), json!({ "standardTargets": { "4": 12 } }))).await;
    let before = lists(&template)["standard"].clone();
    let wanted = bank.ids().into_iter().find(|id| bank.difficulty(id) == 4 && !before.contains(id)).unwrap();
    let (template, wanted) = (&template, &wanted);
    let swaps = before.iter().zip(admins.iter().cycle()).map(|(id, admin)| async move {
        swap(admin, template, json!({ "bucket": { "kind": "standard" }, "questionId": id, "replacementId": wanted }))
            .await
    });
    let answers = join_all(swaps).await;
    let (done, refused): (Vec<&Answer>, Vec<&Answer>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!((done.len(), refused.len()), (1, 11));
    refused.iter().for_each(|answer| answer.assert_error(400, "Replacement must match the same difficulty"));
    let after = lists(&read(&admins[1], template).await)["standard"].clone();
    assert_eq!(after.iter().filter(|id| *id == wanted).count(), 1);
    assert_eq!(after.iter().filter(|id| before.contains(id)).count(), 11);
}

#[tokio::test]
async fn whatever_happens_at_once_no_student_sees_a_question_twice() {
    let (_hall, _other, admins) = two_servers().await;
    let template = create(&admins[0], adaptive()).await;
    let places: Vec<(Value, String)> = lists(&template)
        .into_iter()
        .flat_map(|(name, list)| {
            let bucket = if BANDS.contains(&name.as_str()) {
                json!({ "kind": "session2", "band": name })
            } else {
                json!({ "kind": name })
            };
            list.into_iter().map(move |id| (bucket.clone(), id))
        })
        .collect();
    let template = &template;
    for round in 0..3 {
        let swaps = places.iter().zip(admins.iter().cycle()).map(|(place, admin)| async move {
            let answer = swap(admin, template, json!({ "bucket": place.0, "questionId": place.1 })).await;
            // A list that was generated again meanwhile no longer has it.
            assert!([200, 404].contains(&answer.status), "{}", answer.text());
            if answer.status == 200 {
                assert_no_repeats(&answer.json()["template"]);
            }
        });
        let others = admins.iter().map(|admin| async move {
            let grades = if round == 1 { json!([8, 9]) } else { json!([8]) };
            let answer = update(admin, template, json!({ "grades": grades, "durationMinutes": 30 + round })).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            if round > 0 {
                assert_no_repeats(&generate(admin, template).await["template"]);
            }
        });
        futures_util::future::join(join_all(swaps), join_all(others)).await;
        let after = read(&admins[0], template).await;
        assert_no_repeats(&after);
        assert_eq!(after["durationMinutes"], 30 + round, "the change of the config is not lost");
        assert!(
            lists(&after).iter().all(|(name, list)| list.len() == if name == "session1" { 5 } else { 4 }),
            "{after}"
        );
    }
}
