//! The packages of npm, by their lock files: where they come from, and known faults of those that are used directly.

use std::collections::BTreeMap;
use std::fs;

use rustsec::Version;
use serde::Deserialize;

use crate::rules::{Rules, rules};
use crate::{assert_none, read, root};

/// Folders below which nothing is ours: what is built and generated, and what npm has installed.
const NOT_OURS: [&str; 5] = ["node_modules", "generated", "target", "data", ".git"];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Lock {
    lockfile_version: u32,
    /// By the folder of each; the folder of the lock file itself is "".
    packages: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    /// Only where it differs from the folder's: another package under this name.
    name: Option<String>,
    version: Option<Version>,
    resolved: Option<String>,
    integrity: Option<String>,
    #[serde(default)]
    link: bool,
    license: Option<String>,
    #[serde(default)]
    dependencies: BTreeMap<String, String>,
    #[serde(default)]
    dev_dependencies: BTreeMap<String, String>,
    #[serde(default)]
    optional_dependencies: BTreeMap<String, String>,
}

impl Entry {
    fn name<'a>(&'a self, folder: &'a str) -> &'a str {
        let of_folder = folder.rsplit_once("node_modules/").map_or(folder, |(_, name)| name);
        self.name.as_deref().unwrap_or(of_folder)
    }

    /// What the package's own manifest asks for.
    fn direct(&self) -> impl Iterator<Item = (&String, &String)> {
        self.dependencies.iter().chain(&self.dev_dependencies).chain(&self.optional_dependencies)
    }
}

/// A package that is installed for the pages or for tests. The licence is empty where the package names none.
pub struct Locked {
    pub name: String,
    pub licence: String,
}

pub fn locked() -> Vec<Locked> {
    let of = |(folder, entry): (String, Entry)| Locked {
        name: entry.name(&folder).to_owned(),
        licence: entry.license.unwrap_or_default(),
    };
    locks().into_values().flat_map(|lock| lock.packages).filter(|(folder, _)| !folder.is_empty()).map(of).collect()
}

/// All lock files of this repository, by their paths.
fn locks() -> BTreeMap<String, Lock> {
    files("package-lock.json").into_iter().map(|path| (path.clone(), parse(&read(&path)))).collect()
}

/// Every file of this repository with the name, as a path from the root.
fn files(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                folders.extend(NOT_OURS.iter().all(|name| !path.ends_with(name)).then_some(path));
            } else if path.ends_with(name) {
                found.push(path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    assert!(found.iter().any(|path| path.starts_with("web/")), "{name} of the pages is missing");
    found
}

fn parse(text: &str) -> Lock {
    serde_json::from_str(text).expect("a lock file of npm")
}

/// Packages that may change under their version, or come from elsewhere than the registry.
fn strangers(lock: &Lock) -> Vec<String> {
    let mut found = Vec::new();
    if lock.lockfile_version != 3 {
        found.push(format!("version {} of lock files is not checked", lock.lockfile_version));
    }
    for (folder, entry) in &lock.packages {
        let name = entry.name(folder);
        if folder.is_empty() {
            let loose = entry.direct().filter(|(_, version)| Version::parse(version).is_err());
            found.extend(loose.map(|(name, version)| format!("{name} is asked for as {version:?}")));
        } else if entry.link {
            found.push(format!("{name} is a folder"));
        } else if let Some(resolved) = &entry.resolved {
            found.push(format!("{name} comes from {resolved}"));
        } else if !entry.integrity.as_ref().is_some_and(|integrity| integrity.starts_with("sha512-")) {
            found.push(format!("{name} has no checksum"));
        }
    }
    found
}

/// Packages in versions that the rules refuse.
fn faulty(rules: &Rules, lock: &Lock) -> Vec<String> {
    let mut found = Vec::new();
    for (folder, entry) in &lock.packages {
        let (name, version) = (entry.name(folder), entry.version.as_ref());
        let refused = rules
            .refused_packages
            .iter()
            .filter(|refused| refused.name == name && version.is_some_and(|version| refused.versions.matches(version)));
        found.extend(refused.map(|refused| format!("{name} {}: {}", refused.versions, refused.advisory)));
    }
    found
}

fn in_all_locks(check: impl Fn(&Lock) -> Vec<String>) -> Vec<String> {
    let of = |(path, lock): (&String, &Lock)| {
        check(lock).into_iter().map(|fault| format!("{path}: {fault}")).collect::<Vec<_>>()
    };
    locks().iter().flat_map(of).collect()
}

#[test]
fn all_packages_come_from_the_registry() {
    assert_none(
        &in_all_locks(strangers),
        "A package comes from npm's registry in one version and with its SHA-512; the lock file names no address, as \
         .npmrc beside it says.",
    );
}

#[test]
fn no_package_has_a_fault_on_the_list() {
    let rules = rules();
    assert_none(&in_all_locks(|lock| faulty(&rules, lock)), "Install a version without this fault.");
}

#[test]
fn every_refused_package_is_in_use() {
    let locked = locked();
    let is_in_use = |name: &str| locked.iter().any(|package| package.name == name);
    let found: Vec<String> =
        rules().refused_packages.into_iter().map(|refused| refused.name).filter(|name| !is_in_use(name)).collect();
    assert_none(&found, "Take what is gone from refused_packages in tests/dependencies/allowed.toml.");
}

#[test]
fn every_manifest_has_a_lock_file() {
    let is_locked = |path: &String| root().join(path).with_file_name("package-lock.json").is_file();
    let found: Vec<String> = files("package.json").into_iter().filter(|path| !is_locked(path)).collect();
    assert_none(&found, "Commit the package-lock.json of each package.json.");
}

#[test]
fn a_package_from_elsewhere_and_one_with_a_fault_are_found() {
    let lock = parse(
        r#"{
          "lockfileVersion": 3,
          "packages": {
            "": { "name": "ours", "version": "0.0.0", "dependencies": { "fine": "1.0.0", "loose": "^1.0.0" } },
            "node_modules/fine": { "version": "1.0.0", "integrity": "sha512-AAAA", "license": "MIT" },
            "node_modules/loose": { "version": "1.0.0", "integrity": "sha512-AAAA", "license": "MIT" },
            "node_modules/fine/node_modules/leaky": { "version": "2.3.0", "integrity": "sha512-AAAA" },
            "node_modules/renamed": { "name": "leaky", "version": "2.2.9", "integrity": "sha512-AAAA" },
            "node_modules/leaky": { "version": "2.4.0", "integrity": "sha512-AAAA" },
            "node_modules/@scope/forked": { "version": "1.0.0", "resolved": "git+ssh://git.example/forked.git#0000" },
            "node_modules/linked": { "link": true, "resolved": "../linked" },
            "node_modules/old": { "version": "1.0.0", "integrity": "sha1-AAAA" },
            "node_modules/unchecked": { "version": "1.0.0" }
          }
        }"#,
    );
    assert_eq!(
        strangers(&lock),
        [
            r#"loose is asked for as "^1.0.0""#,
            "@scope/forked comes from git+ssh://git.example/forked.git#0000",
            "linked is a folder",
            "old has no checksum",
            "unchecked has no checksum",
        ]
    );
    let rules = Rules::parse(
        r#"
        licences = []
        refused_packages = [{ name = "leaky", versions = ">=2.0.0, <2.4.0", advisory = "GHSA-0000-0000-0000" }]
        "#,
    );
    let fault = "leaky >=2.0.0, <2.4.0: GHSA-0000-0000-0000";
    assert_eq!(faulty(&rules, &lock), [fault, fault]);
}
