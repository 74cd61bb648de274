//! People who try wrong access codes of one sitting, each as fast as answers come: pupils at the school's address, or
//! strangers at others. From the times of the answers it counts how many codes were looked up.

use crate::failure::Failure;
use crate::http_message::HttpConnection;
use crate::tally::{Tally, Times, add, read};
use crate::waiting_frames;
use fastrand::Rng;
use futures_util::future::join_all;
use hdrhistogram::CreationError;
use serde::Deserialize;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// The characters of codes, as in `domain/src/move_code.rs`.
const ALPHABET: &[u8; 27] = b"23456789ACDEFGHJKMNPQRTVWXY";
/// Characters of each half of a code.
const HALF: usize = 5;
/// The first address of strangers: the 131,072 from here on are reserved for measurements (RFC 2544).
const FIRST_ADDRESS: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 0);
/// The shortest time after which the server answers a wrong code that had to wait for its turn, counted from the
/// look-up.
const SLOWED_MIN: Duration = Duration::from_secs(1);
/// The time after which the server answers a code that was not looked up, since its turn did not come. A code that was
/// looked up may also be answered in this time, which is a fortieth of the range of such answers.
const NO_TURN: Range<Duration> = Duration::from_secs(20)..Duration::from_millis(20_500);
/// Longest wait for an answer, of which the server takes 35 s at the most.
const ANSWER_LIMIT: Duration = Duration::from_secs(40);
/// The pause before a guesser whose connection has failed tries again.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// Who guesses, at what and when.
pub struct Guessers<'a> {
    pub server: SocketAddr,
    pub sitting_code: &'a str,
    pub count: u16,
    /// Addresses that they name as a proxy would, in turn; without, they guess from this machine's.
    pub addresses: Option<u32>,
    pub begun: Instant,
    pub end: Instant,
    /// When the last of them was answered.
    pub answered_at: OnceLock<Instant>,
    pub figures: GuessFigures,
}

/// What became of their codes.
pub struct GuessFigures {
    pub looked_up: AtomicU64,
    /// Those of them that were answered in the second half of the time.
    pub looked_up_late: AtomicU64,
    /// Refused at once, since too many waited already.
    pub turned_away: AtomicU64,
    /// Refused after a wait, since their turn did not come.
    pub in_vain: AtomicU64,
    pub found: AtomicU64,
    /// To the answer to each, whatever it was.
    pub times: Times,
}

impl GuessFigures {
    pub fn new() -> Result<Self, CreationError> {
        Ok(Self {
            looked_up: AtomicU64::new(0),
            looked_up_late: AtomicU64::new(0),
            turned_away: AtomicU64::new(0),
            in_vain: AtomicU64::new(0),
            found: AtomicU64::new(0),
            times: Times::new()?,
        })
    }
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GuessAnswer {
    Found,
    LookedUp,
    TurnedAway,
    InVain,
    Unexpected,
}

impl GuessAnswer {
    /// A code that was looked up after it had waited gets the same answer as one whose turn did not come, at another
    /// time.
    fn of(status: u16, code: &str, took: Duration) -> Self {
        match (status, code) {
            (200, _) => Self::Found,
            (403, "not_expected") => Self::LookedUp,
            (429, "rate_limited") if took < SLOWED_MIN => Self::TurnedAway,
            (429, "rate_limited") if NO_TURN.contains(&took) => Self::InVain,
            (429, "rate_limited") => Self::LookedUp,
            _ => Self::Unexpected,
        }
    }
}

impl Guessers<'_> {
    /// Guesses from the beginning to the end. Whoever has asked by then waits for the answer.
    pub async fn run(&self, tally: &Tally) {
        let addresses = AtomicU64::new(0);
        join_all((0..self.count).map(|_| self.guess_on(&addresses, tally))).await;
        self.answered_at.get_or_init(Instant::now);
    }

    /// From the beginning to the last answer.
    pub fn time(&self) -> Duration {
        self.answered_at.get().copied().unwrap_or(self.end).saturating_duration_since(self.begun)
    }

    /// Codes that were answered.
    pub fn tried(&self) -> u64 {
        self.figures.times.count()
    }

    /// Codes that are looked up in a second, in the second half of the time.
    pub fn late_rate(&self) -> f64 {
        read(&self.figures.looked_up_late) as f64 / ((self.end - self.begun) / 2).as_secs_f64()
    }

    async fn guess_on(&self, addresses: &AtomicU64, tally: &Tally) {
        sleep_until(self.begun).await;
        let (mut connection, mut random) = (None, Rng::new());
        while Instant::now() < self.end {
            let (sent, request) = (Instant::now(), self.request(addresses, &mut random));
            let answered = timeout(ANSWER_LIMIT, self.ask(&mut connection, &request)).await;
            let Ok(Ok((status, code))) = answered else {
                tally.error("guess: no answer");
                connection = None;
                sleep(RETRY_PAUSE).await;
                continue;
            };
            let took = sent.elapsed();
            let answer = GuessAnswer::of(status, &code, took);
            self.count(answer, took);
            if answer == GuessAnswer::Unexpected {
                tally.error(&format!("guess: http {status} {code}"));
            }
        }
    }

    /// Returns the status and the error's code.
    async fn ask(&self, connection: &mut Option<HttpConnection>, request: &str) -> Result<(u16, String), Failure> {
        #[derive(Default, Deserialize)]
        struct Refusal {
            #[serde(default)]
            code: String,
        }
        let open = match connection {
            Some(open) => open,
            None => connection.insert(HttpConnection::open(self.server).await?),
        };
        let (message, answer) = open.ask(request.as_bytes()).await?;
        let refusal: Refusal = serde_json::from_slice(message.body(answer)).unwrap_or_default();
        Ok((message.status()?, refusal.code))
    }

    fn request(&self, addresses: &AtomicU64, random: &mut Rng) -> String {
        let key: String = std::iter::repeat_with(|| random.alphanumeric()).take(32).collect();
        let body = waiting_frames::enter(self.sitting_code, &random_code(random), &key);
        let from = self.addresses.map(|count| {
            let number = next(addresses) % u64::from(count);
            format!("x-forwarded-for: {}\r\n", address(u32::try_from(number).unwrap_or_default()))
        });
        let head = format!("POST /api/live HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n", self.server);
        format!("{head}{}content-length: {}\r\n\r\n{body}", from.unwrap_or_default(), body.len())
    }

    fn count(&self, answer: GuessAnswer, took: Duration) {
        let figures = &self.figures;
        figures.times.record(took);
        match answer {
            GuessAnswer::Found => add(&figures.found, 1),
            GuessAnswer::TurnedAway => add(&figures.turned_away, 1),
            GuessAnswer::InVain => add(&figures.in_vain, 1),
            GuessAnswer::LookedUp => add(&figures.looked_up, 1),
            GuessAnswer::Unexpected => {}
        }
        let now = Instant::now();
        if answer == GuessAnswer::LookedUp && now >= self.begun + (self.end - self.begun) / 2 && now < self.end {
            add(&figures.looked_up_late, 1);
        }
    }
}

fn next(counter: &AtomicU64) -> u64 {
    counter.fetch_add(1, Ordering::Relaxed)
}

fn address(number: u32) -> Ipv4Addr {
    Ipv4Addr::from_bits(FIRST_ADDRESS.to_bits().wrapping_add(number))
}

/// A code as slips have it.
fn random_code(random: &mut Rng) -> String {
    let mut half = || -> String {
        std::iter::repeat_with(|| random.choice(ALPHABET).copied().map_or('2', char::from)).take(HALF).collect()
    };
    format!("{}-{}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_tell_whether_a_code_was_looked_up() {
        let of = |status, code, milliseconds| GuessAnswer::of(status, code, Duration::from_millis(milliseconds));
        assert_eq!(of(200, "", 3), GuessAnswer::Found);
        assert_eq!(of(403, "not_expected", 3), GuessAnswer::LookedUp);
        assert_eq!(of(429, "rate_limited", 3), GuessAnswer::TurnedAway);
        assert_eq!(of(429, "rate_limited", 1_003), GuessAnswer::LookedUp);
        assert_eq!(of(429, "rate_limited", 20_003), GuessAnswer::InVain);
        assert_eq!(of(429, "rate_limited", 24_000), GuessAnswer::LookedUp);
        for (status, code) in [(403, "not_open"), (403, "entry_closed"), (503, "storage_unavailable"), (400, "")] {
            assert_eq!(of(status, code, 3), GuessAnswer::Unexpected, "{code}");
        }
    }

    #[test]
    fn a_stranger_sends_codes_as_they_are_printed_from_an_address_of_their_own() {
        let guessers = Guessers {
            server: SocketAddr::from(([127, 0, 0, 1], 8_080)),
            sitting_code: "K7PQ2",
            count: 1,
            addresses: Some(2),
            begun: Instant::now(),
            end: Instant::now(),
            answered_at: OnceLock::new(),
            figures: GuessFigures::new().unwrap(),
        };
        let (addresses, mut random) = (AtomicU64::new(1), Rng::with_seed(7));
        let mut request = || guessers.request(&addresses, &mut random);
        let (first, second) = (request(), request());
        assert!(first.contains("\r\nx-forwarded-for: 198.18.0.1\r\n"), "{first}");
        assert!(second.contains("\r\nx-forwarded-for: 198.18.0.0\r\n"), "{second}");
        let code = random_code(&mut Rng::with_seed(7));
        assert!(code.len() == 2 * HALF + 1 && code.chars().nth(HALF) == Some('-'), "{code}");
        assert_eq!(address(131_071), Ipv4Addr::new(198, 19, 255, 255));
        let pupil = Guessers { addresses: None, ..guessers };
        assert!(!pupil.request(&AtomicU64::new(0), &mut Rng::new()).contains("x-forwarded-for"));
    }
}
