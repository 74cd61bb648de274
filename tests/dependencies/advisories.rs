//! Which crates of a lock file have a known fault, by a copy of RustSec's advisory database.

use std::fs;

use rustsec::advisory::Informational;
use rustsec::database::Query;
use rustsec::{Collection, Database, Lockfile, SourceId};

use crate::rules::Rules;

/// Vulnerable, unsound and unmaintained crates, and rules that no longer apply to any.
pub fn faults(rules: &Rules, database: &Database, lockfile: &Lockfile) -> Vec<String> {
    let query = Query::new().collection(Collection::Crates).withdrawn(false);
    let met = database.query_vulnerabilities(lockfile, &query);
    let is_accepted = |id: &str| rules.advisories.iter().any(|accepted| accepted.id == id);
    let is_met = |id: &str| met.iter().any(|met| met.advisory.id.as_str() == id);
    let refused = met.iter().filter(|met| !is_accepted(met.advisory.id.as_str())).map(|met| {
        let kind = met.advisory.informational.as_ref().map_or("vulnerable", Informational::as_str);
        let (name, version) = (&met.package.name, &met.package.version);
        format!("{name} {version} is {kind}: {}, {}", met.advisory.id, met.advisory.title)
    });
    let outdated = rules.advisories.iter().filter(|accepted| !is_met(&accepted.id));
    refused.chain(outdated.map(|accepted| format!("{} meets no crate: take it from the list", accepted.id))).collect()
}

/// An advisory with a score of CVSS 4, as newer ones have it.
const VULNERABLE: &str = r#"```toml
[advisory]
id = "RUSTSEC-2020-9001"
package = "leaky"
date = "2020-01-01"
cvss = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"

[versions]
patched = [">= 1.2.0"]
```

# Leaky tells what it should keep

Made up.
"#;
const UNMAINTAINED: &str = r#"```toml
[advisory]
id = "RUSTSEC-2020-9002"
package = "left"
date = "2020-01-01"
informational = "unmaintained"

[versions]
patched = []
```

# Left is unmaintained

Made up.
"#;

#[test]
fn a_vulnerable_and_an_unmaintained_crate_are_found() {
    let folder = tempfile::tempdir().unwrap();
    for (name, id, text) in [("leaky", 9001, VULNERABLE), ("left", 9002, UNMAINTAINED)] {
        let crates = folder.path().join("crates").join(name);
        fs::create_dir_all(&crates).unwrap();
        fs::write(crates.join(format!("RUSTSEC-2020-{id}.md")), text).unwrap();
    }
    let database = Database::open(folder.path()).unwrap();
    let with = |advisories: &str| Rules::parse(&format!("licences = []\n{advisories}"));
    let locked = |packages: &[(&str, &str)]| -> Lockfile {
        let of = |(name, version): &(&str, &str)| {
            let source = SourceId::default();
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"{source}\"\n")
        };
        format!("version = 4\n{}", packages.iter().map(of).collect::<String>()).parse().unwrap()
    };
    let bad = locked(&[("leaky", "1.1.9"), ("left", "3.0.0"), ("fine", "1.0.0")]);
    let (leaky, left) = (
        "leaky 1.1.9 is vulnerable: RUSTSEC-2020-9001, Leaky tells what it should keep",
        "left 3.0.0 is unmaintained: RUSTSEC-2020-9002, Left is unmaintained",
    );
    assert_eq!(faults(&with(""), &database, &bad), [leaky, left]);
    let accepted = with(r#"advisories = [{ id = "RUSTSEC-2020-9002", reason = "it is finished, and small" }]"#);
    assert_eq!(faults(&accepted, &database, &bad), [leaky]);
    let mended = locked(&[("leaky", "1.2.0")]);
    assert_eq!(faults(&with(""), &database, &mended), [""; 0]);
    assert_eq!(faults(&accepted, &database, &mended), ["RUSTSEC-2020-9002 meets no crate: take it from the list"]);
}
