//! When the keys change that sign what platforms are sent. Platforms keep our keys for up to a day, so a key is shown
//! for a day before it signs, and for a day after.

use crate::time::moment::Moment;

const DAY_MILLISECONDS: i64 = 86_400_000;
/// How long a key signs.
const SIGNS_FOR_MILLISECONDS: i64 = 90 * DAY_MILLISECONDS;
/// How long before it signs a key is shown, at least.
const SHOWN_BEFORE_MILLISECONDS: i64 = DAY_MILLISECONDS;
/// How long after it has signed a key is shown.
const SHOWN_AFTER_MILLISECONDS: i64 = DAY_MILLISECONDS;
/// How long before it signs a key is made: a day more than it must be shown, so that a server may be off for a night.
const MADE_BEFORE_MILLISECONDS: i64 = SHOWN_BEFORE_MILLISECONDS + DAY_MILLISECONDS;

/// From when the first key signs: at once. Several servers that begin at the same time say the same.
#[must_use]
pub fn first_key(now: Moment) -> Moment {
    Moment::from_milliseconds(now.milliseconds() - now.milliseconds().rem_euclid(DAY_MILLISECONDS))
}

/// From when the key after the newest one signs, if it is to be made now. Several servers say the same, and none says a
/// moment before which the key could not be shown for long enough.
#[must_use]
pub fn next_key(now: Moment, newest: Moment) -> Option<Moment> {
    let due = newest.plus(SIGNS_FOR_MILLISECONDS);
    if due.since(now) > MADE_BEFORE_MILLISECONDS {
        return None;
    }
    let earliest = now.plus(SHOWN_BEFORE_MILLISECONDS);
    // All servers were off for long: then it is the next midnight that leaves enough time.
    Some(if due >= earliest { due } else { first_key(earliest.plus(DAY_MILLISECONDS - 1)) })
}

/// Until when a key is shown whose successor signs from this moment on.
#[must_use]
pub fn shown_until(successor: Moment) -> Moment {
    successor.plus(SHOWN_AFTER_MILLISECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(days: i64) -> Moment {
        Moment::from_milliseconds(days * DAY_MILLISECONDS)
    }

    #[test]
    fn a_key_is_made_two_days_before_it_signs() {
        assert_eq!(next_key(day(88).plus(-1), day(0)), None);
        for now in [day(88), day(88).plus(7_000), day(89)] {
            assert_eq!(next_key(now, day(0)), Some(day(90)));
        }
    }

    #[test]
    fn a_late_key_is_shown_for_a_day_all_the_same() {
        assert_eq!(next_key(day(89).plus(1), day(0)), Some(day(91)));
        assert_eq!(next_key(day(200), day(0)), Some(day(201)));
        for late in [1, 5_000, DAY_MILLISECONDS - 1] {
            let now = day(200).plus(late);
            assert_eq!(next_key(now, day(0)), Some(day(202)), "{late}");
        }
    }

    #[test]
    fn the_first_key_signs_at_once_and_the_last_is_shown_for_a_day() {
        assert_eq!(first_key(day(7).plus(5)), day(7));
        assert_eq!(shown_until(day(90)), day(91));
    }
}
