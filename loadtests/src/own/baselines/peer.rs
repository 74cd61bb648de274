//! The plain peer: a service in Node that stores what it gets by one INSERT each (`loadtests/peers`).

use super::super::children::{ChildService, free_port};
use crate::failure::Failure;
use crate::http_message::HttpConnection;
use crate::test_client::finished_test;
use futures_util::future::try_join_all;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use tokio::process::Command;
use tokio::time::Instant;

const FOLDER: &str = "loadtests/peers";
/// Connections: as many as the `sessions` scenario has clients.
const CONNECTIONS: usize = 128;

/// How many answers it stores in a second.
pub async fn answers_a_second(database_url: &str, time: Duration) -> Result<f64, Failure> {
    let peer = start(database_url).await?;
    let body = |client: usize, number: u64| {
        let session_id = uuid::Uuid::from_u128(client as u128);
        let question = number % 40;
        format!(r#"{{"sessionId":"{session_id}","questionId":"g5-{question:03}","seq":{number},"selected":"B"}}"#)
    };
    posts_a_second(peer.address(), "/answers", &body, time).await
}

/// How many finished tests it stores in a second: the same ones that the server is given.
pub async fn tests_a_second(database_url: &str, time: Duration) -> Result<f64, Failure> {
    let peer = start(database_url).await?;
    let tests: Vec<String> = (0..CONNECTIONS).map(|client| finished_test(client).to_string()).collect();
    let body = |client: usize, _: u64| tests.get(client).cloned().unwrap_or_default();
    posts_a_second(peer.address(), "/api/sessions", &body, time).await
}

async fn start(database_url: &str) -> Result<ChildService, Failure> {
    if !Path::new(FOLDER).join("node_modules").exists() {
        let installed =
            Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(FOLDER).status().await?;
        if !installed.success() {
            return Err(format!("npm ci failed in {FOLDER}").into());
        }
    }
    let port = free_port()?;
    let mut command = Command::new("node");
    command.arg("service.mjs").current_dir(FOLDER).env("DATABASE_URL", database_url).env("PORT", port.to_string());
    ChildService::start(command, port).await
}

async fn posts_a_second(
    address: SocketAddr,
    path: &str,
    body: &impl Fn(usize, u64) -> String,
    time: Duration,
) -> Result<f64, Failure> {
    let begun = Instant::now();
    let clients = (0..CONNECTIONS).map(|client| async move {
        let mut connection = HttpConnection::open(address).await?;
        let mut number = 0;
        while begun.elapsed() < time {
            number += 1;
            let body = body(client, number);
            let request = format!(
                "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            let (message, _) = connection.ask(request.as_bytes()).await?;
            if message.status()? != 200 {
                return Err(format!("the peer answered {}", message.status()?).into());
            }
        }
        Ok::<u64, Failure>(number)
    });
    let posted: u64 = try_join_all(clients).await?.into_iter().sum();
    Ok(posted as f64 / begun.elapsed().as_secs_f64())
}
