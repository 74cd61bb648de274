//! Prepares receipts for the log: makes those that are missing, and seals what is stored. A version that can't be read
//! costs no other.

use std::sync::Arc;

use actix_web::web::block;
use sea_orm::DbErr;

use super::Receipts;
use super::signer::ReceiptSigner;
use crate::database::bound_stalls;
use crate::database::failure::DatabaseFailure;
use crate::error::Cause;
use crate::store::receipts::{self, NewReceipt, ReceiptName, StoredReceipt};
use crate::store::version_rows::{self, ReceiptFacts, VersionRow};

/// Receipts by the versions that they are of.
pub(super) type NamedReceipts = Vec<(ReceiptName, String)>;

/// A receipt that is ready for the log.
struct Prepared {
    name: ReceiptName,
    jws: String,
    is_new: bool,
    seal: Option<Vec<u8>>,
}

/// Versions that were to be prepared.
#[derive(Default)]
pub(super) struct Preparations {
    ready: Vec<Prepared>,
    /// Their tests have been deleted.
    pub(super) gone: Vec<ReceiptName>,
    pub(super) unreadable: Vec<ReceiptName>,
}

impl Receipts {
    /// Prepares these versions, one after the other.
    pub(super) async fn prepare(&self, names: &[ReceiptName]) -> Result<Preparations, DbErr> {
        let mut found = Preparations::default();
        for name in names {
            match self.prepare_one(*name, &mut found).await {
                Ok(()) => {}
                Err(error) if DatabaseFailure::of(&error) == DatabaseFailure::Unavailable => return Err(error),
                Err(error) => {
                    tracing::error!(session = %name.0, version = name.1, %error, "a receipt cannot be made");
                    found.unreadable.push(*name);
                }
            }
        }
        Ok(found)
    }

    async fn prepare_one(&self, name: ReceiptName, found: &mut Preparations) -> Result<(), DbErr> {
        let snapshot = self.background.snapshot().await?;
        let stored = receipts::find(&snapshot, name).await?;
        if let Some(StoredReceipt { jws, seal: Some(_) }) = stored {
            found.ready.push(Prepared { name, jws, is_new: false, seal: None });
            return Ok(());
        }
        let given = stored.map(|stored| stored.jws);
        match (version_rows::find(&snapshot, name.0, name.1).await, given) {
            (Ok(None), _) => found.gone.push(name),
            (Ok(Some(row)), given) => {
                let facts = match given {
                    Some(_) => ReceiptFacts::default(),
                    None => version_rows::find_facts(&snapshot, &row).await?,
                };
                let (signer, is_new) = (Arc::clone(&self.signer), given.is_none());
                // Drawings may be megabytes, and students are answered by the threads that run tasks.
                let making = block(move || signer.sealed(row, &facts, given)).await;
                let made = making.map_err(Cause::from).and_then(|made| made);
                let (jws, seal) = made.map_err(|error| DbErr::Custom(error.to_string()))?;
                found.ready.push(Prepared { name, jws, is_new, seal: Some(seal) });
            }
            // It was given out, so it belongs into the log, whatever has become of the test since.
            (Err(error), Some(jws)) if DatabaseFailure::of(&error) != DatabaseFailure::Unavailable => {
                found.ready.push(Prepared { name, jws, is_new: false, seal: None });
            }
            (Err(error), _) => return Err(error),
        }
        Ok(())
    }

    /// Stores new receipts and seals. Returns all of them as they are stored: another server may have been faster.
    pub(super) async fn store_prepared(&self, prepared: &Preparations) -> Result<NamedReceipts, DbErr> {
        let ready = &prepared.ready;
        let new = |one: &&Prepared| one.is_new;
        let made: Vec<NewReceipt> =
            ready.iter().filter(new).map(|one| NewReceipt { name: one.name, jws: one.jws.clone() }).collect();
        let seals: Vec<(ReceiptName, Vec<u8>)> =
            ready.iter().filter_map(|one| Some((one.name, one.seal.clone()?))).collect();
        if !seals.is_empty() {
            let transaction = self.background.begin_alone().await?;
            bound_stalls(&transaction).await?;
            receipts::insert(&*transaction, &made).await?;
            receipts::seal(&*transaction, &seals).await?;
            transaction.commit().await?;
        }
        let mut stored = Vec::with_capacity(ready.len());
        for Prepared { name, jws, is_new, .. } in ready {
            let found = if *is_new { receipts::find(&self.background.read, *name).await? } else { None };
            stored.push((*name, found.map_or_else(|| jws.clone(), |found| found.jws)));
        }
        Ok(stored)
    }
}

impl ReceiptSigner {
    /// The receipt of a version, unless it has one already, and the seal of what is stored of it.
    fn sealed(&self, row: VersionRow, facts: &ReceiptFacts, given: Option<String>) -> Result<(String, Vec<u8>), Cause> {
        let seal = self.key().seal(&row.digest());
        let jws = match given {
            Some(jws) => jws,
            None => self.of_row(row, facts)?,
        };
        Ok((jws, seal))
    }

    /// The receipt of a version as it is stored.
    pub fn of_row(&self, row: VersionRow, facts: &ReceiptFacts) -> Result<String, Cause> {
        let drawings = row.drawing_hashes()?;
        Ok(self.of_version(&row.session()?, facts, &drawings)?)
    }
}
