//! How many tests one address may start or hand in, and how often it may begin a sign-in.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error::Error;

/// Addresses that have been quiet are forgotten so often.
const FORGET_EVERY: Duration = Duration::from_secs(60);
/// An IPv6 customer has a whole network: addresses are told apart by its first so many bits.
const IPV6_PREFIX_BITS: u32 = 64;

/// A limit for each address.
pub struct AddressLimit(Option<DefaultKeyedRateLimiter<IpAddr>>);

impl AddressLimit {
    /// So many a second and so many at once; `None`: no limit.
    #[must_use]
    pub fn new(rate_and_burst: Option<(u32, u32)>) -> Self {
        let quota = rate_and_burst.and_then(|(rate, burst)| {
            Some(Quota::per_second(NonZeroU32::new(rate)?).allow_burst(NonZeroU32::new(burst)?))
        });
        Self(quota.map(RateLimiter::keyed))
    }

    /// Counts one request.
    ///
    /// # Errors
    /// 429 when the address has had too many.
    pub fn count(&self, peer: Option<SocketAddr>) -> Result<(), Error> {
        let (Some(limiter), Some(peer)) = (&self.0, peer) else { return Ok(()) };
        limiter.check_key(&network(peer.ip())).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            Error::TooMany(wait.as_secs() + 1)
        })
    }

    /// Forgets addresses that have been quiet; never returns.
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
