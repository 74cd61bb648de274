//! nginx with a file that is compressed already: the least that an answer of that size costs.

use super::super::children::{ChildService, free_port};
use crate::failure::Failure;
use crate::machine::processor_time;
use crate::scenario::bank::BankRequests;
use std::path::Path;
use std::time::Duration;
use tokio::process::Command;

const PROCESS: &str = "nginx";

/// Microseconds of processor time for each request.
pub struct RequestCost {
    pub whole: f64,
    pub not_modified: f64,
}

/// Serves a bank of questions from one process, as it is with `gzip_static`.
pub async fn cost_of_requests(folder: &Path, compressed: &[u8], time: Duration) -> Result<RequestCost, Failure> {
    let folder = folder.join(PROCESS);
    std::fs::create_dir_all(&folder)?;
    let port = free_port()?;
    // Nobody asks for this one, and without it there is no compressed one.
    std::fs::write(folder.join("questions.json"), "[]")?;
    std::fs::write(folder.join("questions.json.gz"), compressed)?;
    let root = folder.display();
    // One process, without a master: killing a master leaves its worker running.
    let configuration = format!(
        "daemon off; master_process off; pid {root}/pid; error_log {root}/error.log;
         events {{ worker_connections 1024; }}
         http {{
           types {{ application/json json; }}
           access_log off; keepalive_requests 100000000; sendfile on; tcp_nopush on; gzip_static on;
           open_file_cache max=100; client_body_temp_path {root}; proxy_temp_path {root}; fastcgi_temp_path {root};
           uwsgi_temp_path {root}; scgi_temp_path {root};
           server {{ listen 127.0.0.1:{port}; root {root}; etag on; }}
         }}"
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, configuration)?;
    // nginx looks up the user of its package, and fails where there is none.
    let mut command = Command::new("nginx");
    command.arg("-c").arg(&file).arg("-p").arg(&folder).args(["-g", "user root;"]);
    let service = ChildService::start(command, port).await?;
    let requests = BankRequests::new(service.address(), "/questions.json");
    Ok(RequestCost {
        whole: cost(&requests, time, None).await?,
        not_modified: cost(&requests, time, Some(requests.etag().await?)).await?,
    })
}

async fn cost(requests: &BankRequests, time: Duration, etag: Option<String>) -> Result<f64, Failure> {
    let used = || processor_time().get(PROCESS).copied().unwrap_or_default();
    let before = used();
    let answered = requests.run(time, etag.as_deref()).await?;
    Ok((used() - before).as_secs_f64() * 1e6 / answered.count().max(1) as f64)
}
