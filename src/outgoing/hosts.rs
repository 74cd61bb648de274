//! The receivers as the deliverer knows them: how many attempts may be in progress to each, so that those that do not
//! answer leave places for those that do. It has no database and starts nothing.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use domain::webhook_target::TargetPolicy;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

/// Attempts in progress. Each mostly waits for its receiver, so many can run at once.
const IN_FLIGHT_MAX: usize = 128;
/// Attempts in progress at which hosts that have yet to answer this server get no more: the rest is kept for hosts that
/// have answered it promptly.
const EXPECTED_IN_FLIGHT_MAX: usize = 112;
/// Attempts in progress to hosts that neither answer promptly nor are expected to. The other places are kept for prompt
/// hosts.
const UNPROVEN_IN_FLIGHT_MAX: usize = 96;
/// Attempts in progress, of [`UNPROVEN_IN_FLIGHT_MAX`], to hosts that answer late.
const LATE_IN_FLIGHT_MAX: usize = 40;
/// Attempts in progress, of [`UNPROVEN_IN_FLIGHT_MAX`], to hosts that do not answer. The rest is for hosts about which
/// nothing is known, such as the receiver of a school's first exam.
const SILENT_IN_FLIGHT_MAX: usize = 32;
/// Attempts in progress to one host at first, and to a host that answers late. It is small so that a slow receiver does
/// not hold up the others.
const WINDOW_FIRST: usize = 8;
/// Attempts in progress to one host at most. Each prompt answer raises the host's window by one, from [`WINDOW_FIRST`]
/// up to this.
const WINDOW_MAX: usize = 48;
/// Attempts in progress to all hosts from which on a host that answers promptly gets only one place: half of the
/// places, so that a busy host does not take all of them.
const CROWDED: usize = IN_FLIGHT_MAX / 2;
/// Attempts in progress to late hosts from which on each of them gets only one place: as many as two of them may have.
const CROWDED_LATE: usize = 2 * WINDOW_FIRST;
/// Attempts in progress to unknown hosts from which on each of them gets only one place: a third of the places that
/// they may have, so that most stay for others.
const CROWDED_UNKNOWN: usize = UNPROVEN_IN_FLIGHT_MAX / 3;
/// An answer within this time is prompt. A host that takes longer keeps its place so long that others may wait for it.
const PROMPT: Duration = Duration::from_secs(3);
/// How long a host is remembered after the last attempt. Callers can name any number of hosts, so they must not be
/// remembered forever.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(60);
/// How long a host that has answered is remembered after the last attempt: an LMS may have an exam only once a month.
pub const ANSWERING_FORGOTTEN_AFTER: Duration = Duration::from_secs(31 * 24 * 60 * 60);
/// Hosts that have answered and are remembered for [`ANSWERING_FORGOTTEN_AFTER`].
pub const ANSWERING_HOSTS_MAX: usize = 1_000;
/// How long a host is expected to answer after it was last read that running attempts name it.
const AWAITED_FOR: Duration = Duration::from_secs(5 * 60);
/// Time from the first answer of a host after which another answer counts as one of another day.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What is known of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostStanding {
    /// Nothing.
    Unknown,
    /// This server has not heard from it, but it is named in `WEBHOOK_HOSTS`, running attempts name it, or it has
    /// accepted events before.
    Expected,
    /// It answered soon, whatever the status.
    Prompt,
    /// It answers, but the last time it took long, or failed once.
    Late,
    /// It did not answer, the first time or twice in a row.
    Silent,
}

impl HostStanding {
    const fn is_trusted(self) -> bool {
        matches!(self, Self::Prompt | Self::Expected)
    }
}

/// What a host did with an event that was sent to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostAnswer {
    /// It answered after this time, whatever the status.
    After(Duration),
    /// The same, and it said that it is asked too much.
    Busy(Duration),
    /// It could not be reached, or did not answer in time.
    Never,
}

/// Hosts from which answers are expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptingHost {
    /// `host:port`.
    pub name: String,
    /// On how many days it has accepted events.
    pub days: u32,
    /// How many events it has accepted.
    pub answers: u32,
}

/// Which deliveries can be started now.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct DeliveryRoom {
    /// Attempts that can be started at all.
    pub places: usize,
    /// Hosts that have no room.
    pub full: Vec<String>,
    /// Hosts that answer promptly or are expected to, with or without room.
    pub trusted: Vec<String>,
    /// These, and hosts that answer late.
    pub answering: Vec<String>,
    /// Whether only the trusted hosts have room.
    pub is_for_trusted_alone: bool,
    /// Whether events that their host has left without an answer before must wait, unless it answers now.
    pub is_without_silent: bool,
}

/// A place among the attempts in progress; it is given back with [`Hosts::leave`].
#[derive(Debug)]
pub struct AttemptPlace {
    host: String,
    share: HostStanding,
}

/// The attempts and the rate of one receiver.
struct Host {
    standing: HostStanding,
    in_flight: usize,
    /// How many of them it may have.
    window: usize,
    /// Attempts in a row that it did not answer.
    misses: u32,
    /// How often, and on how many days, it has answered.
    answers: u32,
    days: u32,
    /// When the last of these days began.
    day_began: Instant,
    known_since: Instant,
    awaited_until: Instant,
    limiter: DefaultDirectRateLimiter,
    /// The rate is used up until then.
    blocked_until: Instant,
    used: Instant,
}

/// All receivers that are remembered.
pub struct Hosts {
    quota: Quota,
    targets: TargetPolicy,
    hosts: HashMap<String, Host>,
    unknown: usize,
    expected: usize,
    prompt: usize,
    late: usize,
    silent: usize,
}

impl Hosts {
    /// For this many attempts a second to one host.
    #[must_use]
    pub fn new(rate: NonZeroU32, targets: TargetPolicy) -> Self {
        let quota = Quota::per_second(rate).allow_burst(rate.saturating_mul(NonZeroU32::MIN.saturating_add(1)));
        Self { quota, targets, hosts: HashMap::new(), unknown: 0, expected: 0, prompt: 0, late: 0, silent: 0 }
    }

    /// Expects answers of hosts that have accepted events before this server was started.
    pub fn recall(&mut self, accepting: impl IntoIterator<Item = AcceptingHost>) {
        for AcceptingHost { name, days, answers } in accepting.into_iter().take(ANSWERING_HOSTS_MAX) {
            let host = self.host_mut(&name);
            host.days = host.days.max(days);
            host.answers = host.answers.max(answers);
            host.expect();
        }
    }

    /// Expects answers of hosts that running attempts name, until some minutes after the last call.
    pub fn await_attempts(&mut self, names: impl IntoIterator<Item = String>) {
        for name in names {
            let host = self.host_mut(&name);
            host.awaited_until = Instant::now() + AWAITED_FOR;
            host.expect();
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
            trusted: names(&|host| host.standing.is_trusted()),
            answering: names(&|host| host.standing.is_trusted() || host.standing == HostStanding::Late),
            is_for_trusted_alone: self.unproven() >= UNPROVEN_IN_FLIGHT_MAX,
            is_without_silent: self.silent >= SILENT_IN_FLIGHT_MAX,
        }
    }

    /// Takes a place for an attempt, if its host has room now. `is_unanswered` says that this event was sent before and
    /// that no answer is known. The host is taken for a silent one then, while nothing else is known about it, as after
    /// a start.
    pub fn enter(&mut self, name: &str, is_unanswered: bool) -> Option<AttemptPlace> {
        self.host_mut(name);
        let known = self.hosts.get(name)?;
        let share = match known.standing {
            HostStanding::Unknown if is_unanswered => HostStanding::Silent,
            standing => standing,
        };
        if known.blocked_until > Instant::now() || !self.has_place(known, share) {
            return None;
        }
        let host = self.hosts.get_mut(name)?;
        host.standing = share;
        // Last, because the check itself uses up some of the rate.
        if let Err(until) = host.limiter.check() {
            host.blocked_until = Instant::now() + until.wait_time_from(DefaultClock::default().now());
            return None;
        }
        host.in_flight += 1;
        host.used = Instant::now();
        *self.count_of(share) += 1;
        Some(AttemptPlace { host: name.to_owned(), share })
    }

    /// Gives a place back. Without an answer nothing was sent, which says nothing about the host.
    pub fn leave(&mut self, place: &AttemptPlace, answer: Option<HostAnswer>) {
        *self.count_of(place.share) -= 1;
        if let Some(host) = self.hosts.get_mut(&place.host) {
            host.in_flight -= 1;
            match answer {
                Some(HostAnswer::After(time)) => host.answered(time),
                Some(HostAnswer::Busy(time)) => {
                    host.answered(time);
                    // It asks for fewer attempts, so it has to earn its window anew.
                    host.window = WINDOW_FIRST;
                }
                Some(HostAnswer::Never) => host.missed(),
                None => host.said_nothing(),
            }
        }
    }

    /// Forgets hosts that have long had no attempt, and of too many that have answered those that did so least: on the
    /// fewest days, with the fewest answers, the latest comers. So nobody who invents hosts makes it forget a school's.
    pub fn forget_quiet(&mut self) {
        let now = Instant::now();
        self.hosts.retain(|_, host| {
            let kept = if host.answers > 0 { ANSWERING_FORGOTTEN_AFTER } else { FORGOTTEN_AFTER };
            host.in_flight > 0 || host.awaited_until > now || host.used.elapsed() < kept
        });
        let may_go = |host: &Host| host.answers > 0 && host.in_flight == 0 && host.awaited_until <= now;
        let mut worths: Vec<_> = self.hosts.values().filter(|host| host.answers > 0).map(Host::worth).collect();
        if worths.len() > ANSWERING_HOSTS_MAX {
            worths.sort_unstable_by(|one, other| other.cmp(one));
            let least = worths.get(ANSWERING_HOSTS_MAX - 1).copied();
            self.hosts.retain(|_, host| !may_go(host) || least.is_none_or(|least| host.worth() >= least));
        }
    }

    /// Whether there is a place for one more attempt to a host, counted as one of this standing.
    fn has_place(&self, host: &Host, share: HostStanding) -> bool {
        let (all, unproven) = (self.in_flight(), self.unproven());
        let (has_share, is_crowded) = match share {
            HostStanding::Prompt => (true, all >= CROWDED),
            HostStanding::Expected => (all < EXPECTED_IN_FLIGHT_MAX, all >= CROWDED),
            HostStanding::Late => (self.late < LATE_IN_FLIGHT_MAX, self.late >= CROWDED_LATE),
            HostStanding::Unknown => (true, unproven >= CROWDED_UNKNOWN),
            // One attempt is enough to find out that it answers again.
            HostStanding::Silent => (self.silent < SILENT_IN_FLIGHT_MAX, true),
        };
        let to_host = if is_crowded { 1 } else { host.window };
        let is_within = share.is_trusted() || unproven < UNPROVEN_IN_FLIGHT_MAX;
        has_share && is_within && host.in_flight < to_host && all < IN_FLIGHT_MAX
    }

    const fn unproven(&self) -> usize {
        self.unknown + self.late + self.silent
    }

    const fn in_flight(&self) -> usize {
        self.unproven() + self.expected + self.prompt
    }

    const fn count_of(&mut self, share: HostStanding) -> &mut usize {
        match share {
            HostStanding::Unknown => &mut self.unknown,
            HostStanding::Expected => &mut self.expected,
            HostStanding::Prompt => &mut self.prompt,
            HostStanding::Late => &mut self.late,
            HostStanding::Silent => &mut self.silent,
        }
    }

    fn host_mut(&mut self, name: &str) -> &mut Host {
        let (quota, targets) = (self.quota, &self.targets);
        self.hosts.entry(name.to_owned()).or_insert_with(|| {
            let is_named = name.rsplit_once(':').is_some_and(|(host, _)| targets.names_host(host));
            Host::new(quota, if is_named { HostStanding::Expected } else { HostStanding::Unknown })
        })
    }
}

impl Host {
    fn new(quota: Quota, standing: HostStanding) -> Self {
        let now = Instant::now();
        Self {
            standing,
            in_flight: 0,
            window: WINDOW_FIRST,
            misses: 0,
            answers: 0,
            days: 0,
            day_began: now,
            known_since: now,
            awaited_until: now,
            limiter: RateLimiter::direct(quota),
            blocked_until: now,
            used: now,
        }
    }

    const fn expect(&mut self) {
        if matches!(self.standing, HostStanding::Unknown) {
            self.standing = HostStanding::Expected;
        }
    }

    fn answered(&mut self, time: Duration) {
        if self.days == 0 || self.day_began.elapsed() >= DAY {
            self.days = self.days.saturating_add(1);
            self.day_began = Instant::now();
        }
        self.answers = self.answers.saturating_add(1);
        self.misses = 0;
        (self.standing, self.window) = if time <= PROMPT {
            (HostStanding::Prompt, (self.window + 1).min(WINDOW_MAX))
        } else {
            (HostStanding::Late, WINDOW_FIRST)
        };
    }

    /// One miss among answers is no silence: a receiver that is busy answers the others late.
    const fn missed(&mut self) {
        self.misses = self.misses.saturating_add(1);
        self.window = WINDOW_FIRST;
        let is_rare = self.misses == 1 && self.answers > 0;
        self.standing = if is_rare { HostStanding::Late } else { HostStanding::Silent };
    }

    /// It is not silent for that alone that no answer of an earlier attempt is known.
    const fn said_nothing(&mut self) {
        if self.misses == 0 && matches!(self.standing, HostStanding::Silent) {
            self.standing = HostStanding::Unknown;
        }
    }

    const fn worth(&self) -> (u32, u32, Reverse<Instant>) {
        (self.days, self.answers, Reverse(self.known_since))
    }
}

#[cfg(test)]
mod tests;
