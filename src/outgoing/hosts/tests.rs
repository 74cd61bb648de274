//! Tests of how places are shared out, without receivers.

use super::*;

fn hosts() -> Hosts {
    hosts_of("")
}

/// With these `WEBHOOK_HOSTS`.
fn hosts_of(named: &str) -> Hosts {
    Hosts::new(NonZeroU32::new(1_000).unwrap(), TargetPolicy::parse("", named).unwrap())
}

fn name(number: usize) -> String {
    format!("host{number}:443")
}

fn accepting(name: String) -> AcceptingHost {
    AcceptingHost { name, days: 3, answers: 40 }
}

const AT_ONCE: HostAnswer = HostAnswer::After(Duration::from_millis(50));
const LATE: HostAnswer = HostAnswer::After(Duration::from_secs(8));

/// One attempt that ends like this.
fn attempt(hosts: &mut Hosts, name: &str, answer: Option<HostAnswer>) {
    let place = hosts.enter(name, false).unwrap();
    hosts.leave(&place, answer);
}

/// A host takes as many places as it gets.
fn fill_one(hosts: &mut Hosts, name: &str) -> Vec<AttemptPlace> {
    std::iter::from_fn(|| hosts.enter(name, false)).collect()
}

/// So does every host.
fn fill(hosts: &mut Hosts, count: usize) -> Vec<AttemptPlace> {
    (0..count).flat_map(|number| fill_one(hosts, &name(number))).collect()
}

#[test]
fn one_host_alone_has_eight_places() {
    assert_eq!(fill(&mut hosts(), 1).len(), WINDOW_FIRST);
}

#[test]
fn prompt_answers_open_the_window_and_a_late_one_closes_it() {
    let mut hosts = hosts();
    for _ in 0..10 {
        attempt(&mut hosts, "good:443", Some(AT_ONCE));
    }
    let places = fill_one(&mut hosts, "good:443");
    assert_eq!(places.len(), WINDOW_FIRST + 10);
    places.iter().for_each(|place| hosts.leave(place, Some(AT_ONCE)));
    (0..100).for_each(|_| attempt(&mut hosts, "good:443", Some(AT_ONCE)));
    let places = fill_one(&mut hosts, "good:443");
    assert_eq!(places.len(), WINDOW_MAX);
    assert!(hosts.enter("other:443", false).is_some());
    places.iter().for_each(|place| hosts.leave(place, Some(LATE)));
    assert_eq!(fill_one(&mut hosts, "good:443").len(), WINDOW_FIRST);
    (0..10).for_each(|_| attempt(&mut hosts, "busy:443", Some(AT_ONCE)));
    attempt(&mut hosts, "busy:443", Some(HostAnswer::Busy(Duration::from_millis(50))));
    assert_eq!(fill_one(&mut hosts, "busy:443").len(), WINDOW_FIRST);
}

#[test]
fn a_host_that_answers_late_keeps_its_places() {
    let mut hosts = hosts();
    attempt(&mut hosts, "late:443", Some(LATE));
    assert_eq!(fill_one(&mut hosts, "late:443").len(), WINDOW_FIRST);
    // Many of them share theirs, and leave those of others alone.
    (0..100).for_each(|number| attempt(&mut hosts, &name(number), Some(LATE)));
    assert_eq!(fill(&mut hosts, 100).len(), LATE_IN_FLIGHT_MAX - WINDOW_FIRST);
    assert_eq!(fill_one(&mut hosts, "new:443").len(), 1);
}

#[test]
fn only_hosts_that_do_not_answer_shrink() {
    let mut hosts = hosts();
    attempt(&mut hosts, "busy:443", Some(LATE));
    // One attempt among others ends without an answer.
    attempt(&mut hosts, "busy:443", Some(HostAnswer::Never));
    let places = fill_one(&mut hosts, "busy:443");
    assert_eq!(places.len(), WINDOW_FIRST);
    places.iter().for_each(|place| hosts.leave(place, Some(HostAnswer::Never)));
    assert_eq!(fill_one(&mut hosts, "busy:443").len(), 1, "now it has failed twice in a row");
    attempt(&mut hosts, "dead:443", Some(HostAnswer::Never));
    assert_eq!(fill_one(&mut hosts, "dead:443").len(), 1, "this one has never answered");
}

#[test]
fn an_attempt_that_sent_nothing_says_nothing() {
    let mut hosts = hosts();
    attempt(&mut hosts, "new:443", None);
    assert_eq!(hosts.hosts["new:443"].standing, HostStanding::Unknown);
    attempt(&mut hosts, "good:443", Some(AT_ONCE));
    attempt(&mut hosts, "good:443", None);
    assert_eq!(hosts.hosts["good:443"].standing, HostStanding::Prompt);
}

#[test]
fn many_dead_hosts_leave_places_for_a_new_one() {
    let mut hosts = hosts();
    let taken = fill(&mut hosts, 60);
    assert!(taken.len() < UNPROVEN_IN_FLIGHT_MAX, "{}", taken.len());
    assert!(hosts.enter("new:443", false).is_some());
    taken.iter().for_each(|place| hosts.leave(place, Some(HostAnswer::Never)));
    // Now it is known that they are dead, and they share fewer places.
    assert_eq!(fill(&mut hosts, 60).len(), SILENT_IN_FLIGHT_MAX);
    assert!(hosts.room().is_without_silent && !hosts.room().is_for_trusted_alone);
    assert!(hosts.enter("another:443", false).is_some());
}

#[test]
fn places_are_kept_for_hosts_that_answer() {
    let mut hosts = hosts();
    hosts.recall(["good:443".to_owned()].map(accepting));
    let taken = fill(&mut hosts, 500);
    assert_eq!(taken.len(), UNPROVEN_IN_FLIGHT_MAX);
    assert!(hosts.room().is_for_trusted_alone);
    assert!(hosts.enter("new:443", false).is_none());
    let place = hosts.enter("good:443", false).unwrap();
    assert!(hosts.enter("good:443", false).is_none(), "one at a time while it is crowded");
    hosts.leave(&place, Some(AT_ONCE));
    assert!(hosts.enter("good:443", false).is_some());
}

#[test]
fn hosts_that_have_answered_and_are_dead_now_leave_places_too() {
    let mut hosts = hosts();
    attempt(&mut hosts, "good:443", Some(AT_ONCE));
    hosts.recall((0..200).map(name).map(accepting));
    assert_eq!(fill(&mut hosts, 200).len(), EXPECTED_IN_FLIGHT_MAX);
    assert!(hosts.enter("good:443", false).is_some());
}

#[test]
fn hosts_that_the_operator_or_a_running_attempt_names_are_expected_to_answer() {
    let mut hosts = hosts_of("lms.example,*.school.example");
    hosts.await_attempts(["exam.example:8443".to_owned()]);
    let others = fill(&mut hosts, 500);
    assert_eq!(others.len(), UNPROVEN_IN_FLIGHT_MAX);
    for name in ["lms.example:443", "a.school.example:8080", "exam.example:8443"] {
        assert!(hosts.enter(name, false).is_some(), "{name}");
    }
    assert!(hosts.enter("lms.example.org:443", false).is_none());
    // Being named makes nobody alive.
    let mut hosts = hosts_of("lms.example");
    attempt(&mut hosts, "lms.example:443", Some(HostAnswer::Never));
    assert_eq!(fill_one(&mut hosts, "lms.example:443").len(), 1);
}

#[test]
fn an_event_that_was_not_answered_makes_its_host_a_silent_one() {
    let mut hosts = hosts();
    let place = hosts.enter("dead:443", true).unwrap();
    assert!(hosts.enter("dead:443", false).is_none(), "one at a time");
    hosts.leave(&place, None);
    assert_eq!(hosts.hosts["dead:443"].standing, HostStanding::Unknown, "nothing was sent");
    hosts.recall(["good:443".to_owned()].map(accepting));
    assert!(hosts.enter("good:443", true).is_some() && hosts.enter("good:443", true).is_some());
    assert_eq!(hosts.room().trusted, ["good:443"]);
    assert_eq!(hosts.room().places, IN_FLIGHT_MAX - 2);
}

#[test]
fn invented_hosts_push_out_no_good_ones() {
    let mut hosts = hosts();
    hosts.recall((0..ANSWERING_HOSTS_MAX / 2).map(name).map(accepting));
    hosts.await_attempts(["exam.example:443".to_owned()]);
    attempt(&mut hosts, "exam.example:443", Some(AT_ONCE));
    // Twice as many as there is room for answer promptly, after all the others.
    for number in 0..2 * ANSWERING_HOSTS_MAX {
        attempt(&mut hosts, &format!("invented{number}:443"), Some(AT_ONCE));
    }
    hosts.forget_quiet();
    assert!(hosts.hosts.len() <= ANSWERING_HOSTS_MAX + 1, "{}", hosts.hosts.len());
    assert!((0..ANSWERING_HOSTS_MAX / 2).all(|number| hosts.hosts.contains_key(&name(number))));
    assert!(hosts.hosts.contains_key("exam.example:443"));
}

#[test]
fn what_has_answered_is_remembered_for_a_month() {
    let mut hosts = hosts();
    attempt(&mut hosts, "good:443", Some(LATE));
    attempt(&mut hosts, "dead:443", Some(HostAnswer::Never));
    let ago = |days: u64| Instant::now().checked_sub(Duration::from_secs(days * 86_400));
    let used = ago(30).unwrap();
    hosts.hosts.values_mut().for_each(|host| host.used = used);
    hosts.forget_quiet();
    assert_eq!(hosts.hosts.keys().collect::<Vec<_>>(), ["good:443"]);
}
