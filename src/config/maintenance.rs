//! Options of outages and maintenance: what all pages say, and whether the server only reads.

use domain::status_message::{STATUS_CHARACTERS_MAX, StatusMessage, status_text};

use super::ConfigError;
use super::options::{Options, value};

#[derive(Clone, Debug)]
pub struct MaintenanceConfig {
    /// What all pages say, in place of what an admin has them say; empty for nothing.
    pub message: StatusMessage,
    /// Whether the server only reads: it saves nothing, and takes no seats.
    pub read_only: bool,
}

pub(super) fn read(options: &Options) -> Result<MaintenanceConfig, ConfigError> {
    let said = |name: &str| {
        let reason =
            format!("must be one line of {STATUS_CHARACTERS_MAX} characters at most, without control characters");
        status_text(&options.text(name)?).ok_or_else(|| value(name, &reason))
    };
    let message = StatusMessage { en: said("status_message")?, vi: said("status_message_vi")? };
    let read_only = match options.text("read_only")?.as_str() {
        "true" => true,
        "false" => false,
        _ => return Err(value("read_only", "must be true or false")),
    };
    Ok(MaintenanceConfig { message, read_only })
}
