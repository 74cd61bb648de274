//! The error that ends a scenario. It has a file of its own so that the tools need not name the command line above
//! them.

/// Ends a scenario before it has a result. Only its message matters: it is printed, and nothing distinguishes kinds of
/// failure.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
