//! Baselines for the scenarios, on the same machine in the same run: Postgres without a service in front of it, a plain
//! service in Node, and nginx with files that are compressed already.

mod nginx;
mod peer;
mod postgres;

use super::services::OwnServices;
use crate::failure::Failure;
use crate::table::{Row, figure};
use std::time::Duration;

/// How long each is measured.
const MEASURED_FOR: Duration = Duration::from_secs(6);

/// Measures what this scenario is compared with. `rows` are those of the scenario, and `bank` is what the server sends
/// of the questions of a grade.
pub async fn run(scenario: &[String], services: &OwnServices, rows: &[Row], bank: &[u8]) -> Result<Vec<Row>, Failure> {
    match scenario.first().map(String::as_str) {
        Some("autosave") => answers(services, number(rows, "saved a second")).await,
        Some("sessions") => tests(services, number(rows, "tests a second")).await,
        Some("bank") => requests(services, rows, bank).await,
        _ => Ok(Vec::new()),
    }
}

async fn answers(services: &OwnServices, saved: Option<f64>) -> Result<Vec<Row>, Failure> {
    let database_url = services.empty_database("baseline").await?;
    let many = postgres::upserts_a_second(&database_url, postgres::MANY_ROWS, MEASURED_FOR).await?;
    let single = postgres::upserts_a_second(&database_url, 1, MEASURED_FOR).await?;
    let peer = peer::answers_a_second(&services.empty_database("peer").await?, MEASURED_FOR).await?;
    Ok(vec![
        figure("Postgres alone: upserts a second, 1,000 a statement", Some(many), ""),
        figure("Postgres alone: upserts a second, one a statement", Some(single), ""),
        figure("plain peer: answers a second", Some(peer), ""),
        ratio("saved, by Postgres alone with 1,000 a statement", saved, many),
        ratio("saved, by the plain peer", saved, peer),
    ])
}

async fn tests(services: &OwnServices, stored: Option<f64>) -> Result<Vec<Row>, Failure> {
    let peer = peer::tests_a_second(&services.empty_database("peer").await?, MEASURED_FOR).await?;
    Ok(vec![figure("plain peer: tests a second", Some(peer), ""), ratio("tests, by the plain peer", stored, peer)])
}

async fn requests(services: &OwnServices, rows: &[Row], bank: &[u8]) -> Result<Vec<Row>, Failure> {
    let cost = nginx::cost_of_requests(services.folder(), bank, MEASURED_FOR).await?;
    let (whole, same) =
        (number(rows, "server CPU a request"), number(rows, "server CPU a request that is not modified"));
    Ok(vec![
        figure("nginx: CPU a request", Some(cost.whole), " µs"),
        figure("nginx: CPU a request that is not modified", Some(cost.not_modified), " µs"),
        ratio("server CPU, by nginx", whole, cost.whole),
        ratio("server CPU of what is not modified, by nginx", same, cost.not_modified),
    ])
}

fn ratio(label: &str, of: Option<f64>, to: f64) -> Row {
    let value = of.filter(|_| to > 0.0).map_or_else(|| "n/a".to_owned(), |of| format!("{:.2}", of / to));
    (label.to_owned(), value)
}

/// The first number of a row.
fn number(rows: &[Row], label: &str) -> Option<f64> {
    rows.iter().find(|(name, _)| name == label)?.1.split_whitespace().next()?.parse().ok()
}
