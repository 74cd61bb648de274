//! The error of a scenario, in a file of its own so that the tools need not name the command line above them.

/// What stops a scenario before it has a result; its message is printed and is all that is kept of it.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
