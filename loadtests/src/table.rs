//! Formats figures for a table: aligned rows, milliseconds with three decimals, and `n/a` for what is unknown. Pure.

use crate::tally::Percentiles;
use std::time::Duration;

const UNKNOWN: &str = "n/a";

pub type Row = (String, String);

pub fn row(label: &str, value: String) -> Row {
    (label.to_owned(), value)
}

pub fn count(label: &str, value: u64) -> Row {
    row(label, value.to_string())
}

pub fn figure(label: &str, value: Option<f64>, unit: &str) -> Row {
    row(label, value.map_or_else(|| UNKNOWN.to_owned(), |value| format!("{value:.1}{unit}")))
}

pub fn latency(label: &str, percentiles: Option<Percentiles>) -> Row {
    let value = percentiles.map(|Percentiles { p50, p99, p999, max }| {
        let [p50, p99, p999, max] = [p50, p99, p999, max].map(milliseconds);
        format!("p50 {p50}  p99 {p99}  p99.9 {p999}  max {max} ms")
    });
    row(label, value.unwrap_or_else(|| UNKNOWN.to_owned()))
}

/// A row without the 99.9th percentile, for times that are measured once for each seat or query: too few for a
/// thousandth.
pub fn seat_latency(label: &str, percentiles: Option<Percentiles>) -> Row {
    let value = percentiles.map(|Percentiles { p50, p99, max, .. }| {
        let [p50, p99, max] = [p50, p99, max].map(milliseconds);
        format!("p50 {p50}  p99 {p99}  max {max} ms")
    });
    row(label, value.unwrap_or_else(|| UNKNOWN.to_owned()))
}

/// Pads the labels to one width and puts the values behind them.
pub fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or_default();
    let lines: Vec<String> = rows.iter().map(|(label, value)| format!("{label:<width$}  {value}")).collect();
    lines.join("\n")
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_milliseconds_with_their_microseconds() {
        let micros = Duration::from_micros;
        let measured = Percentiles { p50: micros(512), p99: micros(2_104), p999: micros(5_320), max: micros(41_023) };
        assert_eq!(latency("", Some(measured)).1, "p50 0.512  p99 2.104  p99.9 5.320  max 41.023 ms");
        assert_eq!(seat_latency("", Some(measured)).1, "p50 0.512  p99 2.104  max 41.023 ms");
    }

    #[test]
    fn what_is_unknown_says_so() {
        assert_eq!(latency("", None).1, "n/a");
        assert_eq!(seat_latency("", None).1, "n/a");
        assert_eq!(figure("", None, " KiB").1, "n/a");
        assert_eq!(figure("", Some(1.25), " KiB").1, "1.2 KiB");
    }

    #[test]
    fn values_stand_in_one_column() {
        assert_eq!(table(&[count("a", 1), row("long", "x".to_owned())]), "a     1\nlong  x");
    }
}
