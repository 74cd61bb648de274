//! The shapes of the frames by which candidates enter a sitting, wait and begin.

use std::collections::BTreeMap;

use domain::attempt::Mode;
use domain::calculator::Calculator;
use domain::sitting::values::StartRule;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::sittings::entry::sealed_paper::SealedPartView;

/// Enters a sitting, or comes back into it: with the candidate's own code, or by sign-in with an address of the roster.
#[derive(Serialize, ToSchema)]
#[schema(as = Enter, rename_all = "camelCase", examples(json!({
    "type": "enter", "code": "K7PQ2", "access": "9F3KT-T2M7X", "key": "k3v9x0d2m7q1w8e5"
})))]
pub struct EnterShape {
    /// Either this or `code`.
    sitting_id: Option<Uuid>,
    /// The sitting's code, in any case.
    code: Option<String>,
    /// The candidate's own code; without it the candidate is known by sign-in.
    access: Option<String>,
    /// Decides nothing: in a sitting links to reports begin with the server's public address.
    #[schema(max_length = 2048)]
    base_url: Option<String>,
    /// A random text that makes the entry repeatable: with the same key the answer has the same token.
    #[schema(min_length = 16, max_length = 64)]
    key: Option<String>,
}

/// A part of the sealed paper is there, and has been verified. One for each part.
#[derive(ToSchema)]
#[schema(as = Ready)]
pub struct ReadyShape {
    #[schema(minimum = 1)]
    seq: u64,
    /// Of the sealed bytes, in hexadecimal digits.
    #[schema(min_length = 64, max_length = 64)]
    sha256: String,
}

/// What a candidate sees before their time begins to count; sent again whenever something of it changes.
#[derive(Serialize, ToSchema)]
#[schema(as = Waiting, rename_all = "camelCase")]
pub struct WaitingShape {
    session_id: Uuid,
    /// The secret of this session: who has it can go on with the test.
    token: String,
    /// Of this device: it names it in its commands from now on.
    #[schema(minimum = 1, maximum = 1000)]
    line: u16,
    /// What a file with late work is encrypted for: a public RSA key, as SPKI in base64.
    #[schema(nullable = false)]
    late_key: Option<String>,
    sitting_id: Uuid,
    /// The sitting's name.
    sitting: String,
    #[schema(minimum = 1, maximum = 10)]
    grade: u8,
    mode: Mode,
    /// 2 for an adaptive test.
    #[schema(minimum = 1, maximum = 2)]
    stages: u8,
    /// The one that the candidate may use; absent without any.
    #[schema(nullable = false)]
    calculator: Option<Calculator>,
    /// Which form of the test it is, `A` to `H`; absent where there is one alone.
    #[schema(nullable = false)]
    form: Option<String>,
    /// The candidate's.
    name: String,
    #[schema(required)]
    room: Option<String>,
    #[schema(required)]
    seat: Option<String>,
    /// The time that the candidate has, extra time included, perhaps with a fraction.
    minutes: f64,
    /// The same in milliseconds.
    given_ms: i64,
    start: StartRule,
    /// When it is planned to start for this candidate.
    #[schema(format = DateTime)]
    starts_at: String,
    /// When their time begins to count by itself; null while that is in a proctor's hands.
    #[schema(required, format = DateTime)]
    begins_at: Option<String>,
    #[schema(format = DateTime)]
    server_time: String,
    /// Whether all parts have been named by `ready`.
    ready: bool,
    /// While the time is stopped, so that it will not run either.
    #[schema(nullable = false)]
    paused: Option<WaitingPauseShape>,
    /// Those of the candidate's own form.
    sealed: Vec<SealedPartView>,
}

/// Why the time of someone who waits will not run.
#[derive(Serialize, ToSchema)]
#[schema(as = WaitingPause)]
pub struct WaitingPauseShape {
    #[schema(format = DateTime)]
    since: String,
    /// The proctor's word for it.
    #[schema(required)]
    text: Option<String>,
}

/// The time begins to count. The same bytes for everyone of a form, unless each has an order of options of their own; a
/// `time` with the own deadline follows within 5 s.
#[derive(ToSchema)]
#[schema(as = Begin, rename_all = "camelCase")]
pub struct BeginShape {
    #[schema(format = DateTime)]
    started_at: String,
    /// From part to its key: base64 of 32 bytes.
    keys: BTreeMap<String, String>,
    /// From question id to the letters of its options in the order in which the student sees them, as in `started`.
    #[schema(nullable = false)]
    option_order: Option<BTreeMap<String, String>>,
}
