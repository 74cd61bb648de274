//! Bodies, headers, methods and what a query may ask of any answer.

use reqwest::Method;
use serde_json::json;

use super::client::{API, Client, SITE, event, found, invalid, refused};
use crate::hall::{Answer, Hall};

#[tokio::test]
async fn slashes_are_escaped_and_the_type_is_said() {
    let hall = Hall::open().await;
    let answer = Client::anonymous(&hall).get("").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json; charset=UTF-8"));
    assert!(answer.text().contains(r#""namespace":"tribe\/events\/v1""#), "{}", answer.text());
    assert_eq!(answer.json()["namespace"], "tribe/events/v1");
}

#[tokio::test]
async fn bodies_come_in_three_forms() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let form = "title=A+form&start_date=2027-01-01&end_date=2027-01-01&venue[venue]=Hall&venue[city]=Ghent&organizer[0][organizer]=Ada&tags[]=red&tags[]=blue";
    let made = found(&manager.post_form("/events", form).await, 201);
    assert_eq!(
        (&made["title"], &made["venue"]["city"], &made["organizer"][0]["organizer"]),
        (&json!("A form"), &json!("Ghent"), &json!("Ada"))
    );
    assert_eq!(
        made["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["blue", "red"]
    );
    let boundary = "XX";
    let part = |name: &str, value: &str| {
        format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let body = [
        part("title", "Parts"),
        part("start_date", "2027-01-01"),
        part("end_date", "2027-01-02"),
        part("tags[]", "red"),
        format!("--{boundary}--\r\n"),
    ];
    let request = manager
        .0
        .request(Method::POST, &format!("{API}/events"))
        .header("content-type", format!("multipart/form-data; boundary={boundary}"));
    let made = found(&Answer::to(request.body(body.concat())).await, 201);
    assert_eq!((&made["title"], &made["tags"][0]["name"]), (&json!("Parts"), &json!("red")));
    let request = manager.0.request(Method::POST, &format!("{API}/events")).header("content-type", "text/plain");
    let missing =
        refused(&Answer::to(request.body(event(json!({})).to_string())).await, 400, "rest_missing_callback_param");
    assert_eq!(missing["data"]["params"], json!(["title", "start_date", "end_date"]));
}

#[tokio::test]
async fn a_query_counts_on_writes_and_the_body_goes_before_it() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager
        .make("/events?title=Query&start_date=2027-01-01", &json!({ "title": "Body", "end_date": "2027-01-01" }))
        .await;
    assert_eq!((&made["title"], &made["start_date"]), (&json!("Body"), &json!("2027-01-01 00:00:00")));
    // What is shadowed is still looked at for its type; null is absent, and no text.
    let shadowed = manager.post("/events?all_day=maybe", &event(json!({ "all_day": true }))).await;
    super::client::mistyped(&shadowed, &[("all_day", "boolean")]);
    let null = manager.post("/events?title=Query", &event(json!({ "title": null }))).await;
    super::client::mistyped(&null, &[("title", "string")]);
    let made = manager.make("/events?cost=10", &event(json!({ "cost": null }))).await;
    assert_eq!(made["cost"], "$10");
}

#[tokio::test]
async fn the_path_says_which_record_it_is() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let (first, second) =
        (manager.event(json!({ "title": "First" })).await, manager.event(json!({ "title": "Second" })).await);
    let path = format!("/events/{}", first["id"]);
    let changed = manager.change(&path, &json!({ "id": second["id"], "title": "Changed" })).await;
    assert_eq!(changed["id"], first["id"]);
    let renamed = manager.change("/events/by-slug/second", &json!({ "slug": "renamed" })).await;
    assert_eq!((&renamed["id"], &renamed["slug"]), (&second["id"], &json!("renamed")));
    let ignored = manager.event(json!({ "id": first["id"] })).await;
    assert_ne!(ignored["id"], first["id"]);
}

#[tokio::test]
async fn bad_json_is_told_and_other_json_has_no_parameters() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let bad = refused(&manager.0.post_text(&format!("{API}/events"), "{\"title\":").await, 400, "rest_invalid_json");
    assert_eq!(bad["data"], json!({ "status": 400, "json_error_code": 4, "json_error_message": "Syntax error" }));
    for body in ["[]", "7", "\"text\"", "null"] {
        refused(&manager.0.post_text(&format!("{API}/events"), body).await, 400, "rest_missing_callback_param");
    }
    manager.make("/events", &event(json!({ "unknown": { "a": "NUL\u{0} is nowhere stored" } }))).await;
    invalid(&manager.post("/events", &event(json!({ "title": "NUL\u{0} is refused" }))).await, &["title"]);
}

#[tokio::test]
async fn unknown_routes_and_methods_are_no_routes() {
    let hall = Hall::open().await;
    let (anyone, admin) = (Client::anonymous(&hall), Client::of(&hall, "admin").await);
    for path in
        ["/nothing", "/events/x", "/events/-1", "/events/1/2", "/events/by-slug", "/tags/by-slug/a", "/categories/x"]
    {
        refused(&anyone.get(path).await, 404, "rest_no_route");
    }
    for (method, path) in [
        (Method::PUT, "/events"),
        (Method::DELETE, "/venues"),
        (Method::PATCH, "/tags"),
        (Method::POST, ""),
        (Method::POST, "/doc"),
    ] {
        refused(&admin.send(method, path, &json!({})).await, 404, "rest_no_route");
    }
    refused(&hall.anonymous().get("/wp-json/tribe/events/v2/events").await, 404, "rest_no_route");
    hall.anonymous().get("/wp-json/other").await.assert_error(404, "Not found");
    for path in ["/", "/events/", "/doc/", "/tags/"] {
        assert_eq!(anyone.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn methods_can_be_named_otherwise() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({})).await;
    let path = format!("/events/{}", made["id"]);
    let head = Answer::to(manager.0.request(Method::HEAD, &format!("{API}{path}"))).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    let overridden =
        Answer::to(manager.0.request(Method::POST, &format!("{API}{path}")).header("x-http-method-override", "DELETE"))
            .await;
    assert_eq!(found(&overridden, 200)["status"], "trash");
    let named = manager.post(&format!("{path}?_method=DELETE"), &json!({})).await;
    refused(&named, 410, "event-is-in-trash");
}

#[tokio::test]
async fn options_describe_a_route() {
    let hall = Hall::open().await;
    let anyone = Client::anonymous(&hall);
    let options = found(&Answer::to(anyone.0.request(Method::OPTIONS, &format!("{API}/events"))).await, 200);
    assert_eq!((&options["namespace"], &options["methods"]), (&json!("tribe/events/v1"), &json!(["GET", "POST"])));
    assert_eq!(options["endpoints"][1]["args"]["title"]["required"], true);
    let preflight = anyone.0.request(Method::OPTIONS, &format!("{API}/events")).header("origin", "https://a.example");
    let preflight = Answer::to(
        preflight
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "x-wp-nonce"),
    )
    .await;
    assert_eq!((preflight.status, preflight.header("access-control-allow-origin")), (200, "https://a.example"));
}

#[tokio::test]
async fn answers_have_the_headers_of_the_reference() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    for answer in [anyone.get("/events").await, anyone.get("/nothing").await] {
        for (name, value) in [
            ("x-robots-tag", "noindex"),
            ("x-content-type-options", "nosniff"),
            ("link", "<http://exam.localhost/wp-json/>; rel=\"https://api.w.org/\""),
            ("access-control-expose-headers", "X-WP-Total, X-WP-TotalPages, Link"),
            (
                "access-control-allow-headers",
                "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type",
            ),
            ("vary", "Origin"),
            ("access-control-allow-origin", ""),
        ] {
            assert_eq!(answer.header(name), value, "{name}");
        }
    }
    assert_eq!(anyone.get("/events").await.header("allow"), "GET");
    assert_eq!(manager.get("/events").await.header("allow"), "GET, POST");
    let kept = manager.get("/events").await;
    assert_eq!(kept.header("cache-control"), "no-cache, must-revalidate, max-age=0, no-store, private");
    assert!(kept.header("expires").ends_with("1984 05:00:00 GMT"));
    let elsewhere = anyone.0.get_with(&format!("{API}/events"), "origin", "https://a.example").await;
    assert_eq!(elsewhere.header("access-control-allow-origin"), "https://a.example");
    assert_eq!(elsewhere.header("access-control-allow-credentials"), "true");
    assert_eq!(elsewhere.header("access-control-allow-methods"), "OPTIONS, GET, POST, PUT, PATCH, DELETE");
    for name in ["x-tec-api-version", "x-tec-api-root", "x-wp-total"] {
        assert_eq!(elsewhere.header(name), "", "{name}");
    }
}

#[tokio::test]
async fn allow_has_what_the_caller_may() {
    let hall = Hall::open().await;
    let (manager, reviewer, student) =
        (Client::of(&hall, "manager").await, Client::of(&hall, "reviewer").await, Client::of(&hall, "student").await);
    let (own, foreign) = (reviewer.event(json!({})).await, manager.event(json!({})).await);
    let path = |event: &serde_json::Value| format!("/events/{}", event["id"]);
    let all = "GET, POST, PUT, PATCH, DELETE";
    assert_eq!(reviewer.get(&path(&own)).await.header("allow"), all);
    assert_eq!(reviewer.get(&path(&foreign)).await.header("allow"), "GET");
    assert_eq!(manager.get(&path(&foreign)).await.header("allow"), all);
    assert_eq!(student.get(&path(&foreign)).await.header("allow"), "GET");
    assert_eq!(reviewer.get("/tags").await.header("allow"), "GET");
    assert_eq!(manager.get("/tags").await.header("allow"), "GET, POST");
}

#[tokio::test]
async fn only_some_keys_or_all_in_an_envelope() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({})).await;
    let pared = manager.get(&format!("/events/{}?_fields=title,id", made["id"])).await;
    assert_eq!(found(&pared, 200), json!({ "id": made["id"], "title": "Exam" }));
    let enveloped = manager.read("/events/999999?_envelope=1").await;
    assert_eq!((&enveloped["status"], &enveloped["body"]["code"]), (&json!(404), &json!("rest-event-not-found")));
    assert_eq!(enveloped["headers"]["X-Robots-Tag"], "noindex");
    let list = manager.read("/tags?_envelope=1").await;
    assert_eq!(
        (&list["headers"]["X-TEC-Total"], &list["headers"]["X-TEC-TotalPages"]),
        (&json!("0"), &json!("0")),
        "{list}"
    );
    assert_eq!(manager.get("/events/999999?_fields=id").await.json()["code"], "rest-event-not-found");
}

#[tokio::test]
async fn lists_have_their_totals_in_headers() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for path in ["/events", "/venues", "/organizers", "/categories", "/tags"] {
        let answer = manager.get(path).await;
        let body = found(&answer, 200);
        assert_eq!((answer.header("x-tec-total"), answer.header("x-tec-totalpages")), ("0", "0"), "{path}");
        assert_eq!((&body["total"], &body["total_pages"]), (&json!(0), &json!(0)));
    }
    let form = manager.post_form("/tags", "name=One").await;
    let made = found(&form, 201);
    assert_eq!(form.header("location"), format!("{SITE}/wp-json/wp/v2/tags/{}", made["id"]));
    let category = manager.post("/categories", &json!({ "name": "One" })).await;
    assert_eq!(category.header("location"), format!("{SITE}/wp-json/wp/v2/tribe_events_cat/{}", category.json()["id"]));
    assert_eq!(manager.post("/venues", &json!({ "venue": "Hall" })).await.header("location"), "");
    assert_eq!(manager.get("/tags?hide_empty=false&per_page=1").await.header("x-tec-total"), "1");
}

#[tokio::test]
async fn a_page_of_another_site_acts_for_nobody() {
    let hall = Hall::open().await;
    let cookie = hall.cookie("admin@exam.test").await;
    let with = |method: Method, origin: &str| {
        hall.anonymous()
            .request(method, &format!("{API}/events"))
            .header("cookie", &cookie)
            .header("origin", origin)
            .json(&event(json!({ "status": "draft" })))
    };
    found(&Answer::to(with(Method::POST, SITE)).await, 201);
    refused(&Answer::to(with(Method::POST, "https://a.example")).await, 403, "rest_cookie_invalid_nonce");
    let named =
        hall.anonymous().request(Method::GET, &format!("{API}/events/1?_method=DELETE")).header("cookie", &cookie);
    refused(&Answer::to(named).await, 403, "rest_cookie_invalid_nonce");
    // A picture on the site's own page, whose address someone else has chosen.
    for (path, name, value) in
        [("events/1?_method=DELETE", "accept", "image/*"), ("events/1", "x-http-method-override", "DELETE")]
    {
        let picture = hall
            .anonymous()
            .request(Method::GET, &format!("{API}/{path}"))
            .header("cookie", &cookie)
            .header("sec-fetch-site", "same-origin");
        refused(&Answer::to(picture.header(name, value)).await, 403, "rest_cookie_invalid_nonce");
    }
    let list = |origin: &'static str| {
        hall.anonymous()
            .request(Method::GET, &format!("{API}/events?start_date=2027-01-01&end_date=2027-01-02"))
            .header("cookie", &cookie)
            .header("origin", origin)
    };
    assert_eq!(found(&Answer::to(list(SITE)).await, 200)["total"], 1);
    assert_eq!(found(&Answer::to(list("https://a.example")).await, 200)["total"], 0);
    let token = hall.token("admin").await;
    let path = format!("{API}/events?start_date=2027-01-01&end_date=2027-01-02");
    let elsewhere = || hall.anonymous().request(Method::GET, &path).header("origin", "https://a.example");
    assert_eq!(found(&Answer::to(elsewhere().basic_auth("x", Some(&token))).await, 200)["total"], 1);
    assert_eq!(found(&Answer::to(elsewhere().bearer_auth(&token)).await, 200)["total"], 1);
    for (site, status) in [("same-origin", 201), ("same-site", 403), ("cross-site", 403), ("none", 403)] {
        let write = || {
            hall.anonymous()
                .request(Method::POST, &format!("{API}/events"))
                .header("sec-fetch-site", site)
                .json(&event(json!({})))
        };
        assert_eq!(Answer::to(write().header("cookie", &cookie)).await.status, status, "{site}");
        assert_eq!(Answer::to(write().basic_auth("x", Some(&token))).await.status, 201, "{site}");
        assert_eq!(Answer::to(write()).await.status, 401, "{site}");
    }
}

#[tokio::test]
async fn the_calendar_is_where_it_is_configured() {
    let hall = Hall::with(&[("CALENDAR_REST_ROOT", "/"), ("CALENDAR_VENDOR", "school")]).await;
    let manager = hall.signed_in("manager").await;
    let index = manager.get("/school/events/v1").await.json();
    assert_eq!(
        (&index["namespace"], &index["_links"]["up"][0]["href"]),
        (&json!("school/events/v1"), &json!("http://exam.localhost/"))
    );
    let made = manager.post_json("/school/events/v1/categories", &json!({ "name": "A" })).await.json();
    assert_eq!(made["taxonomy"], "school_events_cat");
    invalid(&manager.get("/school/events/v1/events?page=0").await, &["page"]);
    assert_eq!(manager.get("/wp-json/tribe/events/v1").await.status, 404);
    let page = hall.anonymous().get("/").await;
    assert!(page.text().contains("tec-api-origin"), "the first page of the site stays it: {}", page.text());
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_in_the_envelope() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let answer = manager.post("/events", &event(json!({ "description": "x".repeat(1_100_000) }))).await;
    refused(&answer, 413, "rest_body_too_large");
}

#[tokio::test]
async fn pages_say_where_the_calendar_is() {
    let hall = Hall::open().await;
    let names = ["x-tec-api-version", "x-tec-api-root", "x-tec-api-origin"];
    for (path, status) in [
        ("/", 200),
        ("/t/5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5", 200),
        ("/report/0b0e39a5-31c1-4a60-a9a0-5d0c55a0a6f5", 200),
    ] {
        for method in [Method::GET, Method::HEAD] {
            let page = Answer::to(hall.anonymous().request(method.clone(), path)).await;
            let root = format!("{SITE}{API}/");
            assert_eq!(
                (page.status, names.map(|name| page.header(name))),
                (status, ["v1", root.as_str(), SITE]),
                "{path}"
            );
            let link = format!("<{SITE}/wp-json/>; rel=\"https://api.w.org/\"");
            assert!(page.headers.get_all("link").iter().any(|value| value.to_str().unwrap() == link), "{path}");
            if method == Method::GET {
                let head = page.text().split("</head>").next().unwrap_or_default().to_owned();
                assert!(head.contains(r#"<meta name="tec-api-version" content="v1" />"#), "{head}");
                assert!(head.contains(&format!(r#"<meta name="tec-api-origin" content="{SITE}" />"#)), "{head}");
                assert!(head.contains(&format!(r#"<link rel="alternate" href="{root}" />"#)), "{head}");
            }
        }
    }
    for path in ["/icon.svg", "/api/questions?grade=5", &format!("{API}/events")] {
        let answer = hall.anonymous().get(path).await;
        assert_eq!((answer.status, names.map(|name| answer.header(name))), (200, [""; 3]), "{path}");
    }
}
