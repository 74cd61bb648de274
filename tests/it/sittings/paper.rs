//! The sealed paper of a sitting.

use serde_json::json;

use super::School;

#[tokio::test]
async fn the_paper_is_sealed_when_the_doors_open() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let part = async |part: &str| {
        let path = format!("/api/sittings/{}/paper/{part}", sitting["id"].as_str().unwrap());
        school.hall.anonymous().get(&path).await
    };
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    part("1").await.assert_fault(404, "Not found", "unknown_session");
    school.advance(31);
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada L." }])).await;
    let first = part("1").await;
    assert_eq!((first.status, first.header("content-type")), (200, "application/octet-stream"));
    assert_eq!(first.header("cache-control"), "public, no-cache", "which paper it is was not asked");
    assert!(first.body.len() > 1_000 && !first.text().contains("g5-"), "no id can be read");
    school.advance(1);
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    assert!(part("1").await.body == first.body, "the same bytes for everyone, at any time");
    for other in ["90-100", "2", "none"] {
        part(other).await.assert_fault(404, "Not found", "unknown_session");
    }
}
