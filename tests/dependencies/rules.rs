//! The rules in `tests/dependencies/allowed.toml`, apart from the checks that follow them.

use std::collections::BTreeMap;

use rustsec::VersionReq;
use serde::Deserialize;

use crate::read;

/// What a reason has at least: "needed" is none.
const REASON_CHARACTERS_MIN: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub licences: Vec<String>,
    #[serde(default)]
    pub licence_exceptions: Vec<LicenceException>,
    #[serde(default)]
    pub duplicates: Vec<Duplicates>,
    #[serde(default)]
    pub advisories: Vec<AcceptedAdvisory>,
    #[serde(default)]
    pub refused_packages: Vec<RefusedPackage>,
}

/// Crates or packages that may have a licence which others may not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LicenceException {
    pub licence: String,
    pub names: Vec<String>,
    reason: String,
}

/// Crates that are built in several versions, as the part of a version that decides what is compatible.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duplicates {
    reason: String,
    pub crates: BTreeMap<String, Vec<String>>,
}

/// An advisory about a crate that cannot hurt here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedAdvisory {
    pub id: String,
    reason: String,
}

/// Versions of a package of npm with a known fault.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusedPackage {
    pub name: String,
    pub versions: VersionReq,
    pub advisory: String,
}

impl Rules {
    pub fn parse(text: &str) -> Self {
        toml::from_str(text).unwrap_or_else(|error| panic!("tests/dependencies/allowed.toml: {error}"))
    }
}

pub fn rules() -> Rules {
    Rules::parse(&read("tests/dependencies/allowed.toml"))
}

#[test]
fn every_exception_has_a_reason() {
    let rules = rules();
    let licences = rules.licence_exceptions.iter().map(|exception| &exception.reason);
    let duplicates = rules.duplicates.iter().map(|duplicates| &duplicates.reason);
    let advisories = rules.advisories.iter().map(|accepted| &accepted.reason);
    for reason in licences.chain(duplicates).chain(advisories) {
        assert!(reason.len() >= REASON_CHARACTERS_MIN, "tests/dependencies/allowed.toml: {reason:?} is no reason.");
    }
}
