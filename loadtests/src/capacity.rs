//! What an exam of many students needs, reckoned from measured costs (`docs/capacity.md`). Pure.

use crate::table::{Row, row};
use clap::Args;

/// Share of its processors that a machine should use in the busiest minute: the rest is for what is not foreseen.
const UTILISATION: f64 = 0.6;
/// Students with an open socket on one server: with more, too many come back at once when it dies.
const SEATS_PER_SERVER: f64 = 50_000.0;
/// The largest database machine that is reckoned with; beyond it schools are spread over several databases.
const CORES_PER_DATABASE: f64 = 32.0;
const GIBIBYTE: f64 = 1_073_741_824.0;

/// Measured costs, of processor time in seconds and of bytes.
pub struct UnitCosts {
    /// How long a commit takes; commands that come meanwhile go into the next one.
    pub commit_takes: f64,
    /// Of the server, for a commit of autosaves and for each command in it, with its socket.
    pub server_commit: f64,
    pub server_command: f64,
    /// Of Postgres, for the same.
    pub postgres_commit: f64,
    pub postgres_command: f64,
    /// For a start and for an end, when many come together.
    pub server_start: f64,
    pub postgres_start: f64,
    pub server_submit: f64,
    pub postgres_submit: f64,
    /// Resident memory: of a server without students, and for each student.
    pub server_bytes: f64,
    pub seat_bytes: f64,
    /// Write-ahead log.
    pub log_command: f64,
    pub log_start: f64,
    pub log_submit: f64,
    /// What a finished test leaves in the database.
    pub stored_test: f64,
    /// On the network for a command and its answer, and for a test besides; reckoned from frames and headers.
    pub network_command: f64,
    pub network_test: f64,
}

/// What was measured on two virtual cores; `docs/capacity.md` names the commands.
pub const MEASURED: UnitCosts = UnitCosts {
    commit_takes: 750e-6,
    server_commit: 179e-6,
    server_command: 5.4e-6,
    postgres_commit: 450e-6,
    postgres_command: 8e-6,
    server_start: 124e-6,
    postgres_start: 90e-6,
    server_submit: 92e-6,
    postgres_submit: 150e-6,
    server_bytes: 129.0 * 1_048_576.0,
    seat_bytes: 12.0 * 1_024.0,
    log_command: 340.0,
    log_start: 2_900.0,
    log_submit: 5_500.0,
    stored_test: 8_200.0,
    network_command: 300.0,
    network_test: 20_000.0,
};

#[derive(Args, Clone, Copy)]
pub struct CapacityOptions {
    /// Students who sit at the same time.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub students: u32,
    /// Commands a second for each student: by default an answer, a flag or a visit every five seconds.
    #[arg(long, default_value_t = 0.2, value_parser = crate::seats::pace)]
    pub pace: f64,
    /// Seconds within which all of them start, and within which all of them hand in.
    #[arg(long, default_value_t = 60.0, value_parser = seconds)]
    pub within: f64,
    /// Cores of each server.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub cores: u32,
}

fn seconds(text: &str) -> Result<f64, String> {
    crate::seats::number_within(text, 1.0, 86_400.0)
}

/// What the busiest minute of an exam needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// One of them to spare.
    servers: f64,
    server_cores: f64,
    server_gibibytes: f64,
    databases: f64,
    /// Of each database.
    database_cores: f64,
    commits_a_second: f64,
    log_mebibytes_a_second: f64,
    network_megabits_a_second: f64,
    /// What the tests of one such exam leave.
    stored_gibibytes: f64,
}

impl Capacity {
    pub fn of(asked: &CapacityOptions, costs: &UnitCosts) -> Self {
        let (students, cores) = (f64::from(asked.students), f64::from(asked.cores));
        let (commands, turns) = (students * asked.pace, students / asked.within);
        let for_seats = (students / SEATS_PER_SERVER).ceil();
        let server_load = |servers: f64| {
            let commits = servers * commits_a_second(commands / servers, cores, costs);
            let turn = costs.server_start.max(costs.server_submit);
            commits * costs.server_commit + commands * costs.server_command + turns * turn
        };
        let carrying = (1..)
            .map(f64::from)
            .find(|servers| *servers >= for_seats && server_load(*servers) <= servers * cores * UTILISATION)
            .unwrap_or(for_seats);
        let commits = carrying * commits_a_second(commands / carrying, cores, costs);
        let turn = costs.postgres_start.max(costs.postgres_submit);
        let postgres_load = commits * costs.postgres_commit + commands * costs.postgres_command + turns * turn;
        let postgres_cores = (postgres_load / UTILISATION).ceil();
        let databases = (postgres_cores / CORES_PER_DATABASE).ceil();
        let log = commands * costs.log_command + turns * costs.log_start.max(costs.log_submit);
        Self {
            servers: carrying + 1.0,
            server_cores: cores,
            server_gibibytes: (costs.server_bytes + students / carrying * costs.seat_bytes) / GIBIBYTE,
            databases,
            database_cores: (postgres_cores / databases).ceil(),
            commits_a_second: commits,
            log_mebibytes_a_second: log / 1_048_576.0,
            network_megabits_a_second: (commands * costs.network_command + turns * costs.network_test) * 8.0 / 1e6,
            stored_gibibytes: students * costs.stored_test / GIBIBYTE,
        }
    }

    pub fn rows(&self) -> Vec<Row> {
        let whole = |value: f64| format!("{value:.0}");
        let fine = |value: f64, unit: &str| format!("{value:.1} {unit}");
        vec![
            row("servers, one of them to spare", whole(self.servers)),
            row("cores of each server", whole(self.server_cores)),
            row("memory that each server uses", fine(self.server_gibibytes, "GiB")),
            row("databases", whole(self.databases)),
            row("cores of each database", whole(self.database_cores)),
            row("commits a second", whole(self.commits_a_second)),
            row("write-ahead log", fine(self.log_mebibytes_a_second, "MiB/s")),
            row("network", fine(self.network_megabits_a_second, "Mbit/s")),
            row("left in the database", fine(self.stored_gibibytes, "GiB")),
        ]
    }
}

/// Each worker commits what has come during its last commit, so the more comes, the more is in each.
fn commits_a_second(commands_a_second: f64, workers: f64, costs: &UnitCosts) -> f64 {
    commands_a_second / (1.0 + commands_a_second * costs.commit_takes / workers)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAPTER: &str = include_str!("../../docs/capacity.md");
    /// Cores, and so workers, of the machine on which the costs were measured.
    const CORES: f64 = 2.0;

    /// Commands a second, commits a second, and the server's processor time in percent of a core, of three runs of
    /// `autosave`: 2,000 and 10,000 seats at one command a second, and 5,000 at one every five seconds.
    const POINTS: [(f64, f64, f64); 3] = [(2_005.0, 1_253.0, 23.5), (10_029.0, 2_047.0, 42.1), (1_014.0, 780.0, 16.1)];

    #[test]
    fn the_model_says_what_was_measured() {
        for (commands, commits, percent) in POINTS {
            let reckoned = commits_a_second(commands, CORES, &MEASURED);
            assert!(
                (reckoned / commits - 1.0).abs() < 0.15,
                "{commands}: {reckoned} commits a second, {commits} measured"
            );
            let load = reckoned * MEASURED.server_commit + commands * MEASURED.server_command;
            assert!((100.0 * load / percent - 1.0).abs() < 0.2, "{commands}: {load} of a core, {percent} % measured");
        }
    }

    #[test]
    fn the_chapter_has_the_figures_of_the_model() {
        let exams = [1_000, 10_000, 100_000, 1_000_000].map(|students| {
            Capacity::of(&CapacityOptions { students, pace: 0.2, within: 60.0, cores: 8 }, &MEASURED).rows()
        });
        for (place, (label, _)) in exams[0].iter().enumerate() {
            let values: Vec<&str> = exams.iter().map(|rows| rows[place].1.as_str()).collect();
            let line = format!("| {label} | {} |", values.join(" | "));
            assert!(CHAPTER.contains(&line), "docs/capacity.md lacks this line:\n{line}");
        }
    }

    #[test]
    fn more_students_need_no_less() {
        let needs = |students| {
            let asked = CapacityOptions { students, pace: 0.2, within: 60.0, cores: 8 };
            let Capacity { servers, databases, commits_a_second, .. } = Capacity::of(&asked, &MEASURED);
            (servers, databases, commits_a_second)
        };
        let sizes = [1, 100, 5_000, 49_999, 50_001, 400_000, 3_000_000];
        assert!(sizes.windows(2).all(|pair| needs(pair[0]) <= needs(pair[1])));
        assert_eq!(needs(1).0, 2.0);
    }
}
