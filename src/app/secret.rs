//! The service's secret: the operator's, or one that is made once and kept beside the database.

use std::io;
use std::path::Path;

use super::StartError;
use crate::auth::token;
use crate::config::{Config, Secret, secret_path};
use crate::database::private;

/// The operator's secret, or one that is made once and kept beside the database. Fails if that file cannot be read or
/// made.
pub fn service_secret(config: &Config) -> Result<Secret, StartError> {
    if let Some(secret) = &config.access.secret {
        return Ok(secret.clone());
    }
    let path = secret_path(&config.store.database_url);
    kept_secret(&path)
        .map_err(|error| StartError::Io(format!("the secret cannot be kept in {}", path.display()), error))
}

fn kept_secret(path: &Path) -> io::Result<Secret> {
    use std::io::Write;
    private::close(path);
    match std::fs::read(path) {
        Ok(bytes) if bytes.len() >= 32 => return Ok(Secret::new(bytes)),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    private::make_folder(private::folder_of(path))?;
    let bytes = token::random_bytes()?;
    let mut file = private::create(path)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    tracing::info!(path = %path.display(), "AUTH_SECRET is not set: one has been made");
    Ok(Secret::new(bytes.to_vec()))
}
