//! Options of the log.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Clone, Debug)]
pub struct LogConfig {
    /// A level or a filter.
    pub filter: String,
    pub format: LogFormat,
}
