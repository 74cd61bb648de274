//! The bugs that are put in on purpose. The product has no switch for them: each is a mistake of what stands in for the
//! product's I/O here, at the place where the product does the right thing.

/// A mistake that a simulation has to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// `saved` is sent when a commit is handed to the journal, not when it is stored.
    AcknowledgedBeforeCommit,
    /// The database takes the writes of a seat that another server has claimed since.
    FenceLeftOut,
    /// Whether a command is in time is decided by the moment that the client claims.
    DeadlineOfClient,
    /// The end of a test that is stored already is stored again when its batch is repeated.
    DoubleSubmit,
    /// Webhooks are made as if no result were held.
    EmbargoForgotten,
    /// What a transaction has written before it failed stays in the database.
    RollbackFails,
    /// A webhook is sent although an earlier one of the same test waits.
    VersionOutOfOrder,
    /// Whoever begins while everyone is paused is not paused.
    PauseMissesEntrant,
}
