//! `examhall completions` and `examhall man`: what shells and manuals know of the command line. Both are made from the
//! declaration that reads it, so that they are always those of this release.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, mem};

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::output::write;
use super::{CliFailure, ManualCommand};
use crate::config::DEFAULTS;

const PROGRAM: &str = "examhall";

pub(super) fn print_manual(program: Command, command: ManualCommand) -> Result<ExitCode, CliFailure> {
    // `examhall help serve` says what `examhall serve --help` says, and needs no page.
    let mut program = program.disable_help_subcommand(true);
    match command {
        ManualCommand::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut program, PROGRAM, &mut script);
            write(&script)?;
        }
        ManualCommand::Man { folder: None } => write(&first_page(&program)?)?,
        ManualCommand::Man { folder: Some(folder) } => {
            program.build();
            save(&folder, &Man::new(program.clone()), &first_page(&program)?)?;
            program.get_subcommands().try_for_each(|command| save_pages(&folder, command))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command and those of the commands below it.
fn save_pages(folder: &Path, command: &Command) -> Result<(), CliFailure> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    save(folder, &page, &text)?;
    command.get_subcommands().try_for_each(|command| save_pages(folder, command))
}

fn save(folder: &Path, page: &Man, text: &[u8]) -> Result<(), CliFailure> {
    let file = folder.join(page.get_filename());
    fs::write(&file, text).map_err(|error| format!("{} cannot be written: {error}", file.display()).into())
}

/// The page of the program, with what concerns all commands.
fn first_page(program: &Command) -> Result<Vec<u8>, CliFailure> {
    let mut text = Vec::new();
    Man::new(program.clone()).render(&mut text)?;
    let mut roff = Roff::new();
    roff.control("SH", ["ENVIRONMENT"]);
    roff.text([roman(
        "Options of the server, with their defaults. The file that CONFIG names, in TOML, may have them in small letters.",
    )]);
    for option in options() {
        roff.control("TP", []);
        roff.text([bold(option.name), roman(format!(" ({})", option.default))]);
        roff.text([roman(option.sentence)]);
    }
    roff.control("SH", ["EXIT STATUS"]);
    roff.text([roman("0 for success, 1 for failure, 2 for a wrong call.")]);
    roff.to_writer(&mut text)?;
    Ok(text)
}

struct OptionEntry {
    name: String,
    default: String,
    sentence: String,
}

/// Every option of the defaults, with the comment above it. Options that follow each other share one.
fn options() -> Vec<OptionEntry> {
    let (mut found, mut sentence, mut is_used) = (Vec::new(), String::new(), false);
    for line in DEFAULTS.lines() {
        if let Some(comment) = line.strip_prefix('#') {
            if mem::take(&mut is_used) {
                sentence.clear();
            }
            sentence.push_str(comment);
        } else if let Some((name, value)) = line.split_once(" = ") {
            is_used = true;
            let default = if value == "\"\"" { "unset".to_owned() } else { value.replace('"', "") };
            found.push(OptionEntry { name: name.to_uppercase(), default, sentence: sentence.trim().to_owned() });
        } else {
            sentence.clear();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_their_defaults_and_sentences() {
        let found = options();
        let option = |name: &str| found.iter().find(|option| option.name == name).unwrap();
        assert_eq!((&*option("BIND").default, &*option("BIND").sentence), ("127.0.0.1:8080", "Address to listen on."));
        assert_eq!(option("REDIS_URL").default, "unset");
        assert!(option("IDP_CLIENT_SECRET").sentence.starts_with("Credentials at the identity provider."));
        assert!(found.iter().all(|option| !option.sentence.is_empty() && !option.sentence.contains(" = ")));
    }
}
