//! The list of corrections, each with how far its tests have followed.

use domain::grade::Grade;
use entities::correction::{Column, Entity};
use sea_orm::{ColumnTrait, Condition, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::correction_work::{self, StepProgress};
use super::corrections::{StoredCorrection, stored};
use crate::database::Database;

/// Corrections of a list, the newest first.
pub const CORRECTIONS_LISTED_MAX: u64 = 500;

/// Which corrections are listed.
#[derive(Clone, Debug, Default)]
pub struct CorrectionFilter {
    pub sitting_id: Option<Uuid>,
    pub template_id: Option<Uuid>,
    pub grade: Option<Grade>,
}

/// A correction with how far its tests have followed.
#[derive(Clone, Debug)]
pub struct ListedCorrection {
    pub stored: StoredCorrection,
    pub progress: StepProgress,
}

/// Lists corrections, the newest first: at most [`CORRECTIONS_LISTED_MAX`]. Of several conditions each adds its own.
pub async fn list(database: &Database, filter: &CorrectionFilter) -> Result<Vec<ListedCorrection>, DbErr> {
    let CorrectionFilter { sitting_id, template_id, grade } = filter;
    let mut named = Condition::any();
    if let Some(id) = sitting_id {
        named = named.add(Column::SittingId.eq(*id));
    }
    if let Some(id) = template_id {
        named = named.add(Column::TemplateId.eq(*id));
    }
    if let Some(grade) = grade {
        named = named.add(Column::Grade.eq(i16::from(grade.number())));
    }
    let snapshot = database.snapshot().await?;
    let mut query = Entity::find();
    if !named.is_empty() {
        query = query.filter(named);
    }
    let rows = query.order_by_desc(Column::Number).limit(CORRECTIONS_LISTED_MAX).all(&snapshot).await?;
    let found = rows.into_iter().map(stored).collect::<Result<Vec<_>, _>>()?;
    let progress = correction_work::load_progress(&snapshot, found.iter().map(StoredCorrection::version)).await?;
    snapshot.commit().await?;
    let listed = |stored: StoredCorrection| {
        let progress = progress.get(&stored.version()).copied().unwrap_or_default();
        ListedCorrection { stored, progress }
    };
    Ok(found.into_iter().map(listed).collect())
}
