//! `examhall questions import` and `export`, the bank as a file, and `sample-bank`, the language of the sample
//! questions: whether or not a server is running.

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use domain::exchange::foreign::Defaults;
use domain::exchange::{ExportFormat, Exported};
use domain::resources::Importer;
use domain::school::PageLanguage;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use prometheus_client::metrics::counter::Counter;

use super::CliFailure;
use super::output::{self, print, print_error};
use crate::app::secret::service_secret;
use crate::clock::Clock;
use crate::config::{Config, DataProvider};
use crate::database::{Database, private};
use crate::provider;
use crate::questions::exchange::exported_bank::ExportedBank;
use crate::questions::exchange::foreign_file::QuestionFile;
use crate::questions::exchange::{self, ImportMode, ImportReport, QuestionSource};
use crate::questions::samples;
use crate::redis::Redis;
use crate::sheets::book::FILE_BYTES_MAX;
use crate::store::rewritten::RewriteCounts;

/// Who has done it, in the log of edits.
const NAME: &str = "command line";
/// The template of the progress bar.
const BAR: &str = "{msg:8} [{bar:40}] {pos}/{len} {elapsed}";

/// Imports a file; `defaults` are for questions that do not say it themselves.
pub(super) async fn import(
    config: &Config,
    path: &Path,
    defaults: Defaults,
    is_dry_run: bool,
) -> Result<ExitCode, CliFailure> {
    let file = load_file(path)?;
    let bar = bar("reading");
    let told = bar.clone();
    let stores_pictures = matches!(config.data, DataProvider::Local);
    let read = actix_web::web::block(move || {
        QuestionFile { defaults, stores_pictures }.drafts(file, &mut |row, rows| {
            told.set_length(rows.into());
            told.set_position(row.into());
        })
    });
    let drafts = read.await?.map_err(|error| format!("{}: {error}", path.display()))?;
    let database = open(config).await?;
    bar.set_message("writing");
    bar.set_length(drafts.rows.len() as u64);
    let data = provider::open(config, &database, &Clock::system())?.provider;
    let by = importer();
    let mode = if is_dry_run { ImportMode::DryRun(None) } else { ImportMode::Write };
    let report = exchange::apply(&*data, drafts, &by, mode, &mut |written| bar.set_position(written as u64)).await?;
    bar.finish_and_clear();
    if !is_dry_run {
        tell_servers(config).await?;
    }
    database.close().await;
    tell(&report, is_dry_run)
}

/// Writes the sample questions that stand as they were shipped in a language.
pub(super) async fn change_sample_language(config: &Config, language: PageLanguage) -> Result<ExitCode, CliFailure> {
    let database = open(config).await?;
    let data = provider::open(config, &database, &Clock::system())?.provider;
    let RewriteCounts { changed, left } = samples::rewrite(&*data, language, &importer()).await?;
    if changed > 0 {
        tell_servers(config).await?;
    }
    database.close().await;
    print(&format!("{changed} changed, {left} left as the school has them"))?;
    Ok(ExitCode::SUCCESS)
}

fn importer() -> Importer {
    Importer { email: Importer::SERVER.to_owned(), name: NAME.to_owned() }
}

/// Tells running servers that banks have changed. Without Redis, or when it fails, they notice the raised versions by
/// polling the database.
async fn tell_servers(config: &Config) -> Result<(), CliFailure> {
    if let Some(url) = &config.store.redis_url {
        let secret = service_secret(config)?;
        Redis::new(url, &config.store.redis_prefix, &secret, Counter::default())?.tell_banks_changed().await;
    }
    Ok(())
}

/// Writes to standard output when the path is `-`.
pub(super) async fn export(
    config: &Config,
    exported: Exported,
    format: ExportFormat,
    path: &Path,
) -> Result<ExitCode, CliFailure> {
    let is_piped = path == Path::new("-");
    let is_text = matches!(format, ExportFormat::MoodleXml | ExportFormat::Gift);
    if is_piped && !is_text && std::io::stdout().is_terminal() {
        return Err("a workbook is not shown on a terminal: redirect standard output, or name a file".into());
    }
    let database = open(config).await?;
    let data = provider::open(config, &database, &Clock::system())?.provider;
    let bank = ExportedBank::load(&*data, &database, exported, format).await?;
    database.close().await;
    let bar = bar("writing");
    bar.set_length(bank.questions.len() as u64);
    let (told, count) = (bar.clone(), bank.questions.len());
    let file = actix_web::web::block(move || exchange::write(&bank, format, &mut |row| told.set_position(row as u64)))
        .await??;
    bar.finish_and_clear();
    if is_piped {
        output::write(&file)?;
        print_error(&format!("{count} questions written to standard output"));
        return Ok(ExitCode::SUCCESS);
    }
    private::write(path, &file).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    print(&format!("{count} questions written to {}", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn load_file(path: &Path) -> Result<Vec<u8>, CliFailure> {
    let unreadable = |error| format!("{} cannot be read: {error}", path.display());
    if std::fs::metadata(path).map_err(unreadable)?.len() > FILE_BYTES_MAX as u64 {
        return Err(format!("{} is larger than {} MiB", path.display(), FILE_BYTES_MAX / 1_024 / 1_024).into());
    }
    Ok(std::fs::read(path).map_err(unreadable)?)
}

async fn open(config: &Config) -> Result<Database, CliFailure> {
    let database = Database::open(&config.store.database_url, 1, 1).await?;
    database.migrate().await?;
    Ok(database)
}

/// Prints the counts on standard output, so that scripts can read them, and refused rows on standard error.
fn tell(report: &ImportReport, is_dry_run: bool) -> Result<ExitCode, CliFailure> {
    report.errors.iter().for_each(|error| print_error(error));
    let ImportReport { added, updated, errors, notes, read_as, ignored_columns, hidden_rows, .. } = report;
    notes.iter().for_each(|note| print_error(note));
    for heading in ignored_columns {
        print_error(&format!("the column {heading} is not known and was passed over"));
    }
    if let Some(encoding) = read_as {
        print_error(&format!("the file does not say its encoding: it was read as {encoding}"));
    }
    if *hidden_rows > 0 {
        print_error(&format!("{hidden_rows} rows that the file hides were read like the others"));
    }
    let note = match errors.len() {
        _ if is_dry_run => " (dry run: nothing was written)",
        0 => "",
        // The exit code says that something failed, but it does not say that the rest is in the bank.
        _ if added + updated > 0 => " (the other rows were written)",
        _ => " (nothing was written)",
    };
    print(&format!("{added} added, {updated} updated, {} rows with errors{note}", errors.len()))?;
    Ok(if errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A progress bar on standard error; hidden if that is not a terminal.
fn bar(message: &'static str) -> ProgressBar {
    let target =
        if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(BAR).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(0), target).with_style(style.progress_chars("=> ")).with_message(message)
}
