//! Limits per address: how many tests one may start or hand in, and how often it may begin a sign-in.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error::Error;

/// How often addresses that have been quiet are forgotten, so that memory holds only the busy ones.
const FORGET_EVERY: Duration = Duration::from_secs(60);
/// An IPv6 customer has a whole network, so only these first bits of an address count.
const IPV6_PREFIX_BITS: u32 = 64;

/// One limit, counted for each address separately.
pub struct AddressLimit(Option<DefaultKeyedRateLimiter<IpAddr>>);

impl AddressLimit {
    /// A rate per second and a burst; `None` means no limit.
    #[must_use]
    pub fn new(rate_and_burst: Option<(u32, u32)>) -> Self {
        let quota = rate_and_burst.and_then(|(rate, burst)| {
            Some(Quota::per_second(NonZeroU32::new(rate)?).allow_burst(NonZeroU32::new(burst)?))
        });
        Self(quota.map(RateLimiter::keyed))
    }

    /// Counts one request: 429 if the address has made too many.
    pub fn count(&self, peer: Option<SocketAddr>) -> Result<(), Error> {
        let (Some(limiter), Some(peer)) = (&self.0, peer) else { return Ok(()) };
        limiter.check_key(&network(peer.ip())).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            Error::TooMany(wait.as_secs() + 1)
        })
    }

    /// Forgets quiet addresses; never returns.
    pub async fn forget_quiet(&self) {
        loop {
            tokio::time::sleep(FORGET_EVERY).await;
            if let Some(limiter) = &self.0 {
                limiter.retain_recent();
            }
        }
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - IPV6_PREFIX_BITS))))
        }
        address => address,
    }
}
