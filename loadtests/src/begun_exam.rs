//! An exam that has begun, however it began: by `start`, or in the waiting room of a sitting. Whoever works on goes on
//! from here.

use crate::ledger::Seq;
use crate::socket::Socket;
use std::sync::Arc;

pub struct BegunExam {
    pub socket: Socket,
    pub session_id: String,
    /// The secret that resumes and reads the attempt.
    pub token: String,
    /// The paper, which all candidates of a sitting share.
    pub question_ids: Arc<Vec<String>>,
    /// The highest number of a command so far.
    pub last_seq: Seq,
}
