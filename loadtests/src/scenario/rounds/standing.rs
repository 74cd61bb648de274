//! What `examhall receipts check` goes on finding while the server is left alone. A version has no receipt, seal or
//! leaf for a moment, and a server that is killed again and again may take many lives to make them.

use crate::failure::Failure;
use crate::fleet::Fleet;
use crate::output;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long a difference must stand. A server that lives looks at what waits every five seconds.
const STANDS_FOR: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// With what a difference begins: it names the sitting, or the key.
const BEGINNINGS: [&str; 2] = ["sitting ", "key "];
/// Stands for a check that has failed and names no difference.
const UNNAMED: &str = "it fails and names no difference";

/// The differences that stand for long. Nobody may kill the server meanwhile.
pub async fn differences(fleet: &Fleet) -> Result<BTreeSet<String>, Failure> {
    let limit = Instant::now() + STANDS_FOR;
    let mut standing: Option<BTreeSet<String>> = None;
    loop {
        let Err(printed) = fleet.check_receipts().await? else { return Ok(BTreeSet::new()) };
        let found = differences_of(&printed);
        if found.contains(UNNAMED) {
            output::progress(&printed);
        }
        let left = match standing {
            None => found,
            Some(before) => before.intersection(&found).cloned().collect(),
        };
        if left.is_empty() || Instant::now() >= limit {
            return Ok(left);
        }
        standing = Some(left);
        sleep(LOOK_EVERY).await;
    }
}

/// The lines that name a difference, without how many there are.
fn differences_of(printed: &str) -> BTreeSet<String> {
    let is_named = |line: &&str| BEGINNINGS.iter().any(|beginning| line.starts_with(beginning));
    let named: BTreeSet<String> = printed.lines().filter(is_named).map(str::to_owned).collect();
    if named.is_empty() { BTreeSet::from([UNNAMED.to_owned()]) } else { named }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_no_difference() {
        let printed = "7 sittings, 289 results and 275 leaves compared: 2 differences\n\
            sitting a, session b, version 3: it was never sealed\nkey c: it is not the key of that thumbprint\n";
        let found: Vec<String> = differences_of(printed).into_iter().collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|line| !line.contains("compared")));
    }

    #[test]
    fn a_check_that_only_fails_is_a_difference() {
        assert_eq!(differences_of("error: the database is away\n").into_iter().collect::<Vec<_>>(), [UNNAMED]);
    }
}
