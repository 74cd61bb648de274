//! What fuzzers have found, and what they begin with: each case goes through its target again, and so do some changes
//! of it. `scripts/fuzz` tries many more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

#[path = "../fuzz/targets.rs"]
mod targets;

use targets::TARGETS;

const SEED: u64 = 0x00f0_77e5;
/// Changes of each case.
const CHANGES: usize = 40;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/cases")
}

/// The cases of a target. Those that are no text are kept in base64.
fn cases(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder().join(name)).unwrap_or_else(|error| panic!("{name} has no cases: {error}"));
    let mut cases: Vec<(PathBuf, Vec<u8>)> = files
        .map(|file| {
            let path = file.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            let is_encoded = path.extension().is_some_and(|extension| extension == "base64");
            let encoded = || bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>();
            let case = if is_encoded { STANDARD.decode(encoded()).unwrap() } else { bytes };
            (path, case)
        })
        .collect();
    cases.sort();
    cases
}

#[test]
fn each_case_passes() {
    for (name, target) in TARGETS {
        let cases = cases(name);
        assert!(!cases.is_empty(), "{name} has no cases");
        for (path, case) in cases {
            // The test runner shows this when the target panics.
            println!("{}", path.display());
            target(&case);
        }
    }
}

#[test]
fn each_folder_has_a_target() {
    let folders = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(folders.collect::<BTreeSet<String>>(), targets);
    let manifest = include_str!("../fuzz/Cargo.toml");
    let programs = manifest
        .lines()
        .skip_while(|line| *line != "[[bin]]")
        .filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"').map(str::to_owned));
    assert_eq!(programs.collect::<BTreeSet<String>>(), targets);
}

/// A case with a byte set, a part cut out, repeated or put elsewhere, a few times over.
fn changed(case: &[u8], random: &mut StdRng) -> Vec<u8> {
    let mut bytes = case.to_vec();
    for _ in 0..random.random_range(1..6) {
        if bytes.is_empty() {
            return bytes;
        }
        let begin = random.random_range(0..bytes.len());
        let end = (begin + random.random_range(1..30)).min(bytes.len());
        match random.random_range(0..4) {
            0 => bytes[begin] = random.random(),
            1 => drop(bytes.drain(begin..end)),
            2 => bytes.truncate(begin),
            _ => {
                let part = bytes[begin..end].to_vec();
                let at = random.random_range(0..=bytes.len());
                drop(bytes.splice(at..at, part));
            }
        }
    }
    bytes
}

#[test]
fn changes_of_each_case_pass() {
    let mut random = StdRng::seed_from_u64(SEED);
    for (name, target) in TARGETS {
        for (path, case) in cases(name) {
            for number in 0..CHANGES {
                let bytes = changed(&case, &mut random);
                println!("{} change {number}: {}", path.display(), STANDARD.encode(&bytes));
                target(&bytes);
            }
        }
    }
}
