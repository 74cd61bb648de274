//! The bank scenario: clients read the questions of a grade, compressed, on connections that stay open; first whole,
//! then with the tag of what they have. It measures what a request costs the server.

use crate::failure::Failure;
use crate::http_message::HttpConnection;
use crate::metrics::ServerReading;
use crate::output;
use crate::server::Server;
use crate::table::{count, figure, latency};
use crate::tally::Times;
use clap::Args;
use futures_util::future::try_join_all;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::time::Instant;

const CONNECTIONS: usize = 32;
const NOT_MODIFIED: u16 = 304;

#[derive(Args)]
pub struct BankOptions {
    /// Length in seconds of each of the two measured windows.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Grade of the questions.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
}

/// Runs the scenario. It passes when every request was answered as it should be.
pub async fn run(server: &Server, options: &BankOptions) -> Result<bool, Failure> {
    let requests = BankRequests::new(server.address(), &bank_path(options.grade));
    let time = Duration::from_secs(options.seconds.into());
    let (etag, bytes) = (requests.etag().await?, requests.compressed().await?.len());
    let (whole, cost) = measured(server, &requests, time, None).await?;
    let (same, same_cost) = measured(server, &requests, time, Some(&etag)).await?;
    let a_second = |times: &Times| Some(times.count() as f64 / time.as_secs_f64());
    let rows = [
        count("bytes of the compressed bank", bytes as u64),
        figure("requests a second", a_second(&whole), ""),
        latency("answered within", whole.percentiles()),
        figure("server CPU a request", cost, " µs"),
        figure("not modified: requests a second", a_second(&same), ""),
        latency("not modified: answered within", same.percentiles()),
        figure("server CPU a request that is not modified", same_cost, " µs"),
    ];
    output::print_rows(&rows, true);
    Ok(true)
}

async fn measured(
    server: &Server,
    requests: &BankRequests,
    time: Duration,
    etag: Option<&str>,
) -> Result<(Times, Option<f64>), Failure> {
    let before = ServerReading::take(server).await;
    let times = requests.run(time, etag).await?;
    let used =
        ServerReading::take(server).await.cpu_seconds.zip(before.cpu_seconds).map(|(after, before)| after - before);
    let cost = used.map(|seconds| seconds * 1e6 / times.count().max(1) as f64);
    Ok((times, cost))
}

pub fn bank_path(grade: u8) -> String {
    format!("/api/questions?grade={grade}")
}

/// Requests for one compressed resource, as fast as they are answered.
pub struct BankRequests {
    address: SocketAddr,
    head: String,
}

impl BankRequests {
    pub fn new(address: SocketAddr, path: &str) -> Self {
        Self { address, head: format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept-encoding: gzip\r\n") }
    }

    /// The tag of what the server has.
    pub async fn etag(&self) -> Result<String, Failure> {
        let mut connection = HttpConnection::open(self.address).await?;
        let (message, _) = connection.ask(self.whole().as_bytes()).await?;
        Ok(message.field("etag").ok_or("the answer has no tag")?.to_owned())
    }

    /// A request for all of it.
    pub fn whole(&self) -> String {
        format!("{}\r\n", self.head)
    }

    /// What the server sends, as it is compressed.
    pub async fn compressed(&self) -> Result<Vec<u8>, Failure> {
        let mut connection = HttpConnection::open(self.address).await?;
        let (message, answer) = connection.ask(self.whole().as_bytes()).await?;
        Ok(message.body(answer).to_vec())
    }

    /// How long each answer took.
    pub async fn run(&self, time: Duration, etag: Option<&str>) -> Result<Times, Failure> {
        let (times, begun) = (Times::new()?, Instant::now());
        let tag = etag.map(|etag| format!("if-none-match: {etag}\r\n")).unwrap_or_default();
        let request = format!("{}{tag}\r\n", self.head);
        let expected = if etag.is_some() { NOT_MODIFIED } else { 200 };
        let clients = (0..CONNECTIONS).map(|_| async {
            let mut connection = HttpConnection::open(self.address).await?;
            while begun.elapsed() < time {
                let sent = Instant::now();
                let (message, _) = connection.ask(request.as_bytes()).await?;
                if message.status()? != expected {
                    return Err(format!("{} instead of {expected}", message.status()?).into());
                }
                times.record(sent.elapsed());
            }
            Ok::<(), Failure>(())
        });
        try_join_all(clients).await?;
        Ok(times)
    }
}
