//! What is told of a list of people: what it has changed, or would change, and what was made of its columns.

use domain::sitting::roster::Roster;
use serde::Serialize;
use utoipa::ToSchema;

use super::list_file::ListFile;
use crate::sheets::table::is_zero;

/// What an import has done, or would do.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct RosterReport {
    /// Number of new candidates, or people of a class.
    pub added: usize,
    /// Number of those who were there before.
    pub updated: usize,
    /// Number of those who are no longer there.
    pub removed: usize,
    /// A sentence for each row that was not taken, beginning with `Row <n>:`; of classes for each person, beginning
    /// with their name.
    pub errors: Vec<String>,
    /// Names that were put together from several columns, in the order of these columns; the first 20. Left out if
    /// there are none.
    #[serde(rename = "joinedNames", skip_serializing_if = "Vec::is_empty")]
    pub joined_names: Vec<JoinedName>,
    /// Headings of columns that were passed over. Left out if there are none.
    #[serde(rename = "ignoredColumns", skip_serializing_if = "Vec::is_empty")]
    pub ignored_columns: Vec<String>,
    /// Names of rooms that the sitting did not have. Left out if there are none.
    #[serde(rename = "newRooms", skip_serializing_if = "Vec::is_empty")]
    pub new_rooms: Vec<String>,
    /// `windows-1252` for a text that does not say its encoding and was read as that one; otherwise left out.
    #[serde(rename = "readAs", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub read_as: Option<&'static str>,
    /// How many rows the sheet hides, which are read like others. Left out if there are none.
    #[serde(rename = "hiddenRows", skip_serializing_if = "is_zero")]
    pub hidden_rows: u32,
}

/// A name that was put together from several columns.
#[derive(Debug, Serialize, ToSchema)]
pub struct JoinedName {
    /// The number of its row, as the spreadsheet shows it.
    pub row: u32,
    /// The name.
    pub name: String,
}

/// Joined names in a report: as many as people read.
const JOINED_NAMES_MAX: usize = 20;

impl RosterReport {
    /// What is known of a list before anything is changed by it.
    #[must_use]
    pub fn of_list(ListFile { list, facts }: &ListFile<Roster>) -> Self {
        let joined = list.entries.iter().filter(|entry| entry.has_joined_name);
        let joined = joined.filter_map(|entry| Some(JoinedName { row: entry.row, name: entry.name.clone()? }));
        Self {
            joined_names: joined.take(JOINED_NAMES_MAX).collect(),
            ignored_columns: list.ignored.clone(),
            read_as: facts.read_as,
            hidden_rows: facts.hidden_rows,
            ..Self::default()
        }
    }
}
