//! The files of `deploy/` are whole: HAProxy, nginx and Prometheus take them as they are, the proxies keep `/metrics`
//! to themselves, and every alarm sounds in its case. These programs are installed where PostgreSQL and Redis are.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use tokio::process::{Child, Command};

use crate::hall::{
    Hall, deployed, eventually, free_address, make_certificate, need_services, repository, repository_text,
};

async fn assert_passes(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().await.expect("scripts/test installs it");
    assert!(output.status.success(), "{output:?}");
}

/// With the paths of this test, and otherwise as it is.
fn nginx(folder: &Path, changes: &[(&str, &str)]) -> String {
    let at = |name: &str| folder.join(name).display().to_string();
    let (certificate, key, pid, log) = (at("exam.pem"), at("exam.key"), at("pid"), at("log"));
    let paths: [(&str, &str); 4] = [
        ("/etc/nginx/exam.pem", certificate.as_str()),
        ("/etc/nginx/exam.key", &key),
        ("/run/nginx.pid", &pid),
        ("/var/log/nginx/error.log", &log),
    ];
    deployed("nginx.conf", &[&paths[..], changes].concat())
}

#[tokio::test]
async fn haproxy_takes_its_file() {
    need_services();
    let folder = tempfile::tempdir().unwrap();
    make_certificate(folder.path());
    let certificate = folder.path().join("exam.pem").display().to_string();
    let path = folder.path().join("haproxy.cfg");
    fs::write(&path, deployed("haproxy.cfg", &[("/etc/haproxy/exam.pem", certificate.as_str())])).unwrap();
    assert_passes(Command::new("haproxy").arg("-c").arg("-f").arg(&path)).await;
}

#[tokio::test]
async fn haproxy_takes_that_of_containers() {
    need_services();
    let folder = tempfile::tempdir().unwrap();
    make_certificate(folder.path());
    let certificate = folder.path().join("exam.pem").display().to_string();
    let path = folder.path().join("haproxy.cfg");
    fs::write(&path, deployed("compose/haproxy.cfg", &[("/etc/haproxy/exam.pem", certificate.as_str())])).unwrap();
    // The names of the containers are not known here; their servers would be looked for later.
    assert_passes(Command::new("haproxy").arg("-c").arg("-f").arg(&path)).await;
}

#[tokio::test]
async fn prometheus_takes_its_files_and_every_alarm_sounds() {
    need_services();
    let folder = repository("deploy/prometheus");
    assert_passes(Command::new("promtool").args(["check", "config", "prometheus.yml"]).current_dir(&folder)).await;
    assert_passes(Command::new("promtool").args(["test", "rules", "alerts_test.yml"]).current_dir(&folder)).await;
    // The dashboard's expressions can be read, too.
    let dashboard: serde_json::Value = serde_json::from_str(&repository_text("deploy/grafana/examhall.json")).unwrap();
    let targets = dashboard["panels"].as_array().unwrap().iter().flat_map(|panel| panel["targets"].as_array());
    let texts = targets.flatten().map(|target| target["expr"].as_str().unwrap().replace("$instance", ".*"));
    let rules: Vec<serde_json::Value> = texts
        .enumerate()
        .map(|(index, expression)| serde_json::json!({ "record": format!("panel:{index}"), "expr": expression }))
        .collect();
    assert!(rules.len() > 20, "{rules:?}");
    // JSON is YAML.
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), serde_json::json!({ "groups": [{ "name": "panels", "rules": rules }] }).to_string())
        .unwrap();
    assert_passes(Command::new("promtool").args(["check", "rules"]).arg(file.path())).await;
}

#[tokio::test]
async fn haproxy_takes_its_file_for_the_database() {
    need_services();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/haproxy-database.cfg");
    assert_passes(Command::new("haproxy").args(["-c", "-f", file])).await;
}

#[tokio::test]
async fn nginx_takes_its_file() {
    need_services();
    let folder = tempfile::tempdir().unwrap();
    make_certificate(folder.path());
    let path = folder.path().join("nginx.conf");
    fs::write(&path, nginx(folder.path(), &[])).unwrap();
    assert_passes(Command::new("nginx").arg("-t").arg("-c").arg(&path).arg("-p").arg(folder.path())).await;
}

struct Proxy {
    base: String,
    _child: Child,
}

/// Starts a proxy in the foreground, and waits until it passes on.
async fn started(mut command: Command, address: &str) -> Proxy {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).spawn();
    let proxy = Proxy { base: format!("https://{address}"), _child: child.unwrap() };
    eventually("the proxy passes on", async || (status(&proxy, "/readyz").await == Some(200)).then_some(())).await;
    proxy
}

async fn status(proxy: &Proxy, path: &str) -> Option<u16> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().tls_danger_accept_invalid_certs(true).build().unwrap();
    client.get(format!("{}{path}", proxy.base)).send().await.ok().map(|answer| answer.status().as_u16())
}

async fn assert_hides_metrics(proxy: &Proxy) {
    assert_eq!(status(proxy, "/api/questions?grade=5").await, Some(200));
    for path in ["/metrics", "/%6detrics", "/metrics?a=b", "/%6D%65%74%72%69%63%73"] {
        assert!(matches!(status(proxy, path).await, Some(403 | 404)), "{path}");
    }
}

#[tokio::test]
async fn haproxy_passes_on_all_but_the_metrics() {
    need_services();
    let hall = Hall::open().await;
    let (folder, address) = (tempfile::tempdir().unwrap(), free_address());
    make_certificate(folder.path());
    let bind = format!("bind {address} ssl crt {}", folder.path().join("exam.pem").display());
    let server = hall.base().trim_start_matches("http://").to_owned();
    let text = deployed(
        "haproxy.cfg",
        &[
            ("bind :443 ssl crt /etc/haproxy/exam.pem", bind.as_str()),
            ("maxconn 50000", "maxconn 400"),
            ("10.0.0.11:8080", server.as_str()),
            ("10.0.0.12:8080", server.as_str()),
            ("10.0.0.13:8080", server.as_str()),
        ],
    );
    let path = folder.path().join("haproxy.cfg");
    fs::write(&path, text).unwrap();
    let mut command = Command::new("haproxy");
    command.arg("-db").arg("-f").arg(&path);
    assert_hides_metrics(&started(command, &address).await).await;
}

#[tokio::test]
async fn nginx_passes_on_all_but_the_metrics() {
    need_services();
    let hall = Hall::open().await;
    let (folder, address) = (tempfile::tempdir().unwrap(), free_address());
    make_certificate(folder.path());
    let server = hall.base().trim_start_matches("http://").to_owned();
    let changes = [
        ("listen 443 ssl", format!("listen {address} ssl")),
        ("listen 80;", format!("listen {};", free_address())),
        ("127.0.0.1:8080", server),
        ("worker_connections 30000", "worker_connections 200".to_owned()),
    ];
    let changes: Vec<(&str, &str)> = changes.iter().map(|(from, to)| (*from, to.as_str())).collect();
    let path = folder.path().join("nginx.conf");
    fs::write(&path, nginx(folder.path(), &changes)).unwrap();
    let mut command = Command::new("nginx");
    // Run by one process, which the test can end.
    command.arg("-c").arg(&path).arg("-p").arg(folder.path()).args(["-g", "daemon off; master_process off;"]);
    assert_hides_metrics(&started(command, &address).await).await;
}
