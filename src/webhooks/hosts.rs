//! The receivers as the deliverer knows them: how many attempts may be in progress to each, so that those that do not
//! answer leave places for those that do. It has no database and starts nothing.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

/// Attempts in progress. Each mostly waits for its receiver, so many can run at once.
const IN_FLIGHT_MAX: usize = 128;
/// Attempts in progress to hosts that have not shown that they answer promptly. The other places are kept for those
/// that have.
const UNPROVEN_IN_FLIGHT_MAX: usize = 96;
/// The part of these that hosts may have which were slow the last time. The others are for hosts about which nothing is
/// known, such as the receiver of a school's first exam.
const SLOW_IN_FLIGHT_MAX: usize = 32;
/// Attempts in progress to one host, so that a slow receiver does not hold up the others.
const IN_FLIGHT_TO_HOST_MAX: usize = 8;
/// A host may have more than one attempt in progress only while all together have fewer than this: half of the places
/// for hosts that answer promptly …
const CROWDED: usize = IN_FLIGHT_MAX / 2;
/// … and a third of theirs for hosts about which nothing is known, so that most places stay for others.
const CROWDED_UNPROVEN: usize = UNPROVEN_IN_FLIGHT_MAX / 3;
/// An answer within this time is prompt. A host that takes longer keeps its place so long that others may wait for it.
const PROMPT: Duration = Duration::from_secs(3);
/// How long a host is remembered after the last attempt. Callers can name any number of hosts, so they must not be
/// remembered forever.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(60);
/// The same for hosts that answer promptly: an LMS may have an exam only once a day.
pub const PROMPT_FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 60 * 60);
/// Hosts that are remembered for so long.
pub const PROMPT_HOSTS_MAX: usize = 1_000;

/// How a host's last attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostStanding {
    /// There has been none.
    Unknown,
    /// It was answered soon, whatever the status.
    Prompt,
    /// It was not answered, or late.
    Slow,
}

/// Which deliveries can be started now.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct DeliveryRoom {
    /// Attempts that can be started at all.
    pub places: usize,
    /// Hosts that have no room.
    pub full: Vec<String>,
    /// Hosts that answer promptly, with or without room.
    pub prompt: Vec<String>,
    /// Whether only hosts that answer promptly have room.
    pub is_for_prompt_alone: bool,
    /// Whether events that their host has left without an answer before must wait, unless it answers promptly now.
    pub is_without_slow: bool,
}

/// A place among the attempts in progress; it is given back with [`Hosts::leave`].
#[derive(Debug)]
pub struct AttemptPlace {
    host: String,
    share: HostStanding,
    began: Instant,
}

/// The attempts and the rate of one receiver.
struct Host {
    standing: HostStanding,
    in_flight: usize,
    limiter: DefaultDirectRateLimiter,
    /// The rate is used up until then.
    blocked_until: Instant,
    used: Instant,
}

/// All receivers that are remembered.
pub struct Hosts {
    quota: Quota,
    hosts: HashMap<String, Host>,
    unknown: usize,
    prompt: usize,
    slow: usize,
}

impl Hosts {
    /// For this many attempts a second to one host.
    #[must_use]
    pub fn new(rate: NonZeroU32) -> Self {
        let quota = Quota::per_second(rate).allow_burst(rate.saturating_mul(NonZeroU32::MIN.saturating_add(1)));
        Self { quota, hosts: HashMap::new(), unknown: 0, prompt: 0, slow: 0 }
    }

    /// Takes hosts for prompt that have accepted events before this server was started.
    pub fn trust(&mut self, names: impl IntoIterator<Item = String>) {
        for name in names.into_iter().take(PROMPT_HOSTS_MAX) {
            let host = host_of(&mut self.hosts, self.quota, &name);
            if host.standing == HostStanding::Unknown {
                host.standing = HostStanding::Prompt;
            }
        }
    }

    /// What can be started now.
    #[must_use]
    pub fn room(&self) -> DeliveryRoom {
        let now = Instant::now();
        let is_full = |host: &Host| host.blocked_until > now || !self.has_place(host, host.standing);
        let names = |is_meant: &dyn Fn(&Host) -> bool| {
            self.hosts.iter().filter(|(_, host)| is_meant(host)).map(|(name, _)| name.clone()).collect()
        };
        DeliveryRoom {
            places: IN_FLIGHT_MAX.saturating_sub(self.in_flight()),
            full: names(&is_full),
            prompt: names(&|host| host.standing == HostStanding::Prompt),
            is_for_prompt_alone: self.unproven() >= UNPROVEN_IN_FLIGHT_MAX,
            is_without_slow: self.slow >= SLOW_IN_FLIGHT_MAX,
        }
    }

    /// Takes a place for an attempt, if its host has room now. `is_unanswered` says that the host has left this event
    /// without an answer before; it counts while nothing else is known about the host, as after a start.
    pub fn enter(&mut self, name: &str, is_unanswered: bool) -> Option<AttemptPlace> {
        host_of(&mut self.hosts, self.quota, name);
        let known = self.hosts.get(name)?;
        let share =
            if known.standing == HostStanding::Unknown && is_unanswered { HostStanding::Slow } else { known.standing };
        if known.blocked_until > Instant::now() || !self.has_place(known, share) {
            return None;
        }
        let host = self.hosts.get_mut(name)?;
        host.standing = share;
        if let Err(until) = host.limiter.check() {
            host.blocked_until = Instant::now() + until.wait_time_from(DefaultClock::default().now());
            return None;
        }
        host.in_flight += 1;
        host.used = Instant::now();
        *self.count_of(share) += 1;
        Some(AttemptPlace { host: name.to_owned(), share, began: Instant::now() })
    }

    /// Gives a place back. `is_answered` is `None` if nothing was sent, which says nothing about the host.
    pub fn leave(&mut self, place: &AttemptPlace, is_answered: Option<bool>) {
        *self.count_of(place.share) -= 1;
        if let Some(host) = self.hosts.get_mut(&place.host) {
            host.in_flight -= 1;
            if let Some(is_answered) = is_answered {
                let is_prompt = is_answered && place.began.elapsed() <= PROMPT;
                host.standing = if is_prompt { HostStanding::Prompt } else { HostStanding::Slow };
            }
        }
    }

    /// Forgets hosts that have long had no attempt.
    pub fn forget_quiet(&mut self) {
        let is_prompt = |host: &Host| host.standing == HostStanding::Prompt;
        self.hosts.retain(|_, host| {
            let kept = if is_prompt(host) { PROMPT_FORGOTTEN_AFTER } else { FORGOTTEN_AFTER };
            host.in_flight > 0 || host.used.elapsed() < kept
        });
        let mut used: Vec<Instant> = self.hosts.values().filter(|host| is_prompt(host)).map(|host| host.used).collect();
        if used.len() > PROMPT_HOSTS_MAX {
            used.sort_unstable_by(|one, other| other.cmp(one));
            let oldest = used.get(PROMPT_HOSTS_MAX - 1).copied();
            self.hosts.retain(|_, host| {
                !is_prompt(host) || host.in_flight > 0 || oldest.is_none_or(|oldest| host.used >= oldest)
            });
        }
    }

    /// Whether there is a place for one more attempt to a host, counted as one of this standing.
    fn has_place(&self, host: &Host, share: HostStanding) -> bool {
        let is_crowded = match share {
            HostStanding::Prompt => self.in_flight() >= CROWDED,
            HostStanding::Unknown => self.unproven() >= CROWDED_UNPROVEN,
            HostStanding::Slow => true,
        };
        let to_host = if is_crowded { 1 } else { IN_FLIGHT_TO_HOST_MAX };
        let has_share = match share {
            HostStanding::Prompt => true,
            HostStanding::Unknown => self.unproven() < UNPROVEN_IN_FLIGHT_MAX,
            HostStanding::Slow => self.slow < SLOW_IN_FLIGHT_MAX && self.unproven() < UNPROVEN_IN_FLIGHT_MAX,
        };
        has_share && host.in_flight < to_host && self.in_flight() < IN_FLIGHT_MAX
    }

    const fn unproven(&self) -> usize {
        self.unknown + self.slow
    }

    const fn in_flight(&self) -> usize {
        self.unproven() + self.prompt
    }

    const fn count_of(&mut self, share: HostStanding) -> &mut usize {
        match share {
            HostStanding::Unknown => &mut self.unknown,
            HostStanding::Prompt => &mut self.prompt,
            HostStanding::Slow => &mut self.slow,
        }
    }
}

fn host_of<'a>(hosts: &'a mut HashMap<String, Host>, quota: Quota, name: &str) -> &'a mut Host {
    let now = Instant::now();
    let new = || Host {
        standing: HostStanding::Unknown,
        in_flight: 0,
        limiter: RateLimiter::direct(quota),
        blocked_until: now,
        used: now,
    };
    hosts.entry(name.to_owned()).or_insert_with(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts() -> Hosts {
        Hosts::new(NonZeroU32::new(1_000).unwrap())
    }

    fn name(number: usize) -> String {
        format!("host{number}:443")
    }

    /// Every host takes as many places as it gets.
    fn fill(hosts: &mut Hosts, count: usize) -> Vec<AttemptPlace> {
        (0..count)
            .flat_map(|number| std::iter::from_fn(|| hosts.enter(&name(number), false)).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn one_host_alone_has_eight_places() {
        assert_eq!(fill(&mut hosts(), 1).len(), IN_FLIGHT_TO_HOST_MAX);
    }

    #[test]
    fn many_dead_hosts_leave_places_for_a_new_one() {
        let mut hosts = hosts();
        let taken = fill(&mut hosts, 60);
        assert!(taken.len() < UNPROVEN_IN_FLIGHT_MAX, "{}", taken.len());
        assert!(hosts.enter("new:443", false).is_some());
        taken.iter().for_each(|place| hosts.leave(place, Some(false)));
        // Now it is known that they are dead, and they share fewer places.
        assert_eq!(fill(&mut hosts, 60).len(), SLOW_IN_FLIGHT_MAX);
        assert!(hosts.room().is_without_slow && !hosts.room().is_for_prompt_alone);
        assert!(hosts.enter("another:443", false).is_some());
    }

    #[test]
    fn places_are_kept_for_hosts_that_answer() {
        let mut hosts = hosts();
        hosts.trust(["good:443".to_owned()]);
        let taken = fill(&mut hosts, 500);
        assert_eq!(taken.len(), UNPROVEN_IN_FLIGHT_MAX);
        assert!(hosts.room().is_for_prompt_alone);
        assert!(hosts.enter("new:443", false).is_none());
        let place = hosts.enter("good:443", false).unwrap();
        assert!(hosts.enter("good:443", false).is_none(), "one at a time while it is crowded");
        hosts.leave(&place, Some(true));
        assert!(hosts.enter("good:443", false).is_some());
    }

    #[test]
    fn hosts_that_have_answered_and_are_dead_now_leave_places_too() {
        let mut hosts = hosts();
        hosts.trust((0..40).map(name).chain(["good:443".to_owned()]));
        assert!(fill(&mut hosts, 40).len() < IN_FLIGHT_MAX);
        assert!(hosts.enter("good:443", false).is_some());
    }

    #[test]
    fn an_event_that_was_not_answered_makes_its_host_a_slow_one() {
        let mut hosts = hosts();
        let place = hosts.enter("dead:443", true).unwrap();
        assert!(hosts.enter("dead:443", false).is_none(), "one at a time");
        hosts.leave(&place, None);
        hosts.trust(["good:443".to_owned()]);
        assert!(hosts.enter("good:443", true).is_some() && hosts.enter("good:443", true).is_some());
        assert_eq!(hosts.room().prompt, ["good:443"]);
        assert_eq!(hosts.room().places, IN_FLIGHT_MAX - 2);
    }

    #[test]
    fn only_so_many_prompt_hosts_are_remembered() {
        let mut hosts = hosts();
        hosts.trust((0..PROMPT_HOSTS_MAX).map(name));
        let place = hosts.enter("new:443", false).unwrap();
        hosts.leave(&place, Some(true));
        hosts.forget_quiet();
        assert!(hosts.hosts.len() <= PROMPT_HOSTS_MAX && hosts.hosts.contains_key("new:443"));
    }
}
