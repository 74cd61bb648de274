//! `examhall receipt verify` and `examhall receipts check`: whether a receipt is one of this server, and whether the
//! stored results are those of the receipts.

use std::path::Path;
use std::process::ExitCode;

use domain::question::Selected;
use uuid::Uuid;

use super::CliFailure;
use super::output::{print, print_error};
use crate::app::secret::service_secret;
use crate::config::Config;
use crate::database::Database;
use crate::receipts::check::{CheckedCounts, check};
use crate::receipts::key::{JsonWebKeys, ReceiptPublicKey, verify_receipt};
use crate::receipts::note::LogProof;
use crate::receipts::signer;
use crate::store::receipts;

/// Bytes of a receipt, of a proof, and of a list of keys: much more than any has.
const FILE_BYTES_MAX: u64 = 1_024 * 1_024;

/// Checks a receipt, and the proof that it is in a log, if there is one. With a list of keys nothing else is read: it
/// works anywhere.
pub(super) async fn verify(
    config: &Config,
    receipt: &Path,
    proof: Option<&Path>,
    keys: Option<&Path>,
) -> Result<ExitCode, CliFailure> {
    let jws = read(receipt)?;
    let keys = match keys {
        Some(path) => keys_of(path)?,
        None => own_keys(config).await?,
    };
    let content = verify_receipt(jws.trim(), &keys).map_err(|fault| format!("{}: {fault}", receipt.display()))?;
    let version = content.version.map_or_else(
        || "while the test was running".to_owned(),
        |version| format!("version {version} of the finished test"),
    );
    print(&format!("{} has signed this receipt", content.iss))?;
    print(&format!("session {}, {version}, at {}", content.session_id, content.at.iso()))?;
    for answer in &content.answers {
        print(&format!("{}: {}", answer.0, answer.1.as_ref().map_or("-", Selected::text)))?;
    }
    for drawing in &content.drawings {
        print(&format!("{}: drawing {}", drawing.0, drawing.1))?;
    }
    if let Some(path) = proof {
        let fault = |fault| format!("{}: {fault}", path.display());
        let proof = LogProof::parse(&read(path)?).map_err(fault)?;
        let checkpoint = proof.verify(jws.trim(), &keys).map_err(fault)?;
        let replaces = proof.replaces().map(|index| format!(", in the place of leaf {index}")).unwrap_or_default();
        let (index, size) = (proof.index, checkpoint.size);
        print(&format!("it is leaf {index} of {size} in the log {}{replaces}", checkpoint.origin))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares the results of one sitting, or of all, with their receipts and logs. Fails if anything differs.
pub(super) async fn check_all(config: &Config, sitting_id: Option<Uuid>) -> Result<ExitCode, CliFailure> {
    let own = signer(config, &service_secret(config)?)?.key().public().clone();
    let database = Database::open(&config.store.database_url, 1, 1).await?;
    let counts = check(&database, &own, sitting_id, &mut |difference| print_error(&difference)).await?;
    database.close().await;
    let CheckedCounts { sittings, results, leaves, differences } = counts;
    print(&format!("{sittings} sittings, {results} results and {leaves} leaves compared: {differences} differences"))?;
    Ok(if differences == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn read(path: &Path) -> Result<String, CliFailure> {
    let unreadable = |error| format!("{} cannot be read: {error}", path.display());
    if std::fs::metadata(path).map_err(unreadable)?.len() > FILE_BYTES_MAX {
        return Err(format!("{} is larger than {} MiB", path.display(), FILE_BYTES_MAX / 1_024 / 1_024).into());
    }
    Ok(std::fs::read_to_string(path).map_err(unreadable)?)
}

/// The keys of a list as `/.well-known/jwks.json` gives it. Those of other kinds are passed over.
fn keys_of(path: &Path) -> Result<Vec<ReceiptPublicKey>, CliFailure> {
    let list: JsonWebKeys = serde_json::from_str(&read(path)?)
        .map_err(|_| format!("{} is not a list of keys, as /.well-known/jwks.json gives it", path.display()))?;
    Ok(list.keys.iter().filter_map(ReceiptPublicKey::of_json).collect())
}

/// The key of this server, and those that its database knows.
async fn own_keys(config: &Config) -> Result<Vec<ReceiptPublicKey>, CliFailure> {
    let mut keys = vec![signer(config, &service_secret(config)?)?.key().public().clone()];
    let database = Database::open(&config.store.database_url, 1, 1).await?;
    let known = receipts::load_keys(&database.read).await?;
    database.close().await;
    keys.extend(known.iter().filter_map(ReceiptPublicKey::of_known));
    Ok(keys)
}
