//! What the answers of platforms to a score mean. They agree on little: some answer a success with 201, some refuse
//! what they have taken, and some say only in words that they had it before.

use crate::outgoing::client::ReceiverAnswer;
use crate::outgoing::kind::Judgement;

/// Characters of a platform's own words that are kept with a score.
const WORDS_MAX: usize = 300;

pub const UNAUTHORIZED: u16 = 401;
const FORBIDDEN: u16 = 403;
pub const NOT_FOUND: u16 = 404;
const CONFLICT: u16 = 409;
const TOO_MANY: u16 = 429;
const UNAVAILABLE: u16 = 503;
/// Statuses by which a platform refuses the message itself, which stays the same in all attempts. Canvas says 422 when
/// the attempts of an assignment are used up.
const REFUSED: [u16; 6] = [400, 406, 410, 413, 415, 422];

/// What is known of an attempt before it.
#[derive(Clone, Copy, Debug)]
pub struct EarlierAttempts {
    pub count: i32,
    /// The status of the last answer.
    pub last_status: Option<i16>,
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
        NOT_FOUND if earlier.last_status.is_some_and(|last| u16::try_from(last) == Ok(NOT_FOUND)) => {
            Judgement::Refused(reason)
        }
        TOO_MANY | UNAVAILABLE => Judgement::Busy { reason, retry_after },
        FORBIDDEN if has(&words, "rate limit") => Judgement::Busy { reason, retry_after },
        status if REFUSED.contains(&status) => Judgement::Refused(reason),
        _ => Judgement::Again { reason, retry_after },
    }
}

/// Whether the platform says that it has a score of this time, or a later one.
fn is_of_time(status: u16, words: &str) -> bool {
    status == CONFLICT || has(words, "timestamp")
}

/// A repeat has the same time as the attempt before, whose answer was lost: then the score has arrived. Of a score that
/// was never sent it has not. Its time is wrong, as after an old copy of the database was put back, and it gets another
/// one when it is sent again.
fn had_it_before(earlier: EarlierAttempts, reason: String) -> Judgement {
    if earlier.count > 0 { Judgement::Accepted } else { Judgement::Refused(reason) }
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

    use super::*;

    const FIRST: EarlierAttempts = EarlierAttempts { count: 0, last_status: None };
    const REPEAT: EarlierAttempts = EarlierAttempts { count: 1, last_status: None };
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
        let refusals = [(409, ""), (409, "Conflict"), (400, "Refusing score with an earlier Timestamp"), (400, "timestamp")];
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
        let after_404 = EarlierAttempts { count: 1, last_status: Some(404) };
        assert!(matches!(judged(after_404, 404, ""), Judgement::Refused(_)));
    }
}
