//! What the answers of platforms to a score mean. They agree on little: some answer a success with 201, some refuse
//! what they have taken, and some say only in words that they had it before.

use crate::outgoing::client::{NO_CONNECTION, PostError, ReceiverAnswer};
use crate::outgoing::kind::Judgement;
use crate::outgoing::store::Delivery;

/// Characters of a platform's own words that are kept with a score.
const WORDS_MAX: usize = 300;

pub const UNAUTHORIZED: u16 = 401;
const FORBIDDEN: u16 = 403;
pub const NOT_FOUND: u16 = 404;
const CONFLICT: u16 = 409;
const TOO_MANY: u16 = 429;
const UNAVAILABLE: u16 = 503;
/// Statuses from here on are faults of the platform.
const FAULT: u16 = 500;
/// Statuses by which a platform refuses the message itself, which stays the same in all attempts. Canvas says 422 when
/// the attempts of an assignment are used up.
const REFUSED: [u16; 6] = [400, 406, 410, 413, 415, 422];

/// How the reason of an attempt begins in which nothing was sent.
const NOTHING_SENT: &str = "nothing was sent: ";
/// How the reason of an attempt begins before which the score may have arrived, although this one says nothing of it.
const MAY_BE_THERE: &str = "it may have arrived before; ";

/// What is known of the attempts before.
#[derive(Clone, Copy, Debug)]
pub struct EarlierAttempts {
    /// Whether the platform may have taken the score without saying so.
    pub may_have_arrived: bool,
    /// The status of the last answer.
    pub last_status: Option<u16>,
}

impl EarlierAttempts {
    /// What the outbox tells of them. A score may have arrived by an attempt that was sent and not answered, or whose
    /// answer was a fault of the platform: Open edX stores some before its 500. An attempt of which no end is noted
    /// at all is one of these.
    #[must_use]
    pub fn of(due: &Delivery) -> Self {
        let last_status = due.last_status.and_then(|status| u16::try_from(status).ok());
        let reason = due.last_error.as_deref().unwrap_or_default();
        let is_open = match last_status {
            Some(status) => status >= FAULT,
            None => !reason.starts_with(NOTHING_SENT),
        };
        let may_have_arrived = due.attempts > 0 && (is_open || reason.starts_with(MAY_BE_THERE));
        Self { may_have_arrived, last_status }
    }

    /// The reason why an attempt failed, with what must not be forgotten.
    fn noted(self, reason: String) -> String {
        if self.may_have_arrived { format!("{MAY_BE_THERE}{reason}") } else { reason }
    }
}

/// What it means that an answer is missing, or that nothing could be sent.
pub fn excuse(earlier: EarlierAttempts, error: PostError) -> Judgement {
    let is_unsent = match &error {
        PostError::Unsent(_) => true,
        PostError::Failed(reason) => reason.starts_with(NO_CONNECTION),
        PostError::Refused(_) | PostError::Hopeless(_) => false,
    };
    match Judgement::from(error) {
        Judgement::Again { reason, retry_after } if is_unsent => {
            Judgement::Again { reason: earlier.noted(format!("{NOTHING_SENT}{reason}")), retry_after }
        }
        judgement => judgement,
    }
}

/// What an answer to a score means.
pub fn judgement(earlier: EarlierAttempts, answer: &ReceiverAnswer) -> Judgement {
    let ReceiverAnswer { status, retry_after, beginning } = answer;
    let (retry_after, words) = (*retry_after, words(beginning));
    let reason = if words.is_empty() {
        format!("the platform answered {status}")
    } else {
        // What stands in the first line is logged. The platform's own words may name a person, and are not.
        format!("the platform answered {status}\n{words}")
    };
    match *status {
        200..=299 => Judgement::Accepted,
        CONFLICT | 400 if is_of_time(*status, &words) => had_it_before(earlier, reason),
        NOT_FOUND if earlier.last_status == Some(NOT_FOUND) => Judgement::Refused(reason),
        TOO_MANY | UNAVAILABLE => Judgement::Busy { reason: earlier.noted(reason), retry_after },
        FORBIDDEN if has(&words, "rate limit") => Judgement::Busy { reason: earlier.noted(reason), retry_after },
        status if REFUSED.contains(&status) => Judgement::Refused(reason),
        _ => Judgement::Again { reason: earlier.noted(reason), retry_after },
    }
}

/// Whether the platform says that it has a score of this time, or a later one.
fn is_of_time(status: u16, words: &str) -> bool {
    status == CONFLICT || has(words, "timestamp")
}

/// A repeat has the same time as the attempts before. If the answer to one of them was lost, the score has arrived. Of
/// a score that was never sent it has not. Its time is wrong, as after an old copy of the database was put back, and it
/// gets another one when it is sent again.
fn had_it_before(earlier: EarlierAttempts, reason: String) -> Judgement {
    if earlier.may_have_arrived { Judgement::Accepted } else { Judgement::Refused(reason) }
}

fn has(words: &str, part: &str) -> bool {
    words.to_lowercase().contains(part)
}

/// The beginning of an answer in one line.
fn words(text: &str) -> String {
    let one_line = text.split(|character: char| character.is_whitespace() || character.is_control());
    let one_line = one_line.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    one_line.chars().take(WORDS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uuid::Uuid;

    use super::*;

    const FIRST: EarlierAttempts = EarlierAttempts { may_have_arrived: false, last_status: None };
    const REPEAT: EarlierAttempts = EarlierAttempts { may_have_arrived: true, last_status: None };
    const WAIT: Option<Duration> = Some(Duration::from_secs(7));

    fn judged(earlier: EarlierAttempts, status: u16, text: &str) -> Judgement {
        judgement(earlier, &ReceiverAnswer { status, retry_after: WAIT, beginning: text.to_owned() })
    }

    #[test]
    fn a_score_has_arrived_by_each_of_their_successes() {
        for status in [200, 201, 202, 204] {
            assert_eq!(judged(FIRST, status, ""), Judgement::Accepted, "{status}");
        }
    }

    #[test]
    fn a_repeat_that_is_too_late_had_arrived() {
        let refusals =
            [(409, ""), (409, "Conflict"), (400, "Refusing score with an earlier Timestamp"), (400, "timestamp")];
        for (status, text) in refusals {
            assert_eq!(judged(REPEAT, status, text), Judgement::Accepted, "{status} {text}");
            assert!(matches!(judged(FIRST, status, text), Judgement::Refused(_)), "{status} {text}: never sent before");
        }
        assert!(matches!(judged(REPEAT, 400, "scoreMaximum"), Judgement::Refused(_)));
    }

    #[test]
    fn what_cannot_become_better_is_refused_with_their_words() {
        let reason = "the platform answered 422\nno attempts left for you".to_owned();
        assert_eq!(judged(FIRST, 422, " no attempts\n left\0for you "), Judgement::Refused(reason));
        assert_eq!(judged(FIRST, 400, ""), Judgement::Refused("the platform answered 400".to_owned()));
        let Judgement::Refused(long) = judged(FIRST, 406, &"é".repeat(1_000)) else { panic!("refused") };
        assert_eq!(long.lines().nth(1).unwrap().chars().count(), WORDS_MAX);
    }

    #[test]
    fn who_is_asked_too_much_is_left_alone() {
        for (status, text) in [(429, ""), (503, ""), (403, "403 Forbidden (Rate Limit Exceeded)")] {
            assert!(matches!(judged(FIRST, status, text), Judgement::Busy { retry_after: WAIT, .. }), "{status}");
        }
        for (status, text) in [(403, "scope"), (401, ""), (500, ""), (502, ""), (302, "")] {
            assert!(matches!(judged(FIRST, status, text), Judgement::Again { retry_after: WAIT, .. }), "{status}");
        }
    }

    #[test]
    fn a_column_is_looked_for_once() {
        assert!(matches!(judged(FIRST, 404, ""), Judgement::Again { .. }));
        let after_404 = EarlierAttempts { last_status: Some(404), ..FIRST };
        assert!(matches!(judged(after_404, 404, ""), Judgement::Refused(_)));
    }

    /// What is known after so many attempts, of which the last one ended like this.
    fn after(attempts: i32, last_status: Option<i16>, last_error: Option<&str>) -> EarlierAttempts {
        EarlierAttempts::of(&Delivery {
            id: Uuid::nil(),
            session_id: Uuid::nil(),
            url: String::new(),
            host: String::new(),
            status: "pending".to_owned(),
            attempts,
            last_status,
            last_error: last_error.map(str::to_owned),
            next_attempt_at_ms: None,
            created_at_ms: 0,
            delivered_at_ms: None,
            event: "score.ended".to_owned(),
            version: 1,
        })
    }

    fn reason(judgement: &Judgement) -> &str {
        match judgement {
            Judgement::Again { reason, .. } | Judgement::Busy { reason, .. } | Judgement::Refused(reason) => reason,
            Judgement::Accepted => panic!("accepted"),
        }
    }

    #[test]
    fn only_what_was_sent_may_have_arrived() {
        // Silence, a server that died within the attempt, and a fault of the platform.
        for (status, error) in [(None, Some("no answer in time")), (None, None), (Some(500), Some("500"))] {
            assert!(after(1, status, error).may_have_arrived, "{status:?} {error:?}");
        }
        assert!(!after(0, None, None).may_have_arrived, "the first attempt");
        for status in [401, 403, 404, 429] {
            assert!(!after(1, Some(status), Some("the platform answered")).may_have_arrived, "{status}");
        }
        for error in [
            PostError::Unsent("no access token: no answer in time".to_owned()),
            PostError::Failed(format!("{NO_CONNECTION}refused")),
        ] {
            let judged = excuse(FIRST, error);
            assert!(!after(1, None, Some(reason(&judged))).may_have_arrived, "{judged:?}");
        }
    }

    #[test]
    fn that_it_may_have_arrived_is_not_forgotten() {
        let silence = excuse(FIRST, PostError::Failed("no answer in time".to_owned()));
        let after_silence = after(1, None, Some(reason(&silence)));
        assert!(after_silence.may_have_arrived);
        let unsent = excuse(after_silence, PostError::Unsent("no access token".to_owned()));
        let after_both = after(2, None, Some(reason(&unsent)));
        assert!(after_both.may_have_arrived, "{unsent:?}");
        let refused = judged(after_both, 401, "");
        assert!(after(3, Some(401), Some(reason(&refused))).may_have_arrived, "{refused:?}");
    }
}
