//! `examhall backup` and `examhall restore`, on the database of the other tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};

use crate::hall::numbered::{QUESTIONS, assert_kept, command, letters};
use crate::hall::{Candidate, Hall, Process, Settings, need_services, program};

const STUDENTS: usize = 6;
/// Commands of each student that are saved before the backup begins, while it runs, and after it.
const BEFORE: u64 = 60;
const MEANWHILE: u64 = 40;
const AFTERWARDS: u64 = 20;
/// Just below what one student may send.
const PACE: Duration = Duration::from_millis(21);

/// Runs a command that needs other programs, which the search path finds.
async fn call(settings: &Settings, arguments: &[&str]) -> Output {
    let mut command = program(settings);
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.args(arguments).output().await.unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn must(settings: &Settings, arguments: &[&str]) -> Output {
    let output = call(settings, arguments).await;
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    output
}

fn is_on_postgres(hall: &Hall) -> bool {
    hall.database_url().starts_with("postgres")
}

/// Sends the commands of these numbers, and waits until they are saved.
async fn save(candidate: &mut Candidate, numbers: std::ops::RangeInclusive<u64>) {
    let last = *numbers.end();
    for seq in numbers {
        let frame = command(&candidate.paper, seq);
        candidate.socket().send(&frame).await;
        tokio::time::sleep(PACE).await;
    }
    candidate.socket().expect_saved(last).await;
}

async fn one_number(url: &str, query: &str) -> i64 {
    let connection = Database::connect(url).await.unwrap();
    let statement = Statement::from_string(connection.get_database_backend(), query);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    let number = row.try_get_by_index(0).unwrap();
    connection.close().await.unwrap();
    number
}

async fn change(url: &str, statement: &str) {
    let connection = Database::connect(url).await.unwrap();
    connection.execute_unprepared(statement).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn running_exams_outlive_a_backup_a_kill_and_a_restore() {
    let mut hall = Hall::open().await;
    hall.stop().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("monday.backup");
    let process = Process::serve(hall.settings()).await;
    let start = |number: usize| json!({ "grade": 1 + number, "questionCount": QUESTIONS, "durationMinutes": 70 });
    let base = process.base().to_owned();
    let mut students = join_all((0..STUDENTS).map(|number| Candidate::start(&base, start(number)))).await;
    join_all(students.iter_mut().map(|student| save(student, 1..=BEFORE))).await;
    let path = file.to_str().unwrap().to_owned();
    let writing = join_all(students.iter_mut().map(|student| save(student, BEFORE + 1..=BEFORE + MEANWHILE)));
    let arguments = ["backup", path.as_str()];
    let (_, made) = tokio::join!(writing, must(hall.settings(), &arguments));
    assert!(String::from_utf8_lossy(&made.stdout).contains("MB"));
    let last = BEFORE + MEANWHILE + AFTERWARDS;
    join_all(students.iter_mut().map(|student| save(student, BEFORE + MEANWHILE + 1..=last))).await;
    let refused = call(hall.settings(), &["restore", &path]).await;
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("stop it first"), "{}", stderr(&refused));
    process.kill().await;
    let restored = restore_after_kill(&hall, &path).await;
    assert!(stderr(&restored).contains("before-restore"), "{}", stderr(&restored));
    assert_eq!(
        one_number(hall.database_url(), "SELECT count(*) FROM seats WHERE server IS NULL").await,
        STUDENTS as i64
    );
    assert!(one_number(hall.database_url(), "SELECT min(fence) FROM seats").await > 1_000_000);

    let process = Process::serve(hall.settings()).await;
    join_all(students.iter_mut().map(|student| finish(student, process.base(), last))).await;
}

/// Postgres notices a little later that the connections of a killed server are gone.
async fn restore_after_kill(hall: &Hall, path: &str) -> Output {
    crate::hall::eventually("the killed server's connections are gone", async || {
        let output = call(hall.settings(), &["restore", path]).await;
        assert!(output.status.success() || stderr(&output).contains("stop it first"), "{}", stderr(&output));
        output.status.success().then_some(output)
    })
    .await
}

/// What was saved before the backup is there; the student sends the rest again and hands in.
async fn finish(student: &mut Candidate, base: &str, last: u64) {
    student.move_to(base);
    let resumed = student.resume().await;
    assert_kept(&resumed, &student.paper, BEFORE, BEFORE + MEANWHILE);
    let known = resumed["seq"].as_u64().unwrap();
    save(student, known + 1..=last).await;
    student.seq = last;
    let submitted = student.submit().await;
    assert_eq!(submitted["result"]["totalQuestions"], QUESTIONS);
    let stored =
        crate::hall::Caller::new(base, None).get(&format!("/api/sessions/{}", student.session_id)).await.json();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let rows = stored["result"]["answers"].as_array().unwrap().iter();
    let chosen = rows.map(|row| (text(row, "questionId"), text(row, "selected")));
    let chosen: BTreeMap<String, String> = chosen.filter(|(_, selected)| !selected.is_empty()).collect();
    assert_eq!(chosen, letters(&student.paper, last));
}

/// A stopped hall with one stored session, a backup of it, and then a second session that the backup does not have.
async fn backed_up(folder: &Path) -> (Hall, String) {
    let mut hall = Hall::open().await;
    hall.sit(json!({ "grade": 5 })).await.submit().await;
    let path = folder.join("backup").to_str().unwrap().to_owned();
    must(hall.settings(), &["backup", &path]).await;
    hall.sit(json!({ "grade": 5 })).await.submit().await;
    hall.stop().await;
    (hall, path)
}

async fn sessions(hall: &Hall) -> i64 {
    one_number(hall.database_url(), "SELECT count(*) FROM sessions").await
}

#[tokio::test]
async fn a_restore_goes_back_and_forth() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, path) = backed_up(folder.path()).await;
    assert_eq!(sessions(&hall).await, 2);
    let restored = must(hall.settings(), &["restore", &path]).await;
    assert_eq!(sessions(&hall).await, 1);
    // What was there is kept, and is a backup itself.
    let told = stderr(&restored);
    let former = told.trim().rsplit(' ').next().unwrap();
    must(hall.settings(), &["restore", former]).await;
    assert_eq!(sessions(&hall).await, 2);
}

#[tokio::test]
async fn a_backup_is_written_over_only_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, path) = backed_up(folder.path()).await;
    let refused = call(hall.settings(), &["backup", &path]).await;
    assert!(refused.status.code() == Some(1) && stderr(&refused).contains("exists"), "{}", stderr(&refused));
    must(hall.settings(), &["backup", "--replace", &path]).await;
    must(hall.settings(), &["restore", &path]).await;
    assert_eq!(sessions(&hall).await, 2);
    if !is_on_postgres(&hall) {
        let database = hall.database_url().trim_start_matches("sqlite://").to_owned();
        for own in [database.clone(), format!("{database}-lock")] {
            let refused = call(hall.settings(), &["backup", "--replace", &own]).await;
            assert!(stderr(&refused).contains("belongs to the database itself"), "{}", stderr(&refused));
        }
        assert_eq!(sessions(&hall).await, 2);
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".part")), "{left:?}");
}

#[tokio::test]
async fn what_is_no_backup_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, path) = backed_up(folder.path()).await;
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    for byte in &mut damaged[whole.len() / 2..whole.len() / 2 + 20_000] {
        *byte ^= 0x5A;
    }
    let other: &[u8] = if is_on_postgres(&hall) { b"SQLite format 3\0 and so on" } else { b"PGDMP and so on" };
    let files: [(&str, &[u8]); 5] = [
        ("nothing", &[]),
        ("a text", b"Hello"),
        ("a backup of another database", other),
        ("half a backup", &whole[..whole.len() / 2]),
        ("a damaged backup", &damaged),
    ];
    for (what, bytes) in files {
        let file = folder.path().join("other");
        fs::write(&file, bytes).unwrap();
        let refused = call(hall.settings(), &["restore", file.to_str().unwrap()]).await;
        assert_eq!(refused.status.code(), Some(1), "{what}: {}", stderr(&refused));
        assert_eq!(sessions(&hall).await, 2, "{what}");
    }
    let missing = call(hall.settings(), &["restore", "/no/such/file"]).await;
    assert!(missing.status.code() == Some(1) && stderr(&missing).contains("/no/such/file"), "{}", stderr(&missing));
    must(hall.settings(), &["restore", &path]).await;
}

#[tokio::test]
async fn a_backup_of_a_newer_release_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, _) = backed_up(folder.path()).await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m99_tomorrow', 0)";
    change(hall.database_url(), newer).await;
    let path = folder.path().join("newer").to_str().unwrap().to_owned();
    must(hall.settings(), &["backup", &path]).await;
    change(hall.database_url(), "DELETE FROM seaql_migrations WHERE version = 'm99_tomorrow'").await;
    let refused = call(hall.settings(), &["restore", &path]).await;
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("newer release") && stderr(&refused).contains("m99_tomorrow"));
    assert_eq!(sessions(&hall).await, 2);
}

/// The files in a folder that are not whole.
fn parts(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains(".part")).collect()
}

/// A folder with a program of this name that waits for longer than a test lasts.
fn waiting_program(folder: &Path, name: &str) -> String {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join(name), "#!/bin/sh\nexec sleep 100\n").unwrap();
    fs::set_permissions(bin.join(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
}

/// Begins a command that can't go on, sends it a signal when it has begun to write, and returns what it says.
async fn stopped(hall: &Hall, folder: &Path, signal: &str, arguments: &[&str]) -> Output {
    let mut command = program(hall.settings());
    command.env("PATH", waiting_program(folder, "pg_dump"));
    command.args(arguments).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let process = command.spawn().unwrap();
    crate::hall::eventually("the command writes", async || (!parts(folder).is_empty()).then_some(())).await;
    let id = process.id().unwrap().to_string();
    assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
    process.wait_with_output().await.unwrap()
}

#[tokio::test]
async fn a_command_that_is_stopped_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, path) = backed_up(folder.path()).await;
    let connection = Database::connect(hall.database_url()).await.unwrap();
    if !is_on_postgres(&hall) {
        // SQLite waits for some seconds for a connection that keeps all others away.
        connection.execute_unprepared("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT").await.unwrap();
    }
    let before = fs::read(&path).unwrap();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let output = stopped(&hall, folder.path(), signal, &["backup", "--replace", &path]).await;
        assert_eq!(output.status.code(), Some(1), "{signal}: {}", stderr(&output));
        assert!(stderr(&output).contains("stopped"), "{}", stderr(&output));
        assert_eq!(parts(folder.path()), [""; 0], "{signal}");
    }
    assert!(fs::read(&path).unwrap() == before, "the former backup is untouched");
    if is_on_postgres(&hall) {
        // A restore first dumps what is there.
        stopped(&hall, folder.path(), "-TERM", &["restore", &path]).await;
        assert_eq!(parts(folder.path()), [""; 0]);
        assert_eq!(sessions(&hall).await, 2);
    }
    connection.close().await.unwrap();
}

/// Files of the former data beside a backup.
fn formers(folder: &Path) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().contains("before-restore")).count()
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn a_database_in_use_is_not_taken_for_a_backup() {
        let folder = tempfile::tempdir().unwrap();
        let (hall, path) = backed_up(folder.path()).await;
        let database = hall.database_url().trim_start_matches("sqlite://").to_owned();
        let refused = call(hall.settings(), &["restore", &database]).await;
        assert!(stderr(&refused).contains("the database itself"), "{}", stderr(&refused));
        fs::write(format!("{path}-wal"), "log").unwrap();
        let refused = call(hall.settings(), &["restore", &path]).await;
        assert!(stderr(&refused).contains("lies beside it"), "{}", stderr(&refused));
    }

    /// On SQLite, the log of a killed server would be played back over the file that takes its database's place.
    #[tokio::test]
    async fn nothing_is_played_back_over_a_restored_file() {
        let folder = tempfile::tempdir().unwrap();
        let (hall, path) = backed_up(folder.path()).await;
        let process = Process::serve(hall.settings()).await;
        let mut candidate = Candidate::start(process.base(), json!({ "grade": 5, "questionCount": QUESTIONS })).await;
        save(&mut candidate, 1..=10).await;
        process.kill().await;
        let database = hall.database_url().trim_start_matches("sqlite://").to_owned();
        assert!(fs::metadata(format!("{database}-wal")).unwrap().len() > 0);
        must(hall.settings(), &["restore", &path]).await;
        for end in ["-wal", "-shm"] {
            assert!(!fs::exists(format!("{database}{end}")).unwrap(), "{end}");
        }
        assert_eq!(one_number(hall.database_url(), "SELECT count(*) FROM attempts").await, 1);
        // A damaged database is replaced too, with its log put aside.
        fs::write(&database, vec![7; 50_000]).unwrap();
        fs::write(format!("{database}-wal"), vec![7; 5_000]).unwrap();
        let restored = must(hall.settings(), &["restore", &path]).await;
        assert!(stderr(&restored).contains("damaged"), "{}", stderr(&restored));
        assert_eq!(sessions(&hall).await, 1);
        let value: Value = Process::serve(hall.settings()).await.anonymous().get("/readyz").await.json();
        assert_eq!(value["status"], "ok");
    }
}

#[tokio::test]
async fn a_database_that_was_recovered_ends_the_claims_of_the_past() {
    let mut hall = Hall::open().await;
    hall.sit(json!({ "grade": 5 })).await;
    hall.cookie("someone@exam.test").await;
    let refused = call(hall.settings(), &["recovered"]).await;
    assert!(refused.status.code() == Some(1) && stderr(&refused).contains("stop it first"), "{}", stderr(&refused));
    assert_eq!(one_number(hall.database_url(), "SELECT count(*) FROM sign_ins").await, 1);
    hall.stop().await;
    let recovered = must(hall.settings(), &["recovered"]).await;
    assert!(String::from_utf8_lossy(&recovered.stdout).contains("no server holds a seat"));
    let fence = one_number(hall.database_url(), "SELECT min(fence) FROM seats WHERE server IS NULL").await;
    assert!(fence > 1_000_000, "{fence}");
    assert_eq!(one_number(hall.database_url(), "SELECT count(*) FROM sign_ins").await, 0);
    let process = Process::serve(hall.settings()).await;
    assert!(process.terminate().await.success());
}

#[tokio::test]
async fn what_is_no_database_of_ours_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/none.db", folder.path().display());
    let mut settings = Settings::new();
    settings.insert("DATABASE_URL".to_owned(), url);
    let missing = call(&settings, &["recovered"]).await;
    assert!(missing.status.code() == Some(1) && stderr(&missing).contains("does not exist"), "{}", stderr(&missing));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::write(folder.path().join("none.db"), "").unwrap();
    let foreign = call(&settings, &["recovered"]).await;
    assert!(stderr(&foreign).contains("it is not a database of Exam Hall"), "{}", stderr(&foreign));
}

mod several_servers {
    use super::*;

    #[tokio::test]
    async fn a_password_is_on_no_command_line() {
        need_services();
        let folder = tempfile::tempdir().unwrap();
        let (hall, path) = backed_up(folder.path()).await;
        // A program of that name notes how it is called.
        let noted = folder.path().join("noted");
        let script = format!("#!/bin/sh\necho \"$0 $*\" >>{0}; env >>{0}.env; exit 1\n", noted.display());
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        fs::write(bin.join("pg_dump"), script).unwrap();
        fs::set_permissions(bin.join("pg_dump"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let mut settings = hall.settings().clone();
        let with_password = hall.database_url().replace("postgres@", "postgres:s3%2Fcret@");
        settings.insert("DATABASE_URL".to_owned(), with_password);
        let mut command = program(&settings);
        command.env("PATH", format!("{}:/usr/bin:/bin", bin.display())).args(["backup", "--replace", &path]);
        let output = command.output().await.unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(!fs::read_to_string(&noted).unwrap().contains("cret"));
        assert!(fs::read_to_string(noted.with_extension("env")).unwrap().contains("PGPASSWORD=s3/cret"));
        let mut command = program(&settings);
        let output = command.env("PATH", "/nowhere").args(["backup", "--replace", &path]).output().await.unwrap();
        assert!(stderr(&output).contains("pg_dump cannot be started"), "{}", stderr(&output));
        assert!(stderr(&output).contains("postgresql-client"), "{}", stderr(&output));
    }

    #[tokio::test]
    async fn the_former_data_is_kept_only_if_it_was_replaced() {
        need_services();
        let folder = tempfile::tempdir().unwrap();
        let (hall, path) = backed_up(folder.path()).await;
        // Someone reads a table for longer than the restore waits.
        let connection = Database::connect(hall.database_url()).await.unwrap();
        let transaction = sea_orm::TransactionTrait::begin(&connection).await.unwrap();
        transaction.execute_unprepared("LOCK TABLE sessions IN ACCESS SHARE MODE").await.unwrap();
        let refused = call(hall.settings(), &["restore", &path]).await;
        assert!(
            refused.status.code() == Some(1) && stderr(&refused).contains("nothing was changed"),
            "{}",
            stderr(&refused)
        );
        assert_eq!(formers(folder.path()), 0, "{}", stderr(&refused));
        transaction.rollback().await.unwrap();
        connection.close().await.unwrap();
        let restored = must(hall.settings(), &["restore", &path]).await;
        assert!(stderr(&restored).contains("what the database held before is in"), "{}", stderr(&restored));
        assert_eq!((formers(folder.path()), sessions(&hall).await), (1, 1));
    }

    #[tokio::test]
    async fn views_and_rights_of_others_outlive_a_restore() {
        need_services();
        let folder = tempfile::tempdir().unwrap();
        let (hall, path) = backed_up(folder.path()).await;
        let url = hall.database_url();
        let role = format!("Reader {}", uuid::Uuid::new_v4().simple());
        for statement in [
            format!("CREATE ROLE \"{role}\""),
            format!("GRANT SELECT ON sessions TO \"{role}\" WITH GRANT OPTION"),
            format!("GRANT SELECT (email, name) ON users TO \"{role}\""),
            "CREATE VIEW \"Scores\" WITH (security_barrier = true) AS SELECT session_id, score FROM sessions"
                .to_owned(),
            "CREATE VIEW best AS SELECT max(score) AS score FROM \"Scores\"".to_owned(),
            "CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS count FROM \"Scores\"".to_owned(),
            "CREATE UNIQUE INDEX counted_once ON counted (count)".to_owned(),
            format!("GRANT SELECT ON \"Scores\" TO \"{role}\""),
            format!("GRANT SELECT ON best TO \"{role}\""),
            // Made by whoever restores, it would read and write with that role's rights.
            "CREATE VIEW loot AS SELECT * FROM users".to_owned(),
            "GRANT SELECT, INSERT ON loot TO PUBLIC".to_owned(),
            format!("ALTER VIEW loot OWNER TO \"{role}\""),
            "ALTER TABLE sessions ADD COLUMN extra integer".to_owned(),
            "CREATE VIEW extras AS SELECT extra FROM sessions".to_owned(),
        ] {
            change(url, &statement).await;
        }
        let restored = must(hall.settings(), &["restore", &path]).await;
        let told = stderr(&restored);
        for lost in ["CREATE VIEW public.extras", "CREATE VIEW public.loot"] {
            assert!(told.contains(lost), "{told}");
        }
        assert_eq!(told.matches("WARNING").count(), 2, "{told}");
        let is_so = async |condition: String| one_number(url, &format!("SELECT ({condition})::int::bigint")).await == 1;
        for condition in [
            "(SELECT count(*) FROM \"Scores\") = 1".to_owned(),
            "(SELECT score FROM best) >= 200".to_owned(),
            "(SELECT reloptions::text FROM pg_class WHERE relname = 'Scores') LIKE '%security_barrier%'".to_owned(),
            format!("has_table_privilege('{role}', 'best', 'SELECT')"),
            format!("has_table_privilege('{role}', 'sessions', 'SELECT WITH GRANT OPTION')"),
            format!("has_column_privilege('{role}', 'users', 'email', 'SELECT')"),
            format!("NOT has_column_privilege('{role}', 'users', 'role', 'SELECT')"),
            "to_regclass('counted_once') IS NOT NULL".to_owned(),
            "to_regclass('extras') IS NULL".to_owned(),
            "to_regclass('loot') IS NULL".to_owned(),
        ] {
            assert!(is_so(condition.clone()).await, "{condition}");
        }
        change(url, "REFRESH MATERIALIZED VIEW counted").await;
        assert_eq!(one_number(url, "SELECT count FROM counted").await, 1);
        // Roles belong to the whole cluster.
        change(url, &format!("DROP OWNED BY \"{role}\"; DROP ROLE \"{role}\"")).await;
    }
}
