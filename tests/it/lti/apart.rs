//! What the staff of a deployment reach of the courses of other deployments and of other platforms, by each route that
//! is about courses: nothing.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Campus, both, custom, exam_of, teacher};
use crate::hall::Answer;
use crate::hall::launch_platform::{LTI, LaunchPlatform};

const LINKS: &str = "/api/admin/lti/links";
const SCORES: &str = "/api/admin/lti/scores";

/// A deployment, after which its teacher and its learner are called.
struct Place<'a> {
    platform: &'a LaunchPlatform,
    deployment: &'static str,
    name: &'static str,
}

/// The same with what an admin sees of it, and its teacher's sign-in.
struct SeenPlace<'a> {
    place: Place<'a>,
    cookie: String,
    /// The id of its link to the sitting.
    link: String,
    /// The ids of its learner and of their score.
    person: Value,
    score: String,
    /// The path of the row that is its learner's.
    row: String,
}

fn two_deployments() -> Value {
    json!({ "deployments": [{ "id": "1", "state": "active" }, { "id": "2", "state": "active" }] })
}

impl Campus {
    async fn launch_at(&self, place: &Place<'_>, (kind, id): (&str, &str), by: Value) -> Answer {
        let here = json!({
            format!("{LTI}deployment_id"): place.deployment,
            format!("{LTI}resource_link"): { "id": format!("{kind} of {}", place.name), "title": place.name },
        });
        self.launch_from(place.platform, both(both(custom(kind, id), here), by), "document").await
    }

    /// A teacher follows the link to the sitting, in a browser with these headers.
    async fn teacher_at(&self, place: &Place<'_>, sitting: &str, headers: &[(&str, &str)]) -> Answer {
        let theirs = both(teacher(), json!({ "sub": format!("teacher {}", place.name) }));
        let page = self.launch_at(place, ("sitting", sitting), theirs).await;
        let entered = self.enter_as(&page, headers).await;
        assert_eq!(entered.status, 303, "{}", entered.text());
        entered
    }

    /// As the pages do with a sign-in.
    async fn ask(&self, cookie: &str, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let request = self.hall.anonymous().request(method, path).header("cookie", cookie);
        let request = request.header("sec-fetch-site", "same-origin");
        Answer::to(if let Some(body) = body { request.json(body) } else { request }).await
    }

    async fn look(&self, cookie: &str, path: &str) -> Value {
        let answer = self.ask(cookie, Method::GET, path, None).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// A learner of the place is turned away at the sitting, and hands a test of the template in.
    async fn seen<'a>(&self, place: Place<'a>, sitting: &str, template: &str) -> SeenPlace<'a> {
        for target in [("sittingId", sitting), ("templateId", template)] {
            let path = format!("/api/admin/lti/platforms/{}/grants", place.platform.id);
            let given = json!({ "deploymentId": place.deployment, target.0: target.1 });
            assert_eq!(self.admin.post_json(&path, &given).await.status, 200);
        }
        let (name, email) = (place.name, format!("{}@exam.test", place.name.to_lowercase()));
        let learner = json!({ "sub": format!("learner {name}"), "name": name, "email": email });
        assert_eq!(self.launch_at(&place, ("sitting", sitting), learner.clone()).await.status, 403);
        let page = self.launch_at(&place, ("template", template), learner).await;
        let exam = exam_of(&self.enter(&page).await, &format!("/continue?template={template}"));
        self.hand_in(&exam).await;
        let entered = self.teacher_at(&place, sitting, &[]).await;
        let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
        let one = |list: &Value, field: &str| {
            let found = list.as_array().unwrap().iter().find(|one| one[field] == name);
            found.unwrap_or_else(|| panic!("{name}: {list}")).clone()
        };
        let links = self.admin.get(&format!("{LINKS}?sittingId={sitting}")).await.json();
        let people = self.admin.get(&format!("/api/admin/sittings/{sitting}/lti/people")).await.json();
        let rows = self.admin.get(&format!("/api/admin/sittings/{sitting}/candidates")).await.json();
        let scores = self.admin.get(SCORES).await.json();
        let row = one(&rows["candidates"], "name")["id"].as_str().unwrap().to_owned();
        SeenPlace {
            cookie,
            link: one(&links["links"], "title")["id"].as_str().unwrap().to_owned(),
            person: one(&people["people"], "name")["id"].clone(),
            score: one(&scores["scores"], "name")["id"].as_str().unwrap().to_owned(),
            row: format!("/api/admin/sittings/{sitting}/candidates/{row}/lti"),
            place,
        }
    }
}

#[track_caller]
fn names(list: &Value, field: &str) -> Vec<String> {
    let mut names: Vec<String> =
        list.as_array().unwrap().iter().map(|one| one[field].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// Takes a while: three deployments, of which each tries every route with what belongs to the others.
#[tokio::test]
async fn staff_reach_nothing_of_the_courses_of_another_deployment() {
    let campus = Campus::with(two_deployments()).await;
    let second = LaunchPlatform::open(&campus.hall, json!({})).await;
    // They have no question in common: until its doors open, an exam withholds its own.
    let easy = json!({ "standardTargets": { "1": 2, "2": 2, "3": 2, "4": 2, "5": 0 } });
    let hard = json!({ "name": "Practice", "standardTargets": { "1": 0, "2": 0, "3": 0, "4": 0, "5": 4 } });
    let (paper, practice) = (campus.template(easy).await, campus.template(hard).await);
    let sitting = campus.sitting(&paper, 90).await;
    let row = |name: &str| json!({ "email": format!("{}@school.test", name.to_lowercase()), "name": name });
    campus.enrol(&sitting, json!([row("Ada"), row("Bo"), row("Chi")])).await;
    let id = sitting["id"].as_str().unwrap();
    let (first, two) = (&campus.platform, [("1", "Ada"), ("2", "Bo")]);
    let mut places = Vec::new();
    for (deployment, name) in two {
        places.push(campus.seen(Place { platform: first, deployment, name }, id, &practice).await);
    }
    let other = Place { platform: &second, deployment: "1", name: "Chi" };
    places.push(campus.seen(other, id, &practice).await);

    let people_path = format!("/api/admin/sittings/{id}/lti/people");
    let roster_path = format!("/api/admin/sittings/{id}/roster/lti");
    for own in &places {
        let (name, cookie) = (own.place.name, &*own.cookie);
        let links = campus.look(cookie, &format!("{LINKS}?sittingId={id}")).await;
        assert_eq!(names(&links["links"], "title"), [name]);
        let links = campus.look(cookie, LINKS).await;
        assert_eq!(names(&links["links"], "title"), [name, name], "to the sitting and to the template");
        assert_eq!(names(&campus.look(cookie, &people_path).await["people"], "name"), [name]);
        let scores = campus.look(cookie, SCORES).await;
        assert_eq!((names(&scores["scores"], "name"), &scores["total"]), (vec![name.to_owned()], &json!(1)));
        let own_platform = campus.look(cookie, &format!("{LINKS}?platformId={}", own.place.platform.id)).await;
        assert_eq!(names(&own_platform["links"], "title"), [name, name]);

        for others in places.iter().filter(|others| others.place.name != name) {
            if others.place.platform.id != own.place.platform.id {
                let none = campus.look(cookie, &format!("{LINKS}?platformId={}", others.place.platform.id)).await;
                assert_eq!(none["links"], json!([]));
            }
            let link = format!("{LINKS}/{}", others.link);
            campus.ask(cookie, Method::DELETE, &link, None).await.assert_some_error(404);
            let taken = campus.ask(cookie, Method::POST, &roster_path, Some(&json!({ "linkId": others.link }))).await;
            taken.assert_error(400, "Invalid linkId");
            let joined = campus.ask(cookie, Method::POST, &own.row, Some(&json!({ "personId": others.person }))).await;
            joined.assert_error(400, "Invalid personId");
            let resend = format!("{SCORES}/{}/resend", others.score);
            campus.ask(cookie, Method::POST, &resend, None).await.assert_some_error(404);
        }
        // What is refused of others is open of one's own.
        let taken = campus.ask(cookie, Method::POST, &roster_path, Some(&json!({ "linkId": own.link }))).await;
        taken.assert_error(409, "The platform does not list the members of the course");
        let joined = campus.ask(cookie, Method::POST, &own.row, Some(&json!({ "personId": own.person }))).await;
        assert_eq!(joined.status, 200, "{}", joined.text());
        let resent = campus.ask(cookie, Method::POST, &format!("{SCORES}/resend"), None).await;
        assert_eq!(resent.json()["queued"], 1, "{}", resent.text());
        let resent = campus.ask(cookie, Method::POST, &format!("{SCORES}/{}/resend", own.score), None).await;
        assert_eq!(resent.status, 200, "{}", resent.text());
    }

    for own in &places {
        for others in places.iter().filter(|others| others.place.name != own.place.name) {
            // Also that somebody else's person is on another row is nothing to tell.
            let body = json!({ "personId": others.person });
            let joined = campus.ask(&own.cookie, Method::POST, &own.row, Some(&body)).await;
            joined.assert_error(400, "Invalid personId");
            let nobody = json!({ "personId": null });
            campus.ask(&own.cookie, Method::POST, &others.row, Some(&nobody)).await.assert_some_error(404);
        }
    }
    // The school's own people see all.
    let links = campus.admin.get(&format!("{LINKS}?sittingId={id}")).await.json();
    assert_eq!(names(&links["links"], "title"), ["Ada", "Bo", "Chi"]);
    for own in &places {
        let nobody = json!({ "personId": null });
        assert_eq!(campus.ask(&own.cookie, Method::POST, &own.row, Some(&nobody)).await.status, 200);
        let link = format!("{LINKS}/{}", own.link);
        assert_eq!(campus.ask(&own.cookie, Method::DELETE, &link, None).await.status, 200);
    }
}

#[tokio::test]
async fn a_sign_in_is_for_one_deployment_and_ends_with_it() {
    let campus = Campus::with(two_deployments()).await;
    let template = campus.template(json!({})).await;
    let sitting = campus.sitting(&template, 90).await;
    let id = sitting["id"].as_str().unwrap();
    let place = |deployment, name| Place { platform: &campus.platform, deployment, name };
    let (one, two) = (place("1", "Ada"), place("2", "Bo"));
    let grants = format!("/api/admin/lti/platforms/{}/grants", campus.platform.id);
    for deployment in ["1", "2"] {
        let given = json!({ "deploymentId": deployment, "sittingId": id });
        assert_eq!(campus.admin.post_json(&grants, &given).await.status, 200);
    }
    let cookie = |answer: &Answer| answer.header("set-cookie").split(';').next().unwrap().to_owned();
    let first = cookie(&campus.teacher_at(&one, id, &[]).await);
    let carried = [("cookie", first.as_str()), ("sec-fetch-site", "same-origin")];
    // Whoever comes by the same deployment stays who they are, and by another one is signed in anew.
    assert_eq!(campus.teacher_at(&one, id, &carried).await.header("set-cookie"), "");
    let second = cookie(&campus.teacher_at(&two, id, &carried).await);
    let links = campus.look(&second, &format!("{LINKS}?sittingId={id}")).await;
    assert_eq!(names(&links["links"], "title"), ["Bo"]);

    // Not looked up yet, so nothing of them is cached.
    let (first, second) =
        (cookie(&campus.teacher_at(&one, id, &[]).await), cookie(&campus.teacher_at(&two, id, &[]).await));
    let path = format!("/api/admin/lti/platforms/{}", campus.platform.id);
    let body = json!({ "deployments": [{ "id": "1", "state": "active" }, { "id": "2", "state": "pending" }] });
    let changed = Answer::to(campus.admin.request(Method::PATCH, &path).json(&body)).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_eq!(campus.ask(&first, Method::GET, "/api/me", None).await.status, 200);
    assert_eq!(campus.ask(&second, Method::GET, "/api/me", None).await.status, 401);
}
