//! Which licences a crate or a package of npm may have, by SPDX expressions.

use spdx::{Expression, ParseMode};

use crate::crates::BUILT;
use crate::rules::{Rules, rules};
use crate::{assert_none, packages};

/// Older crates write `MIT/Apache-2.0`, and mean either.
const EXPRESSIONS: ParseMode = ParseMode { allow_slash_as_or_operator: true, ..ParseMode::STRICT };

/// What is wrong with the licence, if anything.
pub fn fault(rules: &Rules, name: &str, licence: &str) -> Option<String> {
    let is_excepted = rules
        .licence_exceptions
        .iter()
        .any(|exception| exception.licence == licence && exception.names.iter().any(|listed| listed == name));
    if is_excepted {
        return None;
    }
    match Expression::parse_mode(licence, EXPRESSIONS) {
        Ok(expression) => {
            let is_allowed = expression.evaluate(|required| rules.licences.contains(&required.to_string()));
            (!is_allowed).then(|| format!("{name}: the licence {licence} is not allowed"))
        }
        Err(_) => Some(format!("{name}: {licence:?} names no licence that SPDX knows")),
    }
}

#[test]
fn all_licences_are_allowed() {
    let rules = rules();
    let packages = packages::locked();
    let named = BUILT.iter().map(|built| (&*built.name, &*built.licence));
    let all = named.chain(packages.iter().map(|package| (&*package.name, &*package.licence)));
    let found: Vec<String> = all.filter_map(|(name, licence)| fault(&rules, name, licence)).collect();
    assert_none(
        &found,
        "Use something else, or list the licence or the exception with its reason in tests/dependencies/allowed.toml.",
    );
}

#[test]
fn every_licence_exception_is_needed() {
    let packages = packages::locked();
    let mut found = Vec::new();
    for exception in rules().licence_exceptions {
        for name in &exception.names {
            let is_crate = BUILT.iter().any(|built| built.name == *name && built.licence == exception.licence);
            let is_package =
                packages.iter().any(|package| package.name == *name && package.licence == exception.licence);
            if !is_crate && !is_package {
                found.push(format!("{name}: {}", exception.licence));
            }
        }
    }
    assert_none(&found, "Take what is gone from licence_exceptions in tests/dependencies/allowed.toml.");
}

#[test]
fn a_licence_is_allowed_as_its_expression_says() {
    let rules = Rules::parse(
        r#"
        licences = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"]
        licence_exceptions = [{ licence = "MPL-2.0", names = ["parser"], reason = "unchanged files of its own" }]
        "#,
    );
    let is_allowed = |name, licence| fault(&rules, name, licence).is_none();
    for licence in ["MIT", "MIT OR GPL-3.0-only", "GPL-2.0-only/MIT", "Apache-2.0 WITH LLVM-exception AND MIT"] {
        assert!(is_allowed("other", licence), "{licence}");
    }
    for licence in ["GPL-3.0-only", "AGPL-3.0-or-later", "MIT AND GPL-3.0-only", "UNLICENSED", "", "MPL-2.0"] {
        assert!(!is_allowed("other", licence), "{licence}");
    }
    assert!(is_allowed("parser", "MPL-2.0"));
    assert!(!is_allowed("parser", "GPL-3.0-only"));
    assert_eq!(fault(&rules, "copied", "GPL-3.0-only").unwrap(), "copied: the licence GPL-3.0-only is not allowed");
}
