//! The command line: each command is one file and one function. Exit codes are 0 for success, 1 for failure, 2 for a
//! wrong call.

mod backup;
mod check;
mod health;
mod manual;
mod migrate;
mod output;
mod platform_key;
mod postgres;
mod questions;
mod receipts;
mod recovered;
mod restore;
mod serve;
mod signals;
mod token;
mod user;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use domain::access::Role;
use domain::exchange::foreign::Defaults;
use domain::exchange::{ExportFormat, Exported};
use domain::grade::Grade;
use domain::question::Difficulty;
use domain::school::PageLanguage;
use tokio::signal::unix::SignalKind;
use url::Url;
use uuid::Uuid;

use crate::config::{Config, external_base_url};
use crate::telemetry;
use signals::EndSignals;

/// An exam server that loses no answer.
#[derive(Parser)]
#[command(name = "examhall", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<AnyCommand>,
}

// A doc line here, or on these variants, would take the place of the program's own description.
#[derive(Subcommand)]
enum AnyCommand {
    #[command(flatten)]
    Configured(CliCommand),
    #[command(flatten)]
    Manual(ManualCommand),
}

// Those that read no configuration: whoever packages the program has none.
#[derive(Subcommand)]
enum ManualCommand {
    /// Print the completions of these commands for a shell
    Completions {
        /// The shell that reads them
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, which has every option of the server
    Man {
        /// Write the pages of all commands into this folder instead
        folder: Option<PathBuf>,
    },
}

// Those that follow the configuration.
#[derive(Subcommand)]
enum CliCommand {
    /// Run the server (the default command)
    Serve,
    /// Bring the database's schema up to date
    Migrate,
    /// Import and export the question bank, and choose the language of the sample questions
    #[command(subcommand)]
    Questions(QuestionsCommand),
    /// Manage API tokens
    #[command(subcommand)]
    Token(TokenCommand),
    /// Manage users
    #[command(subcommand)]
    User(UserCommand),
    /// Manage the keys that sign what learning platforms are sent
    #[command(subcommand)]
    PlatformKey(PlatformKeyCommand),
    /// Check what a student says to have handed in
    #[command(subcommand)]
    Receipt(ReceiptCommand),
    /// Check what is stored against what was signed
    #[command(subcommand)]
    Receipts(ReceiptsCommand),
    /// Write all data to a file while the server runs: a SQLite database, or a dump of Postgres as pg_dump makes it
    ///
    /// Everything that was called saved before the command began is in the file. The secret of the service is not: keep
    /// AUTH_SECRET, or the file auth_secret, as well.
    Backup {
        /// The file to write; only its owner may read it
        file: PathBuf,
        /// Replace the file when it exists, once the new one is whole
        #[arg(long)]
        replace: bool,
    },
    /// Replace all data by that of a backup; stop every server first
    ///
    /// What the database holds now is kept: its SQLite file stays beside the new one, and Postgres is dumped beside the
    /// backup. Nothing changes unless the backup is whole and the schema is known to this release.
    Restore {
        /// A file that `examhall backup` has written
        file: PathBuf,
    },
    /// Make a database ready that was recovered by other means than `restore`; stop every server first
    ///
    /// A database that was recovered to a moment, copied by its own programs, or moved to an asynchronous standby knows
    /// less than servers and browsers do. As after a restore, no server holds a seat then, a server that was cut off
    /// can no longer write, and everyone signs in anew.
    Recovered,
    /// Ask the server of this configuration, on this machine, whether it lives; exits with 1 when it does not answer
    ///
    /// For containers, whose images have no other program that could ask.
    Health {
        /// Ask whether it is ready for students instead: it is not while the database is away
        #[arg(long)]
        ready: bool,
    },
    /// Check configuration, database, Redis, identity provider and data provider: one line each
    Check {
        /// Check a data provider instead: call each route of the contract at this address, such as
        /// https://data.example/v1, with the key of EXTERNAL_API_KEY
        ///
        /// Prints one line for each route. What the check writes is harmless: it writes a question and a review back as
        /// it read them, and makes a user `examhall-check-…@example.invalid` whose assignments it removes again. It
        /// leaves behind that user as a student, a session, an entry in the log of edits, the user's decision on grade
        /// 1, and a pending review if the question had none. Do not run it while someone edits questions there.
        #[arg(long, value_name = "URL", value_parser = parse_base_url)]
        provider: Option<Url>,
    },
}

#[derive(Subcommand)]
enum PlatformKeyCommand {
    /// Have a key sign no more, since others may know it; another one signs at once, on all servers within a minute
    ///
    /// The other keys stay. Platforms may believe the key until they fetch the list of keys again.
    TakeBack {
        /// The key's name: `kid` in /lti/jwks
        kid: String,
    },
}

#[derive(Subcommand)]
enum ReceiptCommand {
    /// Tell what a receipt says, if this server has signed it
    ///
    /// With --keys nothing else is read, so that it works on any computer.
    Verify {
        /// The receipt: a file with `header.payload.signature`
        file: PathBuf,
        /// The proof that it is in the log of its sitting: a file that ends in .tlog-proof
        #[arg(long, value_name = "FILE")]
        proof: Option<PathBuf>,
        /// The keys of the server, as /.well-known/jwks.json gives them
        #[arg(long, value_name = "FILE")]
        keys: Option<PathBuf>,
    },
}

#[derive(Subcommand)]
enum ReceiptsCommand {
    /// Compare all stored results of sittings with their receipts and logs, and name each difference
    Check {
        /// The id of one sitting; without it all that have a log
        sitting: Option<Uuid>,
    },
}

#[derive(Subcommand)]
enum UserCommand {
    /// Give a user another role, which takes effect within seconds
    SetRole {
        /// E-mail address of the user
        email: String,
        /// student, reviewer, manager or admin
        #[arg(value_parser = parse_role)]
        role: Role,
    },
}

#[derive(Subcommand)]
enum QuestionsCommand {
    /// Add and overwrite questions from a file; what can't be imported is reported on standard error
    Import {
        /// A workbook or text with the columns that `export` writes, Moodle XML, GIFT, Aiken, or QTI
        file: PathBuf,
        /// The grade of questions that do not say it themselves, 1 to 10; a row of a workbook always does
        #[arg(long, value_parser = parse_grade)]
        grade: Option<Grade>,
        /// The topic of such questions
        #[arg(long)]
        topic: Option<String>,
        /// The difficulty of such questions, 1 to 5
        #[arg(long, value_parser = parse_difficulty)]
        difficulty: Option<Difficulty>,
        /// Report what the import would do, and write nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Write the sample questions that stand as they were shipped in another language
    ///
    /// What somebody has changed or retired stays as it is.
    SampleBank {
        /// en or vi
        #[arg(long, value_parser = parse_language)]
        language: PageLanguage,
    },
    /// Write questions to a file that can be imported again
    Export {
        /// 1 to 10, or all
        #[arg(long, value_parser = parse_exported)]
        grade: Exported,
        /// xlsx, moodle-xml, gift or qti3
        #[arg(long, value_parser = parse_format, default_value = "xlsx")]
        format: ExportFormat,
        /// The file to write; `-` is standard output
        file: PathBuf,
    },
}

#[derive(Subcommand)]
enum TokenCommand {
    /// Create a token for a user, who is created if missing, and print the token alone
    Create {
        /// E-mail address of the user
        email: String,
        /// What the token may do: student, reviewer, manager or admin; by default the same as the user
        #[arg(long, value_parser = parse_role)]
        role: Option<Role>,
        /// What the token is for
        #[arg(long, default_value = "command line")]
        name: String,
    },
}

fn parse_role(name: &str) -> Result<Role, String> {
    Role::parse(name).ok_or_else(|| "must be student, reviewer, manager or admin".to_owned())
}

fn parse_base_url(text: &str) -> Result<Url, String> {
    external_base_url(text)
        .ok_or_else(|| "must be an http or https address, such as https://data.example/v1".to_owned())
}

fn parse_grade(text: &str) -> Result<Grade, String> {
    Grade::parse(text).ok_or_else(|| "must be 1 to 10".to_owned())
}

fn parse_difficulty(text: &str) -> Result<Difficulty, String> {
    text.parse().ok().and_then(Difficulty::new).ok_or_else(|| "must be 1 to 5".to_owned())
}

fn parse_language(text: &str) -> Result<PageLanguage, String> {
    PageLanguage::parse(text).ok_or_else(|| "must be en or vi".to_owned())
}

fn parse_format(text: &str) -> Result<ExportFormat, String> {
    ExportFormat::parse(text).ok_or_else(|| "must be xlsx, moodle-xml, gift or qti3".to_owned())
}

fn parse_exported(text: &str) -> Result<Exported, String> {
    Exported::parse(text).ok_or_else(|| "must be 1 to 10, or all".to_owned())
}

/// Runs the command that the process was called with.
#[must_use]
pub fn run() -> ExitCode {
    let done = match Arguments::parse().command {
        Some(AnyCommand::Manual(command)) => manual::print_manual(Arguments::command(), command),
        Some(AnyCommand::Configured(command)) => load_and_execute(command),
        None => load_and_execute(CliCommand::Serve),
    };
    match done {
        Ok(code) => code,
        Err(error) => fail(&*error),
    }
}

type CliFailure = Box<dyn std::error::Error>;

fn load_and_execute(command: CliCommand) -> Result<ExitCode, CliFailure> {
    execute(command, Config::load()?)
}

fn execute(command: CliCommand, config: Config) -> Result<ExitCode, CliFailure> {
    telemetry::start_logging(&config.log);
    let system = actix_web::rt::System::new();
    match command {
        CliCommand::Serve => system.block_on(serve::serve(config)),
        CliCommand::Migrate => system.block_on(migrate::migrate(&config)),
        CliCommand::Backup { file, replace } => {
            system.block_on(unless_stopped(backup::backup(&config, &file, replace)))
        }
        CliCommand::Restore { file } => system.block_on(unless_stopped(restore::restore(&config, &file))),
        CliCommand::PlatformKey(PlatformKeyCommand::TakeBack { kid }) => {
            system.block_on(platform_key::take_back(&config, &kid))
        }
        CliCommand::Recovered => system.block_on(recovered::recovered(&config)),
        CliCommand::Receipt(ReceiptCommand::Verify { file, proof, keys }) => {
            system.block_on(receipts::verify(&config, &file, proof.as_deref(), keys.as_deref()))
        }
        CliCommand::Receipts(ReceiptsCommand::Check { sitting }) => {
            system.block_on(receipts::check_all(&config, sitting))
        }
        CliCommand::User(UserCommand::SetRole { email, role }) => {
            system.block_on(user::set_role(&config, &email, role))
        }
        CliCommand::Health { ready } => system.block_on(health::health(&config, ready)),
        CliCommand::Check { provider: None } => system.block_on(check::check(&config)),
        CliCommand::Check { provider: Some(base_url) } => system.block_on(check::check_provider(&config, base_url)),
        CliCommand::Questions(QuestionsCommand::Import { file, grade, topic, difficulty, dry_run }) => {
            let defaults = Defaults { grade, topic, difficulty };
            system.block_on(questions::import(&config, &file, defaults, dry_run))
        }
        CliCommand::Questions(QuestionsCommand::SampleBank { language }) => {
            system.block_on(questions::change_sample_language(&config, language))
        }
        CliCommand::Questions(QuestionsCommand::Export { grade, format, file }) => {
            system.block_on(questions::export(&config, grade, format, &file))
        }
        CliCommand::Token(TokenCommand::Create { email, role, name }) => {
            system.block_on(token::create(&config, &email, role, &name))
        }
    }
}

/// Ends a command at a signal, so that it removes the files that it has not finished.
async fn unless_stopped(command: impl Future<Output = Result<ExitCode, CliFailure>>) -> Result<ExitCode, CliFailure> {
    let mut signals = EndSignals::listen()?;
    tokio::select! {
        ended = command => ended,
        kind = signals.received() => Err(match kind {
            kind if kind == SignalKind::interrupt() => "stopped by an interrupt",
            kind if kind == SignalKind::hangup() => "stopped because the terminal has gone",
            _ => "stopped by SIGTERM",
        }.into()),
    }
}

#[allow(clippy::print_stderr, reason = "the one sentence that says why a command has failed")]
fn fail(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("examhall: {error}");
    ExitCode::from(1)
}
