//! The files of this repository that other programs read: in YAML, and as lines of `NAME=value`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

/// A path from the root of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

pub fn repository_text(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path} cannot be read: {error}"))
}

/// The documents of a file in YAML, with their anchors and merges resolved.
pub fn yaml(path: &str) -> Vec<Value> {
    let text = repository_text(path);
    let documents = yaml_serde::Deserializer::from_str(&text);
    documents
        .map(|document| {
            let mut value = yaml_serde::Value::deserialize(document).unwrap_or_else(|error| panic!("{path}: {error}"));
            // What is merged may merge something itself.
            for _ in 0..3 {
                value.apply_merge().unwrap_or_else(|error| panic!("{path}: {error}"));
            }
            serde_json::to_value(value).unwrap_or_else(|error| panic!("{path}: {error}"))
        })
        .collect()
}

/// The one document of such a file.
pub fn yaml_document(path: &str) -> Value {
    let mut documents = yaml(path);
    assert_eq!(documents.len(), 1, "{path} is one document");
    documents.remove(0)
}

/// The names that a file with lines of `NAME=value` sets.
pub fn names_set(path: &str) -> BTreeSet<String> {
    let text = repository_text(path);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| line.split_once('=').unwrap_or_else(|| panic!("{path}: {line} sets nothing")).0.to_owned())
        .collect()
}

/// Every option of the server, by the name of its environment variable.
pub fn option_names() -> BTreeSet<String> {
    let options: toml::Table = toml::from_str(examhall::config::DEFAULTS).unwrap();
    options.keys().map(|name| name.to_uppercase()).collect()
}
