//! Which sessions a room shows.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::row::AttemptRow;
use crate::grade::Grade;

/// Which sessions a room shows: those of a grade, of a template, or of a sitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RoomKey {
    /// All sessions of a grade, including those started from templates.
    Grade(Grade),
    /// The sessions that were started from a template.
    #[serde(rename = "templateId")]
    Template(Uuid),
    /// The candidates of a sitting.
    Sitting {
        /// The sitting.
        sitting_id: Uuid,
        /// Only those who sit in this hall.
        hall_id: Option<Uuid>,
    },
}

impl RoomKey {
    /// The room's name: `grade:5`, `template:<id>`, `sitting:<id>`, or `sitting:<id>/<hall>`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Grade(grade) => format!("grade:{}", grade.number()),
            Self::Template(template_id) => format!("template:{template_id}"),
            Self::Sitting { sitting_id, hall_id: None } => format!("sitting:{sitting_id}"),
            Self::Sitting { sitting_id, hall_id: Some(hall_id) } => format!("sitting:{sitting_id}/{hall_id}"),
        }
    }

    /// Parses a room's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name.split_once(':')? {
            ("grade", number) => Grade::parse(number).map(Self::Grade),
            ("template", template_id) => template_id.parse().ok().map(Self::Template),
            ("sitting", ids) => match ids.split_once('/') {
                Some((sitting_id, hall_id)) => {
                    Some(Self::Sitting { sitting_id: sitting_id.parse().ok()?, hall_id: Some(hall_id.parse().ok()?) })
                }
                None => Some(Self::Sitting { sitting_id: ids.parse().ok()?, hall_id: None }),
            },
            _ => None,
        }
    }

    /// The sitting of the room.
    #[must_use]
    pub const fn sitting_id(self) -> Option<Uuid> {
        match self {
            Self::Sitting { sitting_id, .. } => Some(sitting_id),
            Self::Grade(_) | Self::Template(_) => None,
        }
    }

    /// Whether the room shows sessions of that grade, template and sitting. Who sits in which hall only the roster
    /// knows, so a hall's room is sent the rows of its whole sitting.
    #[must_use]
    pub fn shows_those_of(self, grade: Grade, template_id: Option<Uuid>, sitting_id: Option<Uuid>) -> bool {
        match self {
            Self::Grade(of) => grade == of,
            Self::Template(of) => template_id == Some(of),
            Self::Sitting { sitting_id: of, .. } => sitting_id == Some(of),
        }
    }

    /// The same for the session of a row.
    #[must_use]
    pub fn shows(self, row: &AttemptRow) -> bool {
        self.shows_those_of(row.grade, row.template_id, row.sitting_id)
    }
}
