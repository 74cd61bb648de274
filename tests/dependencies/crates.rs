//! Where crates come from and which are built twice: what `Cargo.lock` and `cargo tree` say about them.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::Command;
use std::sync::LazyLock;

use rustsec::{Lockfile, SourceId, Version};

use crate::rules::{Rules, rules};
use crate::{assert_none, lockfile, read, root};

/// A crate that is built for some platform. `Cargo.lock` also has crates that no feature in use asks for.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Built {
    pub name: String,
    pub version: Version,
    pub licence: String,
}

/// All that is built. Several tests ask, and cargo takes a moment.
pub static BUILT: LazyLock<BTreeSet<Built>> = LazyLock::new(|| {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--workspace", "--locked", "--target", "all", "--edges", "normal,build,dev"])
        .args(["--prefix", "none", "--format", "{p}|{l}"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    parse(&String::from_utf8(output.stdout).unwrap())
});

/// Each line is `name v1.2.3 (what else is known)|licence (*)`; the asterisk says that the crate was printed before.
fn parse(tree: &str) -> BTreeSet<Built> {
    let of = |line: &str| {
        let (package, licence) = line.split_once('|').unwrap_or_else(|| panic!("a line of cargo tree: {line}"));
        let mut words = package.split_whitespace();
        let (name, version) = (words.next().unwrap(), words.next().unwrap());
        Built {
            name: name.to_owned(),
            version: Version::parse(version.trim_start_matches('v')).unwrap(),
            licence: licence.trim_end_matches(" (*)").to_owned(),
        }
    };
    tree.lines().filter(|line| !line.is_empty()).map(of).collect()
}

/// The part of a version that decides what cargo takes for compatible.
fn compatible(version: &Version) -> String {
    match (version.major, version.minor, version.patch) {
        (0, 0, patch) => format!("0.0.{patch}"),
        (0, minor, _) => format!("0.{minor}"),
        (major, ..) => major.to_string(),
    }
}

/// What is built in other versions than the rules say.
fn duplicates(rules: &Rules, crates: &BTreeSet<Built>) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for built in crates {
        versions.entry(&built.name).or_default().insert(compatible(&built.version));
    }
    let listed = rules.duplicates.iter().flat_map(|duplicates| &duplicates.crates);
    let allowed: BTreeMap<&str, BTreeSet<String>> =
        listed.map(|(name, versions)| (&**name, versions.iter().cloned().collect())).collect();
    let none = BTreeSet::new();
    let mut found = Vec::new();
    for (name, versions) in &versions {
        let allowed = allowed.get(name).unwrap_or(&none);
        if versions.len() > 1 && !versions.is_subset(allowed) {
            found.push(format!("{name} is built in versions {versions:?}"));
        }
    }
    for (name, allowed) in &allowed {
        let versions = versions.get(name).unwrap_or(&none);
        if !allowed.is_subset(versions) || allowed.len() < 2 {
            found.push(format!("{name} is listed with {allowed:?} and built in {versions:?}: take it from the list"));
        }
    }
    found
}

/// Crates from elsewhere than the public registry, or without a checksum; those of this workspace have neither.
fn strangers(lockfile: &Lockfile, own: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for package in &lockfile.packages {
        let name = package.name.as_str();
        match &package.source {
            Some(source) if !source.is_default_registry() => found.push(format!("{name} comes from {source}")),
            Some(_) if package.checksum.is_none() => found.push(format!("{name} has no checksum")),
            None if !own.iter().any(|own| own == name) => found.push(format!("{name} comes from a folder")),
            _ => {}
        }
    }
    found
}

/// The names of this workspace's crates, which are those of their folders.
fn own() -> Vec<String> {
    let manifest: toml::Table = toml::from_str(&read("Cargo.toml")).unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap();
    let package = &manifest["package"]["name"];
    members.iter().chain([package]).map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn all_crates_come_from_the_registry() {
    assert_none(
        &strangers(&lockfile(), &own()),
        "A crate comes from the public registry, where it stays as it is: use a version that is published there.",
    );
}

#[test]
fn no_crate_is_newly_built_twice() {
    assert_none(
        &duplicates(&rules(), &BUILT),
        "Choose versions that share the crate; if none do, say why in tests/dependencies/allowed.toml. `cargo tree -d` \
         shows who needs it.",
    );
}

#[test]
fn a_crate_from_elsewhere_is_found() {
    let lockfile: Lockfile = r#"
        version = 4

        [[package]]
        name = "ours"
        version = "0.1.0"

        [[package]]
        name = "nobodys"
        version = "0.1.0"

        [[package]]
        name = "known"
        version = "1.0.0"
        source = "REGISTRY"
        checksum = "0000000000000000000000000000000000000000000000000000000000000000"

        [[package]]
        name = "unchecked"
        version = "1.0.0"
        source = "REGISTRY"

        [[package]]
        name = "forked"
        version = "1.0.0"
        source = "git+https://git.example/forked?branch=main#0000000000000000000000000000000000000000"

        [[package]]
        name = "private"
        version = "1.0.0"
        source = "registry+https://crates.example/index"
        checksum = "0000000000000000000000000000000000000000000000000000000000000000"
        "#
    .replace("REGISTRY", &SourceId::default().to_string())
    .parse()
    .unwrap();
    let found = strangers(&lockfile, &["ours".to_owned()]);
    for name in ["nobodys", "unchecked", "forked", "private"] {
        assert!(found.iter().any(|found| found.starts_with(name)), "{name} is not in {found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn a_new_duplicate_and_an_old_exception_are_found() {
    let rules = Rules::parse(
        r#"
        licences = ["MIT"]

        [[duplicates]]
        reason = "a crate that is needed has not moved"
        [duplicates.crates]
        twice = ["0.4", "1"]
        "#,
    );
    let twice = "twice v0.4.1 (proc-macro)|MIT\ntwice v1.2.3|MIT\ntwice v1.2.3|MIT (*)\n\nonce v1.0.0|MIT/Apache-2.0\n";
    assert_eq!(duplicates(&rules, &parse(twice)), [""; 0]);
    assert_eq!(
        duplicates(&rules, &parse(&format!("{twice}once v2.0.0|MIT\n"))),
        [r#"once is built in versions {"1", "2"}"#]
    );
    assert_eq!(
        duplicates(&rules, &parse(&format!("{twice}twice v0.0.7|MIT\n"))),
        [r#"twice is built in versions {"0.0.7", "0.4", "1"}"#]
    );
    assert_eq!(
        duplicates(&rules, &parse("twice v1.2.3|MIT\n")),
        [r#"twice is listed with {"0.4", "1"} and built in {"1"}: take it from the list"#]
    );
}
