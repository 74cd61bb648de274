//! The shapes of answers: every key in its order, and which of them are left out.

use serde_json::{Value, json};

use super::client::{Client, SITE, event, found, keys};
use crate::hall::Hall;

const EVENT: [&str; 41] = [
    "id",
    "global_id",
    "global_id_lineage",
    "author",
    "status",
    "date",
    "date_utc",
    "modified",
    "modified_utc",
    "url",
    "rest_url",
    "title",
    "description",
    "excerpt",
    "slug",
    "image",
    "all_day",
    "start_date",
    "start_date_details",
    "end_date",
    "end_date_details",
    "utc_start_date",
    "utc_start_date_details",
    "utc_end_date",
    "utc_end_date_details",
    "timezone",
    "timezone_abbr",
    "cost",
    "cost_details",
    "website",
    "show_map",
    "show_map_link",
    "hide_from_listings",
    "sticky",
    "featured",
    "categories",
    "tags",
    "venue",
    "organizer",
    "custom_fields",
    "json_ld",
];

#[tokio::test]
async fn an_event_has_every_key_in_its_order() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.post("/events", &event(json!({}))).await;
    assert_eq!(keys(&made.text()), EVENT[..40]);
    let made = found(&made, 201);
    let (id, host) = (made["id"].as_i64().unwrap(), "exam.localhost");
    let url = format!("{SITE}/event/exam/");
    for (key, value) in [
        ("global_id", json!(format!("{host}?id={id}"))),
        ("global_id_lineage", json!([format!("{host}?id={id}")])),
        ("status", json!("publish")),
        ("url", json!(url)),
        ("rest_url", json!(format!("{SITE}/wp-json/tribe/events/v1/events/{id}"))),
        ("title", json!("Exam")),
        ("description", json!("")),
        ("excerpt", json!("")),
        ("slug", json!("exam")),
        ("image", json!(false)),
        ("all_day", json!(false)),
        ("start_date", json!("2027-01-01 09:00:00")),
        (
            "start_date_details",
            json!({ "year": "2027", "month": "01", "day": "01", "hour": "09", "minutes": "00", "seconds": "00" }),
        ),
        ("utc_end_date", json!("2027-01-01 10:00:00")),
        ("timezone", json!("UTC")),
        ("timezone_abbr", json!("UTC")),
        ("cost", json!("")),
        ("cost_details", json!({ "currency_symbol": "", "currency_code": "", "currency_position": "", "values": [] })),
        ("website", json!(url)),
        ("show_map", json!(false)),
        ("show_map_link", json!(false)),
        ("hide_from_listings", json!(false)),
        ("sticky", json!(false)),
        ("featured", json!(false)),
        ("categories", json!([])),
        ("tags", json!([])),
        ("venue", json!([])),
        ("organizer", json!([])),
        ("custom_fields", json!([])),
    ] {
        assert_eq!(made[key], value, "{key}");
    }
    assert!(made["author"].as_str().unwrap().parse::<u64>().is_ok(), "{}", made["author"]);
    assert_eq!((&made["date"], &made["modified"]), (&made["date_utc"], &made["modified_utc"]));
    let single = manager.get(&format!("/events/{id}")).await;
    assert_eq!(keys(&single.text()), EVENT);
    let listed = manager.read("/events?start_date=2027-01-01&end_date=2027-01-02").await;
    assert_eq!(listed["events"], json!([made]));
}

#[tokio::test]
async fn a_venue_leaves_out_what_says_nothing() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let bare = manager.post("/venues", &json!({ "venue": "Hall" })).await;
    let always = [
        "id",
        "author",
        "status",
        "date",
        "date_utc",
        "modified",
        "modified_utc",
        "url",
        "venue",
        "slug",
        "show_map",
        "show_map_link",
        "global_id",
        "global_id_lineage",
    ];
    assert_eq!(keys(&bare.text()), always);
    let bare = found(&bare, 201);
    assert_eq!(
        (&bare["show_map"], &bare["show_map_link"], &bare["slug"]),
        (&json!(true), &json!(true), &json!("hall"))
    );
    assert_eq!(bare["url"], format!("{SITE}/venue/hall/"));
    let whole = json!({
        "venue": "Great Hall", "description": "Large", "image": "https://a.example/hall.png", "address": "1 Street", "city": "Ghent", "country": "Belgium",
        "province": "East Flanders", "state": "X", "zip": "9000", "phone": "+32 1", "website": "https://hall.example", "show_map": "false",
        "show_map_link": "0", "geo_lat": "51.05", "geo_lng": 3.7166,
    });
    let made = manager.make("/venues", &whole).await;
    let single = manager.get(&format!("/venues/{}", made["id"])).await;
    let all = [
        "id",
        "author",
        "status",
        "date",
        "date_utc",
        "modified",
        "modified_utc",
        "url",
        "venue",
        "description",
        "slug",
        "image",
        "address",
        "city",
        "country",
        "province",
        "state",
        "zip",
        "phone",
        "website",
        "stateprovince",
        "geo_lat",
        "geo_lng",
        "json_ld",
        "show_map",
        "show_map_link",
        "global_id",
        "global_id_lineage",
    ];
    assert_eq!(keys(&single.text()), all);
    let single = found(&single, 200);
    for (key, value) in [
        ("description", json!("<p>Large</p>")),
        ("image", json!({ "url": "https://a.example/hall.png" })),
        ("stateprovince", json!("East Flanders")),
        ("geo_lat", json!(51.05)),
        ("show_map", json!(false)),
        ("show_map_link", json!(false)),
    ] {
        assert_eq!(single[key], value, "{key}");
    }
    assert_eq!(
        (&single["json_ld"]["@type"], &single["json_ld"]["address"]["addressLocality"]),
        (&json!("Place"), &json!("Ghent"))
    );
    assert!(made.get("json_ld").is_none());
}

#[tokio::test]
async fn an_organizer_leaves_out_what_says_nothing() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let bare = manager.post("/organizers", &json!({ "organizer": "Ada" })).await;
    assert_eq!(
        keys(&bare.text()),
        [
            "id",
            "author",
            "status",
            "date",
            "date_utc",
            "modified",
            "modified_utc",
            "url",
            "organizer",
            "slug",
            "global_id",
            "global_id_lineage"
        ]
    );
    let whole = json!({ "organizer": "Ada L.", "description": "Wrote", "phone": "1", "website": "https://ada.example", "email": "ada at example", "image": "" });
    let made = manager.make("/organizers", &whole).await;
    assert_eq!((&made["email"], &made["slug"], made.get("image")), (&json!("ada at example"), &json!("ada-l"), None));
    let single = manager.read(&format!("/organizers/{}", made["id"])).await;
    assert_eq!(
        (&single["json_ld"]["@type"], &single["json_ld"]["email"]),
        (&json!("Person"), &json!("ada at example"))
    );
}

#[tokio::test]
async fn a_term_has_two_shapes() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let parent = manager.make("/categories", &json!({ "name": "Science" })).await;
    let made = manager
        .post("/categories", &json!({ "name": "Maths & more", "parent": parent["id"], "description": "Numbers" }))
        .await;
    assert_eq!(
        keys(&made.text()),
        ["id", "count", "description", "name", "slug", "taxonomy", "parent", "meta", "url", "urls", "_links"]
    );
    let made = found(&made, 201);
    let api = format!("{SITE}/wp-json/tribe/events/v1/categories");
    for (key, value) in [
        ("count", json!(0)),
        ("name", json!("Maths &amp; more")),
        ("slug", json!("maths-more")),
        ("taxonomy", json!("tribe_events_cat")),
        ("parent", parent["id"].clone()),
        ("meta", json!([])),
        ("url", json!(format!("{SITE}/events/category/science/maths-more/"))),
        (
            "urls",
            json!({ "self": format!("{api}/{}", made["id"]), "collection": api, "up": format!("{api}/{}", parent["id"]) }),
        ),
    ] {
        assert_eq!(made[key], value, "{key}");
    }
    let tag = manager.post("/tags", &json!({ "name": "Red" })).await;
    assert_eq!(
        keys(&tag.text()),
        ["id", "count", "description", "name", "slug", "taxonomy", "meta", "url", "urls", "_links"]
    );
    assert_eq!((&tag.json()["taxonomy"], &tag.json()["url"]), (&json!("post_tag"), &json!(format!("{SITE}/tag/red/"))));
    let event = manager.event(json!({ "tags": ["red"], "categories": [made["id"]] })).await;
    let within: Vec<&String> = event["tags"][0].as_object().unwrap().keys().collect();
    let mut expected = [
        "name",
        "slug",
        "term_group",
        "term_taxonomy_id",
        "taxonomy",
        "description",
        "parent",
        "count",
        "filter",
        "id",
        "urls",
    ];
    expected.sort_unstable();
    assert_eq!(within, expected);
    assert_eq!(
        (&event["tags"][0]["parent"], &event["tags"][0]["filter"], &event["tags"][0]["term_group"]),
        (&json!(0), &json!("raw"), &json!(0))
    );
    let list = manager.get("/tags").await;
    assert_eq!(keys(&list.text()), ["rest_url", "total", "total_pages", "tags"]);
    let list = found(&list, 200);
    assert_eq!(
        (&list["tags"][0]["count"], list["tags"][0].get("_links"), &list["rest_url"]),
        (&json!(1), None, &json!(format!("{SITE}/wp-json/tribe/events/v1/tags/")))
    );
}

#[tokio::test]
async fn a_single_event_tells_search_engines() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager
        .event(json!({
            "title": "Maths", "description": "All <b>of</b> it", "timezone": "America/New_York", "cost": "$10", "image": "https://a.example/x.png",
            "venue": { "venue": "Hall", "address": "1 Street" }, "organizer": [{ "organizer": "Ada", "email": "ada@exam.test" }],
        }))
        .await;
    let single = manager.read(&format!("/events/{}", made["id"])).await;
    let data = &single["json_ld"];
    for (key, value) in [
        ("@context", json!("http://schema.org")),
        ("@type", json!("Event")),
        ("name", json!("Maths")),
        ("url", json!(format!("{SITE}/event/maths/"))),
        ("image", json!("https://a.example/x.png")),
        ("eventAttendanceMode", json!("https://schema.org/OfflineEventAttendanceMode")),
        ("eventStatus", json!("https://schema.org/EventScheduled")),
        ("startDate", json!("2027-01-01T09:00:00-05:00")),
        ("endDate", json!("2027-01-01T10:00:00-05:00")),
        ("performer", json!("Organization")),
    ] {
        assert_eq!(data[key], value, "{key}");
    }
    assert_eq!(
        (&data["location"]["name"], &data["location"]["address"]["streetAddress"]),
        (&json!("Hall"), &json!("1 Street"))
    );
    assert_eq!((&data["organizer"]["email"], &data["offers"]["price"]), (&json!("ada@exam.test"), &json!("10")));
    assert!(data["description"].as_str().unwrap().contains("&lt;b&gt;"), "{}", data["description"]);
    assert_eq!(
        (&single["venue"]["json_ld"]["@type"], &single["organizer"][0]["json_ld"]["@type"]),
        (&json!("Place"), &json!("Person"))
    );
    assert!(made.get("json_ld").is_none() && made["venue"].get("json_ld").is_none());
}

#[tokio::test]
async fn linked_records_show_whatever_their_status_but_the_trash() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let made = manager
        .event(json!({ "venue": { "venue": "Hall", "status": "draft" }, "organizer": [{ "organizer": "Ada" }] }))
        .await;
    let path = format!("/events/{}", made["id"]);
    assert_eq!(anyone.read(&path).await["venue"]["status"], "draft");
    manager.delete(&format!("/venues/{}", made["venue"]["id"])).await;
    manager.delete(&format!("/organizers/{}", made["organizer"][0]["id"])).await;
    let after = anyone.read(&path).await;
    assert_eq!((&after["venue"], &after["organizer"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn lists_of_records_have_their_links() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for number in 0..5 {
        manager.event(json!({ "title": format!("Exam {number}"), "categories": ["Maths"], "tags": ["red"], "status": "publish" })).await;
    }
    let window = "start_date=2027-01-01&end_date=2027-01-02";
    let answer = manager.get(&format!("/events?{window}&per_page=2&page=2&status=publish")).await;
    assert_eq!(
        keys(&answer.text()),
        ["events", "rest_url", "next_rest_url", "previous_rest_url", "total", "total_pages"]
    );
    let list = found(&answer, 200);
    let base = format!("{SITE}/wp-json/tribe/events/v1/events/");
    assert_eq!(
        list["rest_url"],
        format!("{base}?page=2&per_page=2&start_date=2027-01-01 00:00:00&end_date=2027-01-02 23:59:59&status=publish")
    );
    let encoded = "per_page=2&start_date=2027-01-01+00%3A00%3A00&end_date=2027-01-02+23%3A59%3A59&status=publish";
    assert_eq!(list["next_rest_url"], format!("{base}?{encoded}&page=3"));
    assert_eq!(list["previous_rest_url"], format!("{base}?{encoded}"));
    assert_eq!((&list["total"], &list["total_pages"]), (&json!(5), &json!(3)));
    let first = manager
        .read(&format!("/events?{window}&per_page=2&categories=maths&tags=red&search=exam&featured=false"))
        .await;
    assert!(
        !first["rest_url"].as_str().unwrap().contains("featured")
            && first["rest_url"].as_str().unwrap().contains("2027-01-01 00:00:00"),
        "{first}"
    );
    let (mut next, mut titles) = (first["next_rest_url"].clone(), titles(&first));
    while let Some(url) = next.as_str() {
        let page = manager.read(url.strip_prefix(&format!("{SITE}/wp-json/tribe/events/v1")).unwrap()).await;
        titles.extend(self::titles(&page));
        for (filter, is_told) in [("categories=maths", false), ("tags=red", false), ("search=exam", true)] {
            assert!(url.contains(filter), "{url}");
            assert_eq!(page["rest_url"].as_str().unwrap().contains(filter), is_told, "{}", page["rest_url"]);
        }
        next = page["next_rest_url"].clone();
    }
    assert_eq!(titles, (0..5).map(|number| format!("Exam {number}")).collect::<Vec<_>>());
}

fn titles(list: &Value) -> Vec<String> {
    list["events"].as_array().unwrap().iter().map(|event| event["title"].as_str().unwrap().to_owned()).collect()
}
