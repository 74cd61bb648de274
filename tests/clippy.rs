//! What clippy refuses by `clippy.toml`, shown by programs that do it. They are compiled as those of this workspace
//! are, by clippy's driver, with a stub in the place of the crate: what is refused is known by its path.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// What the programs call of tokio.
const TOKIO: &str = "
pub mod time {
    pub struct Interval;
    impl Interval {
        pub async fn tick(&mut self) {}
    }
    pub async fn sleep(_: std::time::Duration) {}
    pub async fn sleep_until(_: std::time::Instant) {}
    pub fn interval(_: std::time::Duration) -> Interval {
        Interval
    }
    pub fn interval_at(_: std::time::Instant, _: std::time::Duration) -> Interval {
        Interval
    }
}
";

fn driver(folder: &TempDir) -> Command {
    let mut command = Command::new("clippy-driver");
    // Those of the build that this test belongs to are for other crates.
    command.env_remove("CLIPPY_ARGS").env("CLIPPY_CONF_DIR", Path::new(env!("CARGO_MANIFEST_DIR")));
    command.current_dir(folder.path());
    command
}

/// Compiles a program as `scripts/test` compiles those of this workspace.
fn compile(program: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let library = ["--edition", "2024", "--crate-type", "lib", "--emit", "metadata"];
    fs::write(folder.path().join("tokio.rs"), TOKIO).unwrap();
    fs::write(folder.path().join("planted.rs"), program).unwrap();
    let stub = driver(&folder).arg("--rustc").args(library).arg("tokio.rs").output().unwrap();
    assert!(stub.status.success(), "{}", String::from_utf8_lossy(&stub.stderr));
    let with_stub = ["--extern", "tokio=libtokio.rmeta", "-D", "warnings", "planted.rs"];
    driver(&folder).args(library).args(with_stub).output().unwrap()
}

#[test]
fn a_loop_that_sleeps_by_itself_is_refused() {
    let duration = "std::time::Duration::from_secs(1)";
    for (called, body) in [
        ("tokio::time::sleep", format!("loop {{ tokio::time::sleep({duration}).await; }}")),
        ("tokio::time::sleep_until", "loop { tokio::time::sleep_until(std::time::Instant::now()).await; }".to_owned()),
        (
            "tokio::time::interval",
            format!("let mut ticks = tokio::time::interval({duration}); loop {{ ticks.tick().await; }}"),
        ),
        ("std::thread::sleep", format!("loop {{ std::thread::sleep({duration}); }}")),
    ] {
        let output = compile(&format!("pub async fn watch() {{\n    {body}\n}}\n"));
        let told = String::from_utf8_lossy(&output.stderr);
        let refusal = format!("use of a disallowed method `{called}`");
        assert!(
            !output.status.success() && told.contains(&refusal) && told.contains("Clock::sleep"),
            "{called}: {told}"
        );
    }
}

#[test]
fn what_sleeps_by_the_clock_is_not_refused() {
    let clock = "pub struct Clock;\nimpl Clock {\n    pub async fn sleep(&self, _: std::time::Duration) {}\n}\n";
    let watch = "pub async fn watch(clock: &Clock) {\n    loop {\n        \
                 clock.sleep(std::time::Duration::from_secs(1)).await;\n    }\n}\n";
    let output = compile(&format!("{clock}{watch}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
