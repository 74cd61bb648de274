//! Classes: who keeps them, what a list makes of their people, and how these come onto the rosters of sittings.

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, delete, path, send};
use crate::hall::{Answer, Caller, time_of};

const CLASSES: &str = "/api/admin/classes";

async fn make(caller: &Caller, name: &str, grade: u8) -> Answer {
    caller.post_json(CLASSES, &json!({ "name": name, "grade": grade })).await
}

/// A class with these people.
async fn class(school: &School, name: &str, people: Value) -> Value {
    let made = make(&school.admin, name, 5).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let class = made.json()["class"].clone();
    let report = list(school, &class, people).await;
    assert_eq!((report["errors"].clone(), &report["updated"]), (json!([]), &json!(0)), "{report}");
    class
}

fn class_path(class: &Value) -> String {
    format!("{CLASSES}/{}", class["id"].as_str().unwrap())
}

/// Replaces the people of a class; returns what was done.
async fn list(school: &School, class: &Value, people: Value) -> Value {
    let path = format!("{}/people", class_path(class));
    let answer = send(&school.admin, Method::PUT, &path, &json!({ "people": people })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn people(school: &School, class: &Value) -> Value {
    school.admin.get(&class_path(class)).await.json()["people"].clone()
}

async fn join(school: &School, sitting: &Value, classes: &[&Value], query: &str) -> Answer {
    let ids: Vec<&Value> = classes.iter().map(|class| &class["id"]).collect();
    let path = format!("{}/classes{query}", path(sitting));
    school.admin.post_json(&path, &json!({ "classes": ids })).await
}

fn report(added: usize, updated: usize, removed: usize) -> Value {
    json!({ "added": added, "updated": updated, "removed": removed, "errors": [] })
}

async fn names(school: &School, sitting: &Value) -> Vec<String> {
    let candidates = school.candidates(sitting).await;
    candidates.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_class_is_kept_by_managers_of_its_grade() {
    let school = School::open().await;
    let [manager, elsewhere] = [school.hall.staff_of("manager", 5).await, school.hall.staff_of("manager", 6).await];
    let made = make(&manager, " 5A ", 5).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let class = made.json()["class"].clone();
    let fields: Vec<&String> = class.as_object().unwrap().keys().collect();
    assert_eq!(fields.len(), 7, "{class}");
    assert_eq!(
        (&class["name"], &class["grade"], &class["people"], &class["createdBy"]),
        (&json!("5A"), &json!(5), &json!(0), &json!("manager-of-5@exam.test"))
    );
    assert_eq!(class["createdAt"], class["updatedAt"]);
    assert_eq!(make(&school.admin, "Choir", 6).await.status, 200);
    assert_eq!(make(&school.admin, "5 B", 5).await.status, 200);
    let listed = async |caller: &Caller| -> Vec<String> {
        let all = caller.get(CLASSES).await.json()["classes"].as_array().unwrap().clone();
        all.iter().map(|class| class["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed(&school.admin).await, ["5 B", "5A", "Choir"], "by grade and name");
    assert_eq!(listed(&manager).await, ["5 B", "5A"]);
    assert_eq!(listed(&elsewhere).await, ["Choir"]);
    let (one, of_people) = (class_path(&class), format!("{}/people", class_path(&class)));
    for refused in [
        elsewhere.get(&one).await,
        send(&elsewhere, Method::PATCH, &one, &json!({ "name": "Mine" })).await,
        send(&elsewhere, Method::PUT, &of_people, &json!([])).await,
        delete(&elsewhere, &one).await,
        make(&elsewhere, "6 A", 5).await,
        // Nobody gives a class to a grade that is not theirs.
        send(&manager, Method::PATCH, &one, &json!({ "grade": 6 })).await,
    ] {
        refused.assert_error(403, "Not assigned to this grade");
    }
    assert_eq!(send(&school.admin, Method::PATCH, &one, &json!({ "grade": 6 })).await.status, 200);
    assert_eq!((manager.get(&one).await.status, elsewhere.get(&one).await.status), (403, 200));
    school.admin.get(&format!("{CLASSES}/nothing")).await.assert_error(404, "Not found");
}

#[tokio::test]
async fn a_name_is_one_class_of_its_grade() {
    let school = School::open().await;
    let first = class(&school, "Lớp 5A", json!([])).await;
    for same in ["Lớp 5A", "lớp 5a", " LỚP\u{A0}5A"] {
        make(&school.admin, same, 5).await.assert_error(409, "Class exists");
    }
    assert_eq!(make(&school.admin, "Lớp 5A", 6).await.status, 200);
    let other = class(&school, "5B", json!([])).await;
    send(&school.admin, Method::PATCH, &class_path(&other), &json!({ "name": "lớp 5A", "grade": 5 }))
        .await
        .assert_error(409, "Class exists");
    let own = send(&school.admin, Method::PATCH, &class_path(&first), &json!({ "name": "LỚP 5A" })).await;
    assert_eq!((own.status, &own.json()["class"]["name"]), (200, &json!("LỚP 5A")), "its own name in other letters");
    for (body, field) in [
        (json!({ "grade": 5 }), "name"),
        (json!({ "name": "x".repeat(201), "grade": 5 }), "name"),
        (json!({ "name": "5C" }), "grade"),
        (json!({ "name": "5C", "grade": 11 }), "grade"),
    ] {
        school.admin.post_json(CLASSES, &body).await.assert_error(400, &format!("Invalid {field}"));
    }
}

#[tokio::test]
async fn a_list_replaces_the_people_as_a_roster_does() {
    let school = School::open().await;
    let class = class(
        &school,
        "5A",
        json!([
            { "email": "Ada@exam.test", "externalId": "7", "name": "Ada", "factor": 125, "note": "by the door" },
            { "email": "bo@exam.test", "name": "Bo" },
        ]),
    )
    .await;
    let ada = json!({
        "email": "ada@exam.test", "externalId": "7", "name": "Ada", "factor": 125, "extraMinutes": null,
        "note": "by the door",
    });
    let bo = json!({ "email": "bo@exam.test", "name": "Bo", "factor": null, "extraMinutes": null, "note": null });
    assert_eq!(people(&school, &class).await, json!([ada, bo]));
    let of_people = format!("{}/people", class_path(&class));
    let import = async |body: &'static str, query: &str| {
        let request = school.admin.request(Method::PUT, &format!("{of_people}{query}"));
        Answer::to(request.header("content-type", "text/csv").body(body)).await
    };
    // Rooms and times are those of a sitting. Bo goes, and Ada is found by her id.
    let table = "Student ID;Surname;First name;Phòng;Starts at;Phone\n7;Lovelace;Ada;B12;soon;1\n9;Curie;Marie;B12;;\n";
    let expected = json!({
        "added": 1, "updated": 1, "removed": 1, "errors": [], "ignoredColumns": ["Phone", "Phòng", "Starts at"],
        "joinedNames": [{ "row": 2, "name": "Lovelace Ada" }, { "row": 3, "name": "Curie Marie" }],
    });
    let before = school.admin.get(&class_path(&class)).await;
    assert_eq!(import(table, "?dryRun=true").await.json(), expected);
    assert_eq!(school.admin.get(&class_path(&class)).await.text(), before.text(), "a dry run writes nothing");
    assert_eq!(import(table, "").await.json(), expected);
    let after = school.admin.get(&class_path(&class)).await.json();
    assert_eq!((&after["class"]["people"], &after["people"][0]["name"]), (&json!(2), &json!("Curie Marie")));
    assert_eq!(after["people"][1]["factor"], 125, "an empty cell takes nothing away");
    assert!(time_of(&after["class"]["updatedAt"]) > time_of(&before.json()["class"]["updatedAt"]));
    // Nobody goes because a row could not be read.
    let with_error = import("email,factor\nnobody,401\ncy@exam.test,\n", "").await.json();
    let sentence = "Row 2: email is not an address; factor must be a whole percentage of 100 to 400";
    assert_eq!(with_error, json!({ "added": 1, "updated": 0, "removed": 0, "errors": [sentence] }));
    assert_eq!(people(&school, &class).await.as_array().unwrap().len(), 3);
    let own = people(&school, &class).await;
    assert_eq!(list(&school, &class, own.clone()).await, report(0, 3, 0), "what was read is sent back as it is");
    assert_eq!(people(&school, &class).await, own);
    send(&school.admin, Method::PUT, &of_people, &json!({ "candidates": [] }))
        .await
        .assert_error(400, "Invalid people");
    assert_eq!(list(&school, &class, json!([])).await, report(0, 0, 3));
}

#[tokio::test]
async fn a_class_has_a_thousand_people() {
    let school = School::open().await;
    let pupils = |numbers: std::ops::Range<usize>| -> Vec<Value> {
        numbers.map(|number| json!({ "externalId": format!("p{number}"), "name": format!("Pupil {number}") })).collect()
    };
    let class = class(&school, "All", json!(pupils(0..1_000))).await;
    assert_eq!(school.admin.get(&class_path(&class)).await.json()["class"]["people"], 1_000);
    let of_people = format!("{}/people", class_path(&class));
    let too_many = "A class has at most 1,000 people";
    send(&school.admin, Method::PUT, &of_people, &json!(pupils(0..1_001))).await.assert_error(400, too_many);
    // Rows that can't be read are nobody: a file may be about other classes too.
    let mut whole_school = pupils(0..1);
    whole_school.extend(std::iter::repeat_n(json!({ "email": "nobody" }), 1_001));
    let read = list(&school, &class, json!(whole_school)).await;
    assert_eq!((&read["updated"], read["errors"].as_array().unwrap().len()), (&json!(1), 1_001));
    // A row that can't be read keeps the others there, so that a second list may be one too many.
    let mut second = pupils(1_000..1_001);
    second.push(json!({ "email": "nobody" }));
    send(&school.admin, Method::PUT, &of_people, &json!(second)).await.assert_error(400, too_many);
    assert_eq!(school.admin.get(&class_path(&class)).await.json()["class"]["people"], 1_000);
}

#[tokio::test]
async fn a_stale_version_changes_nothing() {
    let school = School::open().await;
    let class = class(&school, "5A", json!([{ "email": "ada@exam.test" }])).await;
    let read = school.admin.get(&class_path(&class)).await;
    let tag = read.header("etag").to_owned();
    let updated_at = time_of(&read.json()["class"]["updatedAt"]).timestamp_millis();
    assert_eq!(tag, format!("\"{updated_at}\""));
    let with_tag = async |method: Method, path: String, tag: &str, body: Value| {
        Answer::to(school.admin.request(method, &path).header("if-match", tag).json(&body)).await
    };
    let (one, of_people) = (class_path(&class), format!("{}/people", class_path(&class)));
    let renamed = with_tag(Method::PATCH, one.clone(), &tag, json!({ "name": "5B" })).await;
    assert_eq!(renamed.status, 200, "{}", renamed.text());
    assert_ne!(renamed.header("etag"), tag);
    for refused in [
        with_tag(Method::PATCH, one.clone(), &tag, json!({ "name": "5C" })).await,
        with_tag(Method::PUT, of_people.clone(), &tag, json!([])).await,
        with_tag(Method::PUT, format!("{of_people}?dryRun=true"), &tag, json!([])).await,
        with_tag(Method::DELETE, one.clone(), &tag, json!({})).await,
    ] {
        refused.assert_error(412, "Class has changed");
    }
    let after = school.admin.get(&one).await;
    assert_eq!((&after.json()["class"]["name"], &after.json()["class"]["people"]), (&json!("5B"), &json!(1)));
    let listed = with_tag(Method::PUT, of_people, after.header("etag"), json!([])).await;
    assert_eq!(listed.json(), report(0, 0, 1));
    assert_eq!(with_tag(Method::DELETE, one.clone(), listed.header("etag"), json!({})).await.status, 200);
    school.admin.get(&one).await.assert_error(404, "Not found");
}

#[tokio::test]
async fn classes_join_a_sitting_and_leave_who_is_there() {
    let school = School::open().await;
    let needs = json!({ "factor": 150 });
    for name in ["di", "el", "flo"] {
        let register = format!("/api/admin/accommodations/{name}%40exam.test");
        assert_eq!(send(&school.admin, Method::PUT, &register, &needs).await.status, 200);
    }
    let first = class(
        &school,
        "5A",
        json!([
            { "email": "ada@exam.test", "name": "Ada from the class", "factor": 200 },
            { "externalId": "HS-2", "name": "Bo", "extraMinutes": 10, "note": "by the door" },
            { "email": "di@exam.test", "name": "Di", "factor": 150 },
            { "email": "el@exam.test", "name": "El", "factor": 125, "extraMinutes": 5 },
            { "email": "flo@exam.test", "name": "Flo", "factor": 200 },
        ]),
    )
    .await;
    let second = class(&school, "5B", json!([{ "externalId": "HS–2", "name": "Bo again", "factor": 125 }])).await;
    let sitting = school.sitting(60, json!({ "rooms": [{ "name": "B12" }] })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada", "room": "B12", "seat": "4" }])).await;
    let before = school.read(&sitting).await;
    let dry = join(&school, &sitting, &[&first, &second], "?dryRun=true").await;
    assert_eq!((dry.json(), dry.header("etag")), (report(4, 1, 0), "\"2\""));
    assert_eq!(school.read(&sitting).await, before, "a dry run writes nothing");
    let ids = json!({ "classes": [first["id"], second["id"], first["id"]] });
    let of_sitting = format!("{}/classes", path(&sitting));
    let stale = school.admin.request(Method::POST, &of_sitting).header("if-match", "\"1\"").json(&ids);
    Answer::to(stale).await.assert_error(412, "Sitting has changed");
    let joined = school.admin.post_json(&of_sitting, &ids).await;
    assert_eq!((joined.json(), joined.header("etag")), (report(4, 1, 0), "\"3\""));
    assert_eq!(names(&school, &sitting).await, ["Ada", "Bo", "Di", "El", "Flo"]);
    let ada = school.candidate(&sitting, "Ada").await;
    assert_eq!((&ada["seat"], &ada["room"], &ada["factor"]), (&json!("4"), &json!("B12"), &json!(100)));
    // What one class leaves out comes from the other.
    let bo = school.candidate(&sitting, "Bo").await;
    assert_eq!(
        (&bo["externalId"], &bo["factor"], &bo["extraMinutes"], &bo["note"], &bo["room"]),
        (&json!("HS-2"), &json!(125), &json!(10), &json!("by the door"), &Value::Null)
    );
    let di = school.candidate(&sitting, "Di").await;
    assert_eq!(school.explain(&sitting, &di).await["factor"], json!({ "value": 150, "source": "accommodation" }));
    // A class gives more than the register, and never less.
    let el = school.explain(&sitting, &school.candidate(&sitting, "El").await).await;
    assert_eq!(el["factor"], json!({ "value": 150, "source": "accommodation" }));
    assert_eq!(el["extra"]["value"], 5, "{el}");
    let flo = school.explain(&sitting, &school.candidate(&sitting, "Flo").await).await;
    assert_eq!(flo["factor"]["value"], 200, "{flo}");
    // Nobody is new, so that nothing is another version.
    let again = join(&school, &sitting, &[&second, &first], "").await;
    assert_eq!((again.json(), again.header("etag")), (report(0, 5, 0), "\"3\""));
    // A class that is gone leaves the sitting as it is.
    assert_eq!(delete(&school.admin, &class_path(&first)).await.status, 200);
    assert_eq!(names(&school, &sitting).await.len(), 5);
    join(&school, &sitting, &[&first], "").await.assert_error(400, "Invalid classes");
}

#[tokio::test]
async fn a_person_who_is_two_candidates_is_named() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test" }, { "externalId": "8" }])).await;
    let class = class(&school, "5A", json!([{ "email": "ada@exam.test", "externalId": "8", "name": "Ada" }])).await;
    let report = join(&school, &sitting, &[&class], "").await.json();
    let sentence = "Ada: email and externalId are those of two candidates";
    assert_eq!(report, json!({ "added": 0, "updated": 0, "removed": 0, "errors": [sentence] }));
}

#[tokio::test]
async fn classes_are_refused_where_a_roster_is() {
    let school = School::open().await;
    let mine = class(&school, "5A", json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let late = class(&school, "5B", json!([{ "email": "bo@exam.test", "name": "Bo" }])).await;
    let others = make(&school.admin, "6A", 6).await.json()["class"].clone();
    let sitting = school.sitting(20, json!({})).await;
    let of_sitting = format!("{}/classes", path(&sitting));
    let manager = school.hall.staff_of("manager", 5).await;
    let elsewhere = school.hall.staff_of("manager", 6).await;
    for (caller, class) in [(&manager, &others), (&elsewhere, &others), (&elsewhere, &mine)] {
        let refused = caller.post_json(&of_sitting, &json!({ "classes": [class["id"]] })).await;
        refused.assert_error(403, "Not assigned to this grade");
    }
    let unknown = "00000000-0000-4000-8000-000000000000";
    let many: Vec<String> = (0..41).map(|_| uuid::Uuid::new_v4().to_string()).collect();
    for classes in [json!([]), json!([unknown]), json!([mine["id"], unknown]), json!("5A"), json!(["5A"]), json!(many)]
    {
        let answer = school.admin.post_json(&of_sitting, &json!({ "classes": classes })).await;
        answer.assert_error(400, "Invalid classes");
    }
    join(&school, &sitting, &[&mine], "?dryRun=perhaps").await.assert_error(400, "Invalid dryRun");
    let joined = manager.post_json(&of_sitting, &json!({ "classes": [mine["id"]] })).await;
    assert_eq!(joined.json(), report(1, 0, 0));
    let ada = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &ada).await;
    school.advance(21);
    student.begin().await;
    // Whoever comes late may still be added, and nobody who is at work is touched.
    assert_eq!(join(&school, &sitting, &[&late, &mine], "").await.json(), report(1, 1, 0));
    assert_eq!(school.candidate(&sitting, "Ada").await["state"], "active");
    student.submit().await;
    assert_eq!(school.release_before_all_have_come(&sitting).await.status, 200);
    join(&school, &sitting, &[&mine], "").await.assert_error(409, "Sitting has ended");
}

#[tokio::test]
async fn what_is_done_to_classes_is_on_record() {
    let school = School::open().await;
    let class = class(&school, "5A", json!([{ "email": "ada@exam.test" }])).await;
    let sitting = school.sitting(60, json!({})).await;
    join(&school, &sitting, &[&class], "?dryRun=true").await;
    join(&school, &sitting, &[&class], "").await;
    delete(&school.admin, &class_path(&class)).await;
    let entries = school.admin.get("/api/admin/audit").await.json()["entries"].clone();
    let of = |action: &str| -> Vec<(Value, Value)> {
        let found = entries.as_array().unwrap().iter().filter(|entry| entry["action"] == action);
        found.map(|entry| (entry["subject"].clone(), entry["detail"].clone())).collect()
    };
    assert_eq!(of("class.created"), [(class["id"].clone(), json!("5A"))]);
    assert_eq!(of("class.people_replaced"), [(class["id"].clone(), json!("1 added, 0 updated, 0 removed"))]);
    assert_eq!(of("roster.extended"), [(sitting["id"].clone(), json!("1 added of 5A"))], "a dry run is none");
    assert_eq!(of("class.removed"), [(class["id"].clone(), json!("5A"))]);
}
