//! Values as they are taken and shown, through the interface.

use serde_json::{Value, json};

use super::client::{Client, event, found};
use crate::hall::Hall;

#[tokio::test]
async fn dates_are_read_on_the_clocks_of_the_zone() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for (sent, shown) in [
        ("2027-01-10", "2027-01-10 00:00:00"),
        ("2027-01-10 09:00", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00:00", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00:00Z", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00:00+03:00", "2027-01-10 09:00:00"),
        ("1/10/2027 9:05 PM", "2027-01-10 21:05:00"),
        ("January 10, 2027 9am", "2027-01-10 09:00:00"),
        ("1799571600", "2027-01-10 09:00:00"),
        ("2027", "1970-01-01 00:33:47"),
    ] {
        let made = manager.event(json!({ "start_date": sent, "end_date": sent, "timezone": "America/New_York" })).await;
        assert_eq!((&made["start_date"], &made["end_date"]), (&json!(shown), &json!(shown)), "{sent}");
        assert_eq!(made["timezone"], "America/New_York");
    }
    let made = manager
        .event(
            json!({ "start_date": "2027-07-10 09:00", "end_date": "2027-07-10 10:00", "timezone": "America/New_York" }),
        )
        .await;
    assert_eq!((&made["utc_start_date"], &made["timezone_abbr"]), (&json!("2027-07-10 13:00:00"), &json!("EDT")));
}

#[tokio::test]
async fn zones_have_many_forms() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for (zone, abbreviation, utc) in [
        ("Europe/London", "GMT", "2027-01-01 09:00:00"),
        ("europe/paris", "CET", "2027-01-01 08:00:00"),
        ("EST", "EST", "2027-01-01 14:00:00"),
        ("+02:00", "GMT+0200", "2027-01-01 07:00:00"),
        ("UTC+5.5", "UTC+5.5", "2027-01-01 03:30:00"),
        ("UTC-3", "UTC-3", "2027-01-01 12:00:00"),
        ("UTC+14", "UTC+14", "2026-12-31 19:00:00"),
    ] {
        let made = manager.event(json!({ "timezone": zone })).await;
        assert_eq!(
            (&made["timezone"], &made["timezone_abbr"], &made["utc_start_date"]),
            (&json!(zone), &json!(abbreviation), &json!(utc))
        );
    }
    assert_eq!(manager.event(json!({ "timezone": "" })).await["timezone"], "UTC");
}

#[tokio::test]
async fn whole_days_and_ends_before_beginnings() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let whole = manager.event(json!({ "start_date": "2027-01-10 15:00", "end_date": "2027-01-12", "all_day": true, "timezone": "America/New_York" })).await;
    assert_eq!(
        (&whole["start_date"], &whole["end_date"]),
        (&json!("2027-01-10 00:00:00"), &json!("2027-01-12 23:59:59"))
    );
    assert_eq!(
        (&whole["utc_start_date"], &whole["utc_end_date"]),
        (&json!("2027-01-10 05:00:00"), &json!("2027-01-13 04:59:59"))
    );
    let turned = manager.event(json!({ "start_date": "2027-01-10 15:00", "end_date": "2027-01-09" })).await;
    assert_eq!(
        (&turned["end_date"], &turned["utc_end_date"]),
        (&json!("2027-01-10 15:00:00"), &json!("2027-01-10 15:00:00"))
    );
}

#[tokio::test]
async fn booleans_have_some_forms() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for (sent, shown) in
        [(json!("TRUE"), true), (json!("1"), true), (json!(1), true), (json!("false"), false), (json!(0), false)]
    {
        let made = manager
            .event(json!({ "featured": sent, "sticky": sent, "show_map": sent, "hide_from_listings": sent }))
            .await;
        for key in ["featured", "sticky", "show_map", "hide_from_listings"] {
            assert_eq!(made[key], shown, "{key} {sent}");
        }
    }
    for sent in [json!("yes"), json!("on"), json!(2)] {
        super::client::mistyped(
            &manager.post("/events", &event(json!({ "featured": sent }))).await,
            &[("featured", "boolean")],
        );
    }
}

#[tokio::test]
async fn texts_are_rendered_and_safe() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager
        .event(json!({ "title": "Salt & \"Pepper\" -- it's...", "description": "One\n\nTwo\nlines<script>alert(1)</script>", "excerpt": "<a onclick=\"x()\" href=\"javascript:x\">A</a>" }))
        .await;
    assert_eq!(made["title"], "Salt &#038; &#8220;Pepper&#8221; &#8212; it&#8217;s&#8230;");
    assert_eq!(made["description"], "<p>One</p>\n<p>Two<br />\nlines</p>");
    let excerpt = made["excerpt"].as_str().unwrap();
    assert!(!excerpt.contains("onclick") && !excerpt.contains("javascript"), "{excerpt}");
    let again = manager
        .change(
            &format!("/events/{}", made["id"]),
            &json!({ "title": made["title"], "description": made["description"] }),
        )
        .await;
    assert_eq!((&again["title"], &again["description"]), (&made["title"], &made["description"]));
    let venue = manager.make("/venues", &json!({ "venue": "A & B", "city": "<b>Ghent</b> & more" })).await;
    assert_eq!((&venue["venue"], &venue["city"]), (&json!("A &#038; B"), &json!("Ghent & more")));
}

#[tokio::test]
async fn costs_are_taken_apart() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for (sent, cost, symbol, position, values) in [
        (json!("$10"), "$10", "$", "prefix", json!(["10"])),
        (json!("10$"), "10$", "$", "postfix", json!(["10"])),
        (json!(10), "$10", "", "", json!(["10"])),
        (json!("15,50"), "$15,50", "", "", json!(["15.50"])),
        (json!("1,000"), "$1,000", "", "", json!(["1000"])),
        (json!("10 USD"), "10USD", "USD", "postfix", json!(["10"])),
        (json!(["10", "20"]), "$10 – $20", "", "", json!(["10", "20"])),
        (json!("$0"), "Free", "$", "prefix", json!(["0"])),
        (json!("donation"), "donation", "", "", json!(["donation"])),
        (json!("0"), "", "", "", json!([])),
        (json!(""), "", "", "", json!([])),
    ] {
        let made = manager.event(json!({ "cost": sent })).await;
        assert_eq!(made["cost"], cost, "{sent}");
        assert_eq!(
            made["cost_details"],
            json!({ "currency_symbol": symbol, "currency_code": "", "currency_position": position, "values": values }),
            "{sent}"
        );
    }
}

#[tokio::test]
async fn slugs_are_made_and_counted() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for (fields, slug) in [
        (json!({ "title": "Élan Vital!" }), "elan-vital"),
        (json!({ "title": "Élan vital" }), "elan-vital-2"),
        (json!({ "title": "elan vital" }), "elan-vital-3"),
        (json!({ "title": "x", "slug": "Own Slug" }), "own-slug"),
        (json!({ "title": "日" }), "%e6%97%a5"),
    ] {
        assert_eq!(manager.event(fields.clone()).await["slug"], slug, "{fields}");
    }
    let nothing = manager.event(json!({ "title": "!!!" })).await;
    assert_eq!(nothing["slug"], nothing["id"].to_string());
    let nothing = manager.event(json!({ "title": "x", "slug": "!!!" })).await;
    assert_eq!(nothing["slug"], nothing["id"].to_string());
    for path in ["/events/by-slug/%E6%97%A5", "/events/by-slug/%25e6%2597%25a5", "/events/by-slug/日"] {
        assert_eq!(manager.read(path).await["title"], "日", "{path}");
    }
    let venue = manager.make("/venues", &json!({ "venue": "Élan Vital", "slug": "ignored" })).await;
    assert_eq!(venue["slug"], "elan-vital");
    assert_eq!(
        manager.change(&format!("/venues/{}", venue["id"]), &json!({ "venue": "Renamed" })).await["slug"],
        "elan-vital"
    );
}

#[tokio::test]
async fn drafts_have_no_address_and_no_settled_date() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for status in ["draft", "pending"] {
        let made = manager.event(json!({ "status": status })).await;
        let zero = json!("0000-00-00 00:00:00");
        assert_eq!((&made["slug"], &made["date_utc"], &made["modified_utc"]), (&json!(""), &zero, &zero));
        assert_eq!(made["url"], format!("http://exam.localhost/?post_type=tribe_events&p={}", made["id"]));
        let published = manager.change(&format!("/events/{}", made["id"]), &json!({ "status": "publish" })).await;
        assert_ne!((&published["slug"], &published["date_utc"]), (&json!(""), &zero));
        let venue = manager.make("/venues", &json!({ "venue": status, "status": status })).await;
        assert_eq!(venue["slug"], status);
    }
}

#[tokio::test]
async fn what_is_scheduled_is_published_when_its_time_comes() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let tomorrow = manager.event(json!({ "date": "+1 day" })).await;
    assert_eq!(tomorrow["status"], "future");
    assert_eq!(manager.event(json!({ "status": "future" })).await["status"], "publish");
    let path = format!("/events/{}", tomorrow["id"]);
    assert_eq!(anyone.get(&path).await.status, 403);
    hall.clock.advance(std::time::Duration::from_secs(25 * 60 * 60));
    let published = found(&anyone.get(&path).await, 200);
    assert_eq!((&published["status"], &published["date"]), (&json!("publish"), &tomorrow["date"]));
    assert_eq!(anyone.read("/events?start_date=2027-01-01&end_date=2027-01-02").await["total"], 2);
}

#[tokio::test]
async fn images_are_links() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({ "image": "https://a.example/b.png" })).await;
    assert_eq!(made["image"], json!({ "url": "https://a.example/b.png" }));
    let kept = manager.change(&format!("/events/{}", made["id"]), &json!({ "title": "Other" })).await;
    assert_eq!(kept["image"], made["image"]);
    let cleared = manager.make("/venues", &json!({ "venue": "A", "image": "https://a.example/b.png" })).await;
    let cleared = manager.change(&format!("/venues/{}", cleared["id"]), &json!({ "image": "" })).await;
    assert_eq!(cleared.get("image"), None::<&Value>);
}
