//! The primary of PostgreSQL is killed while students save, and its standby takes its place; standbys are told from
//! primaries, and one that is required is there. Two clusters are made for each test, which takes some seconds.

use std::process::{Output, Stdio};

use futures_util::future::join_all;
use sea_orm::{Database, DbBackend, Statement};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::*;
use crate::hall::{
    Candidate, PostgresPair, Process, SERVERS, Settings, TestStore, deployed, eventually, free_address, need_services,
    program, run,
};

/// How long after a promotion everyone has saved again. Mostly about two seconds.
const SAVED_WITHIN: Duration = Duration::from_secs(15);

#[tokio::test]
async fn a_dead_primary_takes_nothing_with_it_that_was_saved() {
    let mut cluster = Cluster::open(Setup { postgres_pair: true, ..Setup::default() }).await;
    let exam = Exam::begin(&cluster).await;
    cluster.fail_over().await;
    exam.everyone_saves_within(SAVED_WITHIN).await;
    for server in 0..SERVERS {
        let metrics = cluster.server(server).anonymous().get("/metrics").await.text();
        let failed: Vec<&str> = metrics.lines().filter(|line| line.contains("status=\"500\"")).collect();
        assert!(failed.is_empty(), "{failed:?}");
        assert!(cluster.server(server).log().contains("another primary"), "{}", cluster.server(server).log());
    }
    exam.end(&cluster).await;
}

/// The settings of a server whose database is at this address.
async fn settings_with(url: &str, more: &[(&str, &str)]) -> (Settings, TestStore) {
    let store = TestStore::create().await;
    (store.settings(&[&[("DATABASE_URL", url)][..], more].concat()), store)
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), output.stderr.as_slice()].concat()).into_owned()
}

/// A start and a check must be refused with this sentence.
async fn assert_refused(settings: &Settings, sentence: &str) {
    for command in ["check", "serve"] {
        let output = run(settings, &[command]).await;
        assert_eq!(output.status.code(), Some(1), "{command}: {}", told(&output));
        assert!(told(&output).contains(sentence), "{command}: {}", told(&output));
    }
}

#[tokio::test]
async fn a_standby_is_told_from_the_primary() {
    need_services();
    let pair = PostgresPair::open().await;
    let (alone, _store) = settings_with(&pair.standby.url(), &[]).await;
    assert_refused(&alone, "the database is a standby").await;

    let (both, _store) = settings_with(&pair.url(), &[]).await;
    let checked = run(&both, &["check"]).await;
    let primary = format!("database: ok, {} is the primary", pair.primary.address);
    assert!(checked.status.success() && told(&checked).contains(&primary), "{}", told(&checked));
    // Whatever else is called finds it, too.
    assert!(run(&both, &["migrate"]).await.status.success());
    let file = TempDir::new().unwrap();
    let mut backup = program(&both);
    backup.env("PATH", std::env::var_os("PATH").unwrap()).arg("backup").arg(file.path().join("backup"));
    let backed_up = backup.output().await.unwrap();
    assert!(backed_up.status.success(), "{}", told(&backed_up));

    pair.primary.kill().await;
    let (dead, standby) = (&pair.primary.address, &pair.standby.address);
    let sentence =
        format!("no host of DATABASE_URL takes writes: {dead} refused the connection, {standby} is a standby");
    assert_refused(&both, &sentence).await;

    pair.standby.promote().await;
    let checked = run(&both, &["check"]).await;
    let primary = format!("database: ok, {standby} is the primary");
    assert!(checked.status.success() && told(&checked).contains(&primary), "{}", told(&checked));
}

#[tokio::test]
async fn a_standby_that_is_required_must_be_synchronous() {
    need_services();
    let pair = PostgresPair::open().await;
    let (settings, _store) = settings_with(&pair.url(), &[("REQUIRE_SYNC_STANDBY", "true")]).await;
    assert_refused(&settings, "REQUIRE_SYNC_STANDBY: the standby may lack what was called saved").await;

    pair.make_synchronous().await;
    let checked = run(&settings, &["check"]).await;
    assert!(
        checked.status.success() && told(&checked).contains("a standby has all that is saved"),
        "{}",
        told(&checked)
    );
    let process = Process::serve(&settings).await;
    let is_protected = async |wanted: &str| {
        eventually("the metrics say whether the database is protected", async || {
            let metrics = process.anonymous().get("/metrics").await.text();
            metrics.contains(&format!("examhall_database_protected{{}} {wanted}\n")).then_some(())
        })
        .await;
    };
    is_protected("1").await;
    let mut candidate = Candidate::start(process.base(), json!({ "grade": 5, "questionCount": 10 })).await;

    // Protection ends, as when pg_auto_failover lets a primary go on alone. Saving does not.
    pair.make_asynchronous().await;
    is_protected("0").await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    let warnings = process.log().matches("what is saved is on one machine alone").count();
    assert_eq!(warnings, 1, "{}", process.log());

    // A role without rights cannot know.
    let create = "CREATE ROLE nobody LOGIN; GRANT ALL ON SCHEMA public TO nobody";
    run_statement(&pair.primary.url(), create).await;
    let of_nobody = pair.url().replace("postgres@", "nobody@");
    let (settings, _store) = settings_with(&of_nobody, &[("REQUIRE_SYNC_STANDBY", "true")]).await;
    assert_refused(&settings, "GRANT pg_read_all_stats").await;
}

async fn run_statement(url: &str, statement: &str) {
    let connection = Database::connect(url).await.unwrap();
    sea_orm::ConnectionTrait::execute_unprepared(&connection, statement).await.unwrap();
    connection.close().await.unwrap();
}

/// The connection by which the standby is asked was opened while nobody could write, and reads only for ever.
#[tokio::test]
async fn a_standby_that_was_restarted_in_a_maintenance_is_followed_later() {
    need_services();
    let mut pair = PostgresPair::open().await;
    let (settings, _store) = settings_with(&pair.url(), &[]).await;
    let process = Process::serve(&settings).await;
    let always_writes = format!("{}?options[default_transaction_read_only]=off", pair.primary.url());
    let standby_knows = async |wanted: i64| {
        let settings = "SELECT count(*) FROM pg_db_role_setting";
        eventually("the standby knows what holds", async || {
            (pair.standby.value::<i64>(settings).await == wanted).then_some(())
        })
        .await;
    };
    run_statement(&always_writes, "ALTER DATABASE postgres SET default_transaction_read_only = on").await;
    standby_knows(1).await;
    pair.standby.restart().await;
    let asking = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'examhall'";
    eventually("the standby is asked again", async || (pair.standby.value::<i64>(asking).await > 0).then_some(()))
        .await;
    run_statement(&always_writes, "ALTER DATABASE postgres RESET default_transaction_read_only").await;
    standby_knows(0).await;
    pair.fail_over().await;
    eventually("the server has followed", async || process.log().contains("another primary").then_some(())).await;
    let caller = process.anonymous();
    eventually("it can write", async || (caller.get("/readyz").await.status == 200).then_some(())).await;
}

#[tokio::test]
async fn a_host_that_could_lose_what_is_saved_is_told() {
    need_services();
    let mut pair = PostgresPair::open().await;
    pair.standby.configure("fsync = off");
    pair.standby.restart().await;
    let (settings, _store) = settings_with(&pair.url(), &[]).await;
    let process = Process::serve(&settings).await;
    let warnings = || process.log().matches("a host of the database has fsync off").count();
    assert_eq!(warnings(), 1, "{}", process.log());
    pair.fail_over().await;
    eventually("it is told of the new primary", async || (warnings() == 2).then_some(())).await;
}

/// HAProxy before the database, as `deploy/` has it, with the addresses of a test.
struct DatabaseProxy {
    address: String,
    _child: Child,
    _folder: TempDir,
}

impl DatabaseProxy {
    fn before(hosts: [&str; 2]) -> Self {
        let (folder, address) = (TempDir::new().unwrap(), free_address());
        let (bind, bind_redis) = (format!("bind {address}"), format!("bind {}", free_address()));
        let text = deployed(
            "haproxy-database.cfg",
            &[
                ("bind 127.0.0.1:5433", bind.as_str()),
                ("bind 127.0.0.1:6380", bind_redis.as_str()),
                ("10.0.0.21:5432", hosts[0]),
                ("10.0.0.22:5432", hosts[1]),
            ],
        );
        let path = folder.path().join("haproxy.cfg");
        std::fs::write(&path, text).unwrap();
        let mut command = Command::new("haproxy");
        command.arg("-db").arg("-f").arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child =
            command.kill_on_drop(true).spawn().expect("haproxy is needed for this test: scripts/test installs it");
        Self { address, _child: child, _folder: folder }
    }

    /// The port of the host that it leads to, if to any.
    async fn leads_to(&self) -> Option<String> {
        let mut options = sea_orm::ConnectOptions::new(format!("postgres://postgres@{}/postgres", self.address));
        options.acquire_timeout(Duration::from_secs(1)).max_connections(1);
        let connection = Database::connect(options).await.ok()?;
        let statement = Statement::from_string(DbBackend::Postgres, "SELECT inet_server_port()::text");
        let row = sea_orm::ConnectionTrait::query_one_raw(&connection, statement).await.ok()??;
        connection.close().await.ok()?;
        row.try_get_by_index(0).ok()
    }
}

#[tokio::test]
async fn haproxy_leads_to_the_primary() {
    need_services();
    let mut pair = PostgresPair::open().await;
    run_statement(&pair.primary.url(), "CREATE ROLE haproxy_check LOGIN").await;
    let role = "SELECT count(*) FROM pg_roles WHERE rolname = 'haproxy_check'";
    eventually("the standby knows the role", async || (pair.standby.value::<i64>(role).await == 1).then_some(())).await;
    let proxy = DatabaseProxy::before([&pair.standby.address, &pair.primary.address]);
    let leads_to = async |port: &str| {
        eventually("HAProxy leads to the primary", async || proxy.leads_to().await.filter(|found| found == port)).await;
    };
    leads_to(pair.primary.port()).await;
    for _ in 0..10 {
        assert_eq!(proxy.leads_to().await.as_deref(), Some(pair.primary.port()), "never to the standby");
    }
    pair.fail_over().await;
    leads_to(pair.standby.port()).await;
}

/// Nobody who saves notices that the address names a host which is away.
#[tokio::test]
async fn a_host_that_is_away_disturbs_nobody() {
    need_services();
    let store = TestStore::with_sample_bank().await;
    let url = store.settings(&[])["DATABASE_URL"].clone();
    let (head, database) = url.rsplit_once('/').unwrap();
    let settings = store.settings(&[("DATABASE_URL", &format!("{head},{}/{database}", free_address()))]);
    let process = Process::serve(&settings).await;
    let start = json!({ "grade": 5, "questionCount": 10 });
    let mut candidates = join_all((0..4).map(|_| Candidate::start(process.base(), start.clone()))).await;
    join_all(candidates.iter_mut().map(async |candidate| {
        let question = candidate.paper[0].clone();
        candidate.answer(&question, "B").await;
    }))
    .await;
    assert_eq!(process.anonymous().get("/readyz").await.status, 200);
}
