//! What results are of: a sitting, a template or a grade.

use domain::grade::Grade;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Subject;

/// What the results are of.
#[derive(Serialize, ToSchema)]
pub(super) struct ResultsSubject {
    kind: SubjectKind,
    /// Of the sitting or the template; of a grade its number.
    id: String,
    /// Empty for a grade.
    name: String,
    grades: Vec<Grade>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum SubjectKind {
    Sitting,
    Template,
    Grade,
}

impl ResultsSubject {
    pub(super) fn of(subject: &Subject) -> Self {
        let grades = subject.grades();
        match subject {
            Subject::Sitting(managed, _) => {
                let (id, name) = (managed.sitting.id.to_string(), managed.sitting.plan.name.clone());
                Self { kind: SubjectKind::Sitting, id, name, grades }
            }
            Subject::Template(template) => {
                let (id, name) = (template.id.to_string(), template.config.name.clone());
                Self { kind: SubjectKind::Template, id, name, grades }
            }
            Subject::Grade(grade) => {
                Self { kind: SubjectKind::Grade, id: grade.number().to_string(), name: String::new(), grades }
            }
        }
    }
}
