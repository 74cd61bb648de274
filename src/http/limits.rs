//! Limits on what one address, or one account, may do in a while. Each kind of request has an account of its own, so
//! that a flood of one kind uses up nothing that another kind needs.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::HttpRequest;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::client_address::counted_address;
use crate::clock::Clock;
use crate::error::Error;

/// How often addresses that have been quiet are forgotten, so that memory holds only the busy ones.
const FORGET_EVERY: Duration = Duration::from_secs(60);
/// An IPv6 customer has a whole network, so only these first bits of an address count.
const IPV6_PREFIX_BITS: u32 = 64;

/// What is counted. Commands and hand-ins of running attempts are not: their attempts have limits of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Starts of live tests.
    Start,
    /// Sign-ins that begin.
    SignIn,
    /// Finished tests that are handed in as sessions.
    Session,
    /// Starts and sessions that are refused as invalid. More of them are refused too, but with 429.
    Junk,
    /// Requests to a running attempt without its token, refused in the same way.
    Stranger,
}

impl Counted {
    const ALL: [Self; 5] = [Self::Start, Self::SignIn, Self::Session, Self::Junk, Self::Stranger];
}

/// Who is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CountedCaller {
    Address(IpAddr),
    /// A caller who is signed in, by e-mail address: they share nothing with others behind the same address.
    Account(String),
}

impl CountedCaller {
    /// The address of a request's client.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Option<Self> {
        counted_address(request).map(|address| Self::Address(network(address)))
    }

    /// The account, if the caller has one.
    #[must_use]
    pub fn signed_in(self, account: Option<&str>) -> Self {
        account.map_or(self, |account| Self::Account(account.to_owned()))
    }
}

/// The limits, each counted for each caller separately.
pub struct AddressLimit(Option<[DefaultKeyedRateLimiter<CountedCaller>; Counted::ALL.len()]>);

impl AddressLimit {
    /// A rate per second and a burst, for each kind of request; `None` means no limit.
    #[must_use]
    pub fn new(rate_and_burst: Option<(u32, u32)>) -> Self {
        let quota = rate_and_burst.and_then(|(rate, burst)| {
            Some(Quota::per_second(NonZeroU32::new(rate)?).allow_burst(NonZeroU32::new(burst)?))
        });
        Self(quota.map(|quota| Counted::ALL.map(|_| RateLimiter::keyed(quota))))
    }

    /// Counts one request: 429 if the caller has made too many of its kind.
    pub fn count(&self, what: Counted, caller: Option<&CountedCaller>) -> Result<(), Error> {
        let limiter = self.0.as_ref().and_then(|limiters| limiters.get(what as usize));
        let (Some(limiter), Some(caller)) = (limiter, caller) else { return Ok(()) };
        limiter.check_key(caller).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            Error::TooMany(wait.as_secs() + 1)
        })
    }

    /// Counts a request that is refused. Returns the refusal, or 429 if the caller has been refused too often.
    #[must_use]
    pub fn refused(&self, what: Counted, caller: Option<&CountedCaller>, refusal: Error) -> Error {
        self.count(what, caller).err().unwrap_or(refusal)
    }

    /// Forgets quiet callers; never returns.
    pub async fn forget_quiet(&self, clock: &Clock) {
        loop {
            clock.sleep(FORGET_EVERY).await;
            self.0.iter().flatten().for_each(RateLimiter::retain_recent);
        }
    }
}

/// What counts as one address.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - IPV6_PREFIX_BITS))))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> CountedCaller {
        CountedCaller::Address(network(text.parse().unwrap()))
    }

    #[test]
    fn each_kind_and_each_caller_has_an_account_of_its_own() {
        let limit = AddressLimit::new(Some((1, 2)));
        let (one, other) = (address("203.0.113.1"), address("203.0.113.2"));
        for _ in 0..2 {
            assert!(limit.count(Counted::Start, Some(&one)).is_ok());
        }
        assert!(matches!(limit.count(Counted::Start, Some(&one)), Err(Error::TooMany(1))));
        for what in [Counted::SignIn, Counted::Session, Counted::Junk, Counted::Stranger] {
            assert!(limit.count(what, Some(&one)).is_ok(), "{what:?}");
        }
        assert!(limit.count(Counted::Start, Some(&other)).is_ok());
        assert!(limit.count(Counted::Start, Some(&one.signed_in(Some("ada@exam.test")))).is_ok());
    }

    #[test]
    fn who_is_refused_too_often_is_told_so() {
        let (limit, one) = (AddressLimit::new(Some((1, 1))), address("2001:db8::1"));
        let refusal = || Error::invalid("body");
        assert!(matches!(limit.refused(Counted::Junk, Some(&one), refusal()), Error::Invalid(_)));
        let same = address("2001:db8::ffff");
        assert!(matches!(limit.refused(Counted::Junk, Some(&same), refusal()), Error::TooMany(_)));
        assert!(AddressLimit::new(None).count(Counted::Junk, Some(&one)).is_ok());
    }
}
