//! The schema of the database, one file for each step. The server runs missing steps when it starts, and `examhall
//! migrate` runs them by hand. One schema serves SQLite and Postgres.

pub use sea_orm_migration;
use sea_orm_migration::prelude::*;

mod m01_questions;
mod m02_sessions;
mod m03_webhooks;
mod m04_users;
mod m05_live;
mod m06_review;
mod m07_templates;
mod m08_first_admin;
mod m09_proctors;
mod m10_transfers;
mod m11_calendar;
mod m12_session_events;
mod m13_moves;
mod m14_session_bodies;
mod m15_sign_ins;
mod m16_exam_openings;
mod m17_sittings;
mod m18_compression;
mod m19_image_descriptions;
mod m20_student_tools;
mod m21_school_and_audit;
mod m22_standings;
mod m23_former_questions;
mod m24_devices;
mod m25_versions;
mod m26_lines;
mod m27_reopening;
mod m28_late_work;
mod m29_corrections;
mod m30_receipts;
mod m31_questions_written_here;
mod m32_measured_difficulties;
mod m33_classes;
mod m34_template_choice;
mod m35_numbers;
mod m36_forms;
mod m37_incident_kinds;
mod m38_marks;
mod m39_former_rosters;
mod m40_template_access;
mod m41_lti;
mod m42_lti_scores;
mod m43_status_and_devices;
mod m44_decided_late_work;
mod m45_news_of_logs;
mod m46_decided_orders;
mod m47_failed_rosters;

/// All steps, in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m01_questions::Migration),
            Box::new(m02_sessions::Migration),
            Box::new(m03_webhooks::Migration),
            Box::new(m04_users::Migration),
            Box::new(m05_live::Migration),
            Box::new(m06_review::Migration),
            Box::new(m07_templates::Migration),
            Box::new(m08_first_admin::Migration),
            Box::new(m09_proctors::Migration),
            Box::new(m10_transfers::Migration),
            Box::new(m11_calendar::Migration),
            Box::new(m12_session_events::Migration),
            Box::new(m13_moves::Migration),
            Box::new(m14_session_bodies::Migration),
            Box::new(m15_sign_ins::Migration),
            Box::new(m16_exam_openings::Migration),
            Box::new(m17_sittings::Migration),
            Box::new(m18_compression::Migration),
            Box::new(m19_image_descriptions::Migration),
            Box::new(m20_student_tools::Migration),
            Box::new(m21_school_and_audit::Migration),
            Box::new(m22_standings::Migration),
            Box::new(m23_former_questions::Migration),
            Box::new(m24_devices::Migration),
            Box::new(m25_versions::Migration),
            Box::new(m26_lines::Migration),
            Box::new(m27_reopening::Migration),
            Box::new(m28_late_work::Migration),
            Box::new(m29_corrections::Migration),
            Box::new(m30_receipts::Migration),
            Box::new(m31_questions_written_here::Migration),
            Box::new(m32_measured_difficulties::Migration),
            Box::new(m33_classes::Migration),
            Box::new(m34_template_choice::Migration),
            Box::new(m35_numbers::Migration),
            Box::new(m36_forms::Migration),
            Box::new(m37_incident_kinds::Migration),
            Box::new(m38_marks::Migration),
            Box::new(m39_former_rosters::Migration),
            Box::new(m40_template_access::Migration),
            Box::new(m41_lti::Migration),
            Box::new(m42_lti_scores::Migration),
            Box::new(m43_status_and_devices::Migration),
            Box::new(m44_decided_late_work::Migration),
            Box::new(m45_news_of_logs::Migration),
            Box::new(m46_decided_orders::Migration),
            Box::new(m47_failed_rosters::Migration),
        ]
    }
}
