//! What a browser would use as a part of a page is not answered below `/api` and `/auth`.

use crate::hall::Hall;

const REFUSED: &str = "Request as a part of a page refused";
const NAME: &str = "sec-fetch-dest";

#[tokio::test]
async fn below_the_api_nothing_is_a_part_of_a_page() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for path in ["/api/questions?grade=5", "/api/admin/export?grade=5", "/api/openapi.json", "/api/me", "/api/docs/"] {
        for destination in ["empty", "document"] {
            assert_eq!(admin.get_with(path, NAME, destination).await.status, 200, "{path} {destination}");
        }
        assert_eq!(admin.get(path).await.status, 200, "{path}");
        for destination in ["image", "iframe", "embed", "object", "script", "style", "video", "websocket"] {
            admin.get_with(path, NAME, destination).await.assert_error(403, REFUSED);
        }
    }
    // However the path is written by which its route is found.
    admin.get_with("/%61pi/admin/export?grade=5", NAME, "image").await.assert_error(403, REFUSED);
    for path in ["/auth/sign-in", "/auth/callback?code=a&state=b"] {
        hall.anonymous().get_with(path, NAME, "image").await.assert_error(403, REFUSED);
    }
    assert_eq!(hall.anonymous().get_with("/auth/sign-in", NAME, "document").await.status, 200);
    for path in ["/icon.svg", "/healthz"] {
        assert_eq!(admin.get_with(path, NAME, "image").await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn what_may_be_a_picture_answers_pictures_alone() {
    let hall = Hall::open().await;
    let document = hall.anonymous().get("/api/openapi.json").await.json();
    let answers = document["paths"]["/api/school/crest"]["get"]["responses"]["200"]["content"].clone();
    assert!(answers.as_object().unwrap().keys().all(|kind| kind.starts_with("image/")), "{answers}");
    assert_eq!(hall.anonymous().get_with("/api/school/crest", NAME, "image").await.status, 404);
    hall.anonymous().get_with("/api/school/crest", NAME, "iframe").await.assert_error(403, REFUSED);
    // Without the headers of a socket.
    assert_eq!(hall.anonymous().get_with("/api/live", NAME, "websocket").await.status, 400);
}
