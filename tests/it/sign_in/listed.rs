//! Sign-ins that are listed, and ended one by one: by whose they are, and by admins.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::USER_AGENT;
use serde_json::{Value, json};

use super::{first_admin, soon, user_path};
use crate::hall::{Answer, Hall};

const OWN: &str = "/api/me/sign-ins";
const FIREFOX: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const PHONE: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile Safari/537.36";

/// Signs in with a browser of this description, and returns the cookie.
async fn cookie_of(hall: &Hall, email: &str, description: &str) -> String {
    let form = hall
        .anonymous()
        .request(Method::POST, "/auth/local")
        .header(USER_AGENT, description)
        .header("content-type", "application/x-www-form-urlencoded");
    let answer = Answer::to(form.body(format!("email={email}&name=Somebody&return_to=/"))).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

async fn ask(hall: &Hall, cookie: &str, method: Method, path: &str) -> Answer {
    let request = hall.anonymous().request(method, path);
    Answer::to(request.header("cookie", cookie).header("origin", "http://exam.localhost")).await
}

async fn listed(hall: &Hall, cookie: &str) -> Vec<Value> {
    let answer = ask(hall, cookie, Method::GET, OWN).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.json()["signIns"].as_array().unwrap().clone()
}

async fn me(hall: &Hall, cookie: &str) -> u16 {
    ask(hall, cookie, Method::GET, "/api/me").await.status
}

fn one<'a>(list: &'a [Value], browser: &str) -> &'a Value {
    list.iter().find(|one| one["browser"] == browser).unwrap_or_else(|| panic!("no {browser}: {list:?}"))
}

#[tokio::test]
async fn people_know_their_devices_and_end_one() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let desk = cookie_of(&hall, "ada@exam.test", FIREFOX).await;
    hall.clock.advance(Duration::from_secs(60));
    let phone = cookie_of(&hall, "ada@exam.test", PHONE).await;
    let unnamed = cookie_of(&hall, "ada@exam.test", "curl/8.5.0").await;
    let someone = cookie_of(&hall, "ben@exam.test", PHONE).await;
    let list = listed(&hall, &desk).await;
    assert_eq!(list.len(), 3, "{list:?}");
    let (here, away) = (one(&list, "Firefox"), one(&list, "Chrome"));
    assert_eq!((&here["system"], &here["current"]), (&json!("Windows"), &json!(true)));
    assert_eq!((&away["system"], &away["current"]), (&json!("Android"), &json!(false)));
    assert!(here["since"].as_str() < away["since"].as_str() && list[2] == *here, "the latest first: {list:?}");
    assert_eq!(here["lastUsedAt"], here["since"]);
    assert!(list.iter().any(|one| one["browser"].is_null() && one["system"].is_null()), "{list:?}");
    let keys: Vec<_> = here.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["browser", "current", "endsAt", "id", "lastUsedAt", "since", "system"], "and no more is told");

    let path = format!("{OWN}/{}", away["id"].as_str().unwrap());
    ask(&hall, &someone, Method::DELETE, &path).await.assert_error(404, "Sign-in not found");
    assert_eq!(me(&other, &phone).await, 200);
    assert_eq!(ask(&hall, &desk, Method::DELETE, &path).await.status, 200);
    assert_eq!((me(&hall, &phone).await, me(&hall, &desk).await, me(&hall, &unnamed).await), (401, 200, 200));
    soon("it is over on the other server", async || me(&other, &phone).await == 401).await;
    ask(&hall, &desk, Method::DELETE, &path).await.assert_error(404, "Sign-in not found");
    ask(&hall, &desk, Method::DELETE, &format!("{OWN}/x")).await.assert_error(404, "Sign-in not found");
    assert_eq!(listed(&hall, &desk).await.len(), 2);
}

#[tokio::test]
async fn all_others_end_and_this_one_stays() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let kept = cookie_of(&hall, "ada@exam.test", FIREFOX).await;
    let mut ended = Vec::new();
    for _ in 0..3 {
        ended.push(cookie_of(&hall, "ada@exam.test", PHONE).await);
    }
    let someone = cookie_of(&hall, "ben@exam.test", PHONE).await;
    assert_eq!(me(&other, &ended[0]).await, 200);
    assert_eq!(ask(&hall, &kept, Method::DELETE, OWN).await.status, 200);
    for cookie in &ended {
        assert_eq!(me(&hall, cookie).await, 401);
        soon("it is over on the other server", async || me(&other, cookie).await == 401).await;
    }
    assert_eq!((me(&hall, &kept).await, me(&hall, &someone).await), (200, 200));
    assert_eq!(listed(&hall, &kept).await.len(), 1);
}

#[tokio::test]
async fn a_sign_in_that_was_ended_ends_no_others() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let own = cookie_of(&hall, "ada@exam.test", FIREFOX).await;
    let stolen = cookie_of(&hall, "ada@exam.test", PHONE).await;
    let list = listed(&hall, &own).await;
    let path_of = |browser: &str| format!("{OWN}/{}", one(&list, browser)["id"].as_str().unwrap());
    assert_eq!(me(&other, &stolen).await, 200);
    assert_eq!(ask(&hall, &own, Method::DELETE, &path_of("Chrome")).await.status, 200);
    // For some seconds the other server still knows whose it was.
    ask(&other, &stolen, Method::DELETE, &path_of("Firefox")).await.assert_error(401, "Unauthorized");
    ask(&other, &stolen, Method::DELETE, OWN).await.assert_error(401, "Unauthorized");
    assert_eq!((me(&hall, &own).await, me(&other, &own).await), (200, 200));
}

#[tokio::test]
async fn the_last_use_lags_ten_minutes_behind_and_no_more() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let cookie = cookie_of(&hall, "ada@exam.test", FIREFOX).await;
    let before = listed(&hall, &cookie).await[0]["lastUsedAt"].clone();
    for (minutes, is_noted) in [(5, false), (6, true)] {
        hall.clock.advance(Duration::from_secs(minutes * 60));
        // Everyone is looked up anew after a change of rights.
        let role = json!({ "role": "student" });
        let changed = admin.fetch(Method::PATCH, &user_path("ada@exam.test"), Some(&role)).await;
        assert_eq!(changed.status, 200, "{}", changed.text());
        if is_noted {
            soon("a use is noted", async || listed(&hall, &cookie).await[0]["lastUsedAt"] != before).await;
        } else {
            assert_eq!(listed(&hall, &cookie).await[0]["lastUsedAt"], before, "a second request writes nothing");
        }
    }
}

#[tokio::test]
async fn an_admin_ends_one_sign_in_of_somebody_and_that_is_on_record() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let desk = cookie_of(&hall, "ada@exam.test", FIREFOX).await;
    let phone = cookie_of(&hall, "ada@exam.test", PHONE).await;
    let path = format!("{}/sign-ins", user_path("ada@exam.test"));
    let list = admin.get(&path).await.json()["signIns"].as_array().unwrap().clone();
    assert!(list.len() == 2 && list.iter().all(|one| one["current"] == false), "{list:?}");
    let of_phone = format!("{path}/{}", one(&list, "Chrome")["id"].as_str().unwrap());
    // By the address of somebody else nothing ends.
    let elsewhere = of_phone.replace("ada", "first");
    assert_eq!(admin.fetch(Method::DELETE, &elsewhere, None).await.status, 404);
    assert_eq!(me(&hall, &phone).await, 200);
    assert_eq!(admin.fetch(Method::DELETE, &of_phone, None).await.status, 200);
    assert_eq!((me(&hall, &phone).await, me(&hall, &desk).await), (401, 200));
    let entries = admin.get("/api/admin/audit?action=user.signed_out").await.json()["entries"].clone();
    assert_eq!(entries.as_array().unwrap().len(), 1, "{entries}");
    assert_eq!((&entries[0]["subject"], &entries[0]["detail"]), (&json!("ada@exam.test"), &json!("one sign-in")));
    assert!(admin.get(&format!("{}/sign-ins", user_path("nobody@exam.test"))).await.json()["signIns"] == json!([]));
}

#[tokio::test]
async fn a_sign_in_of_an_earlier_release_is_listed_and_ends_too() {
    let hall = Hall::open().await;
    let cookie = cookie_of(&hall, "ada@exam.test", FIREFOX).await;
    hall.alter("UPDATE sign_ins SET browser = NULL, system = NULL, last_used_at_ms = NULL").await;
    let old = hall.cookie("ada@exam.test").await;
    let list = listed(&hall, &old).await;
    let other = list.iter().find(|one| one["current"] == false).unwrap();
    assert!(other["browser"].is_null(), "{other}");
    let path = format!("{OWN}/{}", other["id"].as_str().unwrap());
    assert_eq!(ask(&hall, &old, Method::DELETE, &path).await.status, 200);
    assert_eq!(me(&hall, &cookie).await, 401);
}
