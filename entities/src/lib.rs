//! The tables of the database as SeaORM entities, one file for each table, without queries.
//!
//! JSON is stored as text and times as milliseconds since 1970 (`_ms`), so that SQLite and Postgres behave alike
//! (`docs/decisions/0003-json-as-text-and-times-as-milliseconds.md`). The enums `Relation` are empty, since queries
//! that need two tables write their join themselves.

pub mod accommodation;
pub mod api_token;
pub mod approval;
pub mod assignment;
pub mod attempt;
pub mod attempt_event;
pub mod attempt_line;
pub mod attempt_token;
pub mod audit_entry;
pub mod bank_version;
pub mod calendar;
pub mod candidate;
pub mod class;
pub mod class_person;
pub mod correction;
pub mod correction_piece;
pub mod correction_step;
pub mod delivery;
pub mod edit;
pub mod first_admin;
pub mod former_question;
pub mod former_roster;
pub mod heartbeat;
pub mod incident;
pub mod journal_entry;
pub mod late_command;
pub mod late_file;
pub mod late_key;
pub mod late_work;
pub mod measured_difficulty;
pub mod measurement;
pub mod move_code;
pub mod outage;
pub mod picture;
pub mod proctor_command;
pub mod question;
pub mod receipt;
pub mod receipt_due;
pub mod receipt_key;
pub mod removed_template;
pub mod retired_question;
pub mod review;
pub mod room;
pub mod room_standing;
pub mod school;
pub mod sealed_part;
pub mod seat;
pub mod server;
pub mod session;
pub mod session_body;
pub mod session_key;
pub mod session_version;
pub mod sign_in;
pub mod sitting;
pub mod sitting_event;
pub mod sitting_leaf;
pub mod sitting_log;
pub mod status_message;
pub mod template;
pub mod transfer;
pub mod user;
pub mod view;
