//! The outcome of a school's morning: the rows of its table and whether it passed.

use super::budget;
use super::guessers::Guessers;
use super::{Morning, SchoolOptions};
use crate::cohort::Cohort;
use crate::output;
use crate::table::{Row, count, figure, row, seat_latency};
use crate::tally::{Times, read};
use std::time::Duration;

/// The longest that anybody may wait to be let in.
const START_MAX: Duration = Duration::from_secs(2);
/// Codes that may be found on average.
const EXPECTED_MAX: f64 = 1e-6;
/// Minutes of an attack after which its rate predicts what a day of it would find. Before, it is still too fast.
const TELLING_MINUTES: u32 = 10;

pub struct SchoolOutcome<'a> {
    pub options: &'a SchoolOptions,
    pub cohort: &'a Cohort,
    pub morning: &'a Morning,
    pub pupils: Guessers<'a>,
    pub strangers: Guessers<'a>,
    /// Percent of the processors' time while the school came.
    pub busy: Option<f64>,
}

impl SchoolOutcome<'_> {
    /// Prints the table and returns whether the run passed.
    pub fn print(&self) -> bool {
        let passed = self.is_served() && self.is_closed();
        let mut rows = self.school_rows();
        rows.extend(self.guess_rows());
        rows.push(figure("processors busy while the school came", self.busy, " %"));
        let errors = self.cohort.tally.errors();
        rows.push(count("errors", errors.values().sum()));
        rows.extend(errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
        output::print_rows(&rows, passed);
        passed
    }

    /// Whether everybody who belongs there has got what they came for, in time.
    fn is_served(&self) -> bool {
        let (figures, candidates) = (&self.cohort.figures, u64::from(self.options.candidates));
        let is_in_time = figures.enter_times.percentiles().is_some_and(|times| times.max < START_MAX);
        read(&figures.entered) == candidates
            && is_in_time
            && self.morning.read_times.count() == candidates
            && self.morning.hand_in_times.count() == u64::from(self.options.hand_ins)
            && self.cohort.tally.errors().is_empty()
    }

    /// Whether nobody has found a code, or had more tries than the limits allow.
    fn is_closed(&self) -> bool {
        let is_within = |guessers: &Guessers<'_>, budget| read(&guessers.figures.looked_up) <= budget;
        let is_told = self.options.minutes >= TELLING_MINUTES;
        self.found() == 0
            && is_within(&self.pupils, self.budget_of_pupils())
            && is_within(&self.strangers, self.budget_of_strangers())
            && self.expected() < EXPECTED_MAX
            && (!is_told || self.expected_in_a_day() < EXPECTED_MAX)
    }

    fn school_rows(&self) -> Vec<Row> {
        let Self { options, morning, .. } = self;
        let figures = &self.cohort.figures;
        let of = |times: &Times, all: u32| format!("{} of {all}", times.count());
        vec![
            row("pages read", of(&morning.read_times, options.candidates)),
            seat_latency("  read within", morning.read_times.percentiles()),
            row("candidates who entered", format!("{} of {}", read(&figures.entered), options.candidates)),
            seat_latency("  enter latency", figures.enter_times.percentiles()),
            seat_latency("  sealed part fetched in", figures.fetch_times.percentiles()),
            row("tests handed in", of(&morning.hand_in_times, options.hand_ins)),
            seat_latency("  stored within", morning.hand_in_times.percentiles()),
        ]
    }

    fn guess_rows(&self) -> Vec<Row> {
        let mut rows = guessers_rows("pupils", &self.pupils, self.budget_of_pupils());
        if self.options.minutes > 0 {
            rows.extend(guessers_rows("strangers", &self.strangers, self.budget_of_strangers()));
        }
        rows.push(count("codes found", self.found()));
        rows.push(row("codes found on average", format!("{:.1e}", self.expected())));
        if self.options.minutes > 0 {
            rows.push(row("  in a day of the strangers", format!("{:.1e}", self.expected_in_a_day())));
        }
        rows
    }

    fn found(&self) -> u64 {
        read(&self.pupils.figures.found) + read(&self.strangers.figures.found)
    }

    fn budget_of_pupils(&self) -> u64 {
        budget::of_address(self.pupils.time())
    }

    fn budget_of_strangers(&self) -> u64 {
        let Self { strangers, options, .. } = self;
        if strangers.count == 0 {
            return 0;
        }
        budget::of_strangers(options.addresses.into(), strangers.count.into(), strangers.time())
    }

    /// How many codes all who guessed find on average.
    fn expected(&self) -> f64 {
        let looked_up = read(&self.pupils.figures.looked_up) + read(&self.strangers.figures.looked_up);
        budget::expected(looked_up as f64, self.options.candidates)
    }

    /// The same of strangers who go on for a day as fast as in the second half of their time; they would get slower.
    fn expected_in_a_day(&self) -> f64 {
        let so_far = read(&self.strangers.figures.looked_up) as f64;
        let later = self.strangers.late_rate() * budget::DAY.as_secs_f64();
        budget::expected(so_far + later, self.options.candidates)
    }
}

fn guessers_rows(who: &str, guessers: &Guessers<'_>, budget: u64) -> Vec<Row> {
    let figures = &guessers.figures;
    // Rows of several runs are known by their labels.
    let label = |what: &str| format!("  {who}: {what}");
    vec![
        row(&format!("{who} who guessed"), format!("{}, {} codes", guessers.count, guessers.tried())),
        row(&label("looked up"), format!("{} of {budget} at most", read(&figures.looked_up))),
        row(&label("looked up in the second half"), format!("{:.2} a second", guessers.late_rate())),
        count(&label("no turn in time"), read(&figures.in_vain)),
        count(&label("no place to wait"), read(&figures.turned_away)),
        seat_latency(&label("answered within"), figures.times.percentiles()),
    ]
}
