//! Who may read `/metrics`, and the figures that alarms and dashboards stand on.

use regex::Regex;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database};
use serde_json::json;

use crate::hall::{Answer, Hall};

/// The value of a sample, named with its labels; `None` when it is not there.
async fn sample(hall: &Hall, name: &str) -> Option<f64> {
    let text = hall.anonymous().get("/metrics").await.text();
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).map(|value| value.parse().unwrap())
}

#[tokio::test]
async fn work_that_cannot_be_committed_is_a_failure_of_our_own() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(json!({ "grade": 5 })).await;
    let connection = Database::connect(hall.database_url()).await.unwrap();
    connection.execute_unprepared("ALTER TABLE journal_entries RENAME TO entries_elsewhere").await.unwrap();
    let question = candidate.paper[0].clone();
    candidate.send(crate::hall::answer(&question, "A")).await;
    crate::hall::eventually("the failed batch is counted", async || {
        sample(&hall, "examhall_failures_total{kind=\"journal\"}").await.filter(|count| *count >= 1.0)
    })
    .await;
    connection.close().await.unwrap();
}

#[tokio::test]
async fn the_process_and_its_pools_are_measured() {
    let hall = Hall::open().await;
    let now = chrono::Utc::now().timestamp();
    let started = sample(&hall, "process_start_time_seconds").await.unwrap();
    assert!((started - 1.0..started + 3_600.0).contains(&(now as f64)), "{started} is not shortly before {now}");
    let (open, max) =
        (sample(&hall, "process_open_fds").await.unwrap(), sample(&hall, "process_max_fds").await.unwrap());
    assert!(open > 3.0 && open < max, "{open} of {max}");
    let text = hall.anonymous().get("/metrics").await.text();
    let version = env!("CARGO_PKG_VERSION");
    assert!(text.contains(&format!("examhall_build_info{{version=\"{version}\"}} 1")), "{text}");
    let pool = Regex::new(r#"(?m)^examhall_pool_connections_max\{service="database",pool="\w+"\} [1-9]"#).unwrap();
    assert!(pool.find_iter(&text).count() >= 2, "{text}");
    assert!(text.contains("examhall_pool_connections{service=\"database\",pool="), "{text}");
    let has_redis = hall.settings().contains_key("REDIS_URL");
    assert_eq!(text.contains("examhall_service_up{service=\"redis\"} 1"), has_redis);
    assert_eq!(text.contains("service=\"redis\",pool=\"main\""), has_redis);
}

#[tokio::test]
async fn a_redis_that_is_away_is_seen() {
    let hall = Hall::with(&[("REDIS_URL", "redis://127.0.0.1:1/0")]).await;
    assert_eq!(sample(&hall, "examhall_service_up{service=\"redis\"}").await, Some(0.0));
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn what_a_proxy_passes_on_is_refused() {
        let hall = Hall::open().await;
        for path in ["/metrics", "/%6detrics", "/%6d%65trics"] {
            assert_eq!(hall.anonymous().get(path).await.status, 200, "{path}");
            for (name, value) in [
                ("forwarded", "for=127.0.0.1"),
                ("x-forwarded-for", "127.0.0.1"),
                ("x-forwarded-proto", "https"),
                ("x-forwarded-host", "exam.school.example"),
                ("x-real-ip", "127.0.0.1"),
                ("via", "1.1 proxy"),
            ] {
                hall.anonymous().get_with(path, name, value).await.assert_error(403, "Forbidden");
            }
        }
    }

    #[tokio::test]
    async fn a_trusted_proxy_passes_on_who_may_read() {
        let hall = Hall::with(&[("TRUSTED_PROXIES", "127.0.0.0/8"), ("METRICS_NETWORKS", "192.0.2.0/24")]).await;
        let answer = async |headers: &[(&str, &str)]| {
            let request = hall.anonymous().request(Method::GET, "/metrics");
            Answer::to(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)))
                .await
                .status
        };
        assert_eq!(answer(&[("x-forwarded-for", "192.0.2.7"), ("via", "1.1 proxy")]).await, 200);
        assert_eq!(answer(&[("forwarded", "for=192.0.2.7")]).await, 200);
        for refused in ["203.0.113.9", "192.0.2.7, 203.0.113.9", "nonsense"] {
            assert_eq!(answer(&[("x-forwarded-for", refused)]).await, 403, "{refused}");
        }
        // The proxy says that it passes on a request, and not whose.
        assert_eq!(answer(&[("via", "1.1 proxy")]).await, 403);
    }

    #[tokio::test]
    async fn failures_of_our_own_are_counted_apart() {
        let hall = Hall::open().await;
        let count = async |kind: &str| sample(&hall, &format!("examhall_failures_total{{kind=\"{kind}\"}}")).await;
        for kind in ["request", "journal", "commit", "panic"] {
            assert_eq!(count(kind).await, Some(0.0), "{kind}");
        }
        // A 500 that the contract prescribes for a bad request is the caller's.
        let body = hall.anonymous().request(Method::POST, "/api/sessions").header("content-type", "application/json");
        assert_eq!(Answer::to(body.body("{")).await.status, 500);
        assert_eq!(count("request").await, Some(0.0));
        let connection = Database::connect(hall.data_url()).await.unwrap();
        connection.execute_unprepared("ALTER TABLE sessions RENAME TO sessions_elsewhere").await.unwrap();
        let path = format!("/api/sessions/{}", uuid::Uuid::new_v4());
        assert_eq!(hall.anonymous().get(&path).await.status, 500);
        assert_eq!(count("request").await, Some(1.0));
        connection.execute_unprepared("ALTER TABLE calendar_events RENAME TO events_elsewhere").await.unwrap();
        assert_eq!(hall.anonymous().get("/wp-json/tribe/events/v1/events").await.status, 500);
        assert_eq!(count("request").await, Some(2.0));
        connection.close().await.unwrap();
    }

    #[tokio::test]
    async fn durations_are_told_by_route() {
        let hall = Hall::open().await;
        let paths = [
            "/api/questions?grade=5",
            "/wp-json/tribe/events/v1/events",
            "/wp-json/tribe/events/v1/events/17",
            "/wp-json/tribe/events/v1/venues/by-slug/hall",
            "/wp-json/tribe/events/v1/nothing",
            "/nothing",
        ];
        for path in paths {
            hall.anonymous().get(path).await;
        }
        for route in [
            "/api/questions",
            "/wp-json/tribe/events/v1/events",
            "/wp-json/tribe/events/v1/events/{id}",
            "/wp-json/tribe/events/v1/venues/by-slug/{slug}",
            "unknown",
        ] {
            let count = sample(&hall, &format!("examhall_http_request_seconds_count{{route=\"{route}\"}}")).await;
            assert_eq!(count, Some(1.0), "{route}");
        }
        let text = hall.anonymous().get("/metrics").await.text();
        assert!(
            text.contains(
                "examhall_http_requests_total{method=\"GET\",route=\"/wp-json/tribe/events/v1/events/{id}\","
            )
        );
    }
}
