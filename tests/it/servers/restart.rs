//! A planned stop of every server, one after the other, under load: leases are given back, and everyone is told where
//! to look.

use super::*;
use crate::hall::SERVERS;

/// What a student may wait beyond the wait that it chose itself: the servers that remain take its seat at once.
const SEARCH_MAX: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_rolling_restart_loses_nothing_and_nobody_waits() {
    let mut cluster = Cluster::open(Setup::default()).await;
    let exam = Exam::begin(&cluster).await;
    for server in 0..SERVERS {
        cluster.terminate(server).await;
        assert_eq!(
            cluster.number("SELECT count(*) FROM servers").await,
            i64::try_from(SERVERS - 1).unwrap(),
            "the lease was not given back"
        );
        cluster.start(server).await;
        exam.everyone_saves_within(Duration::from_secs(15)).await;
    }
    let students = exam.end(&cluster).await;
    let on_sockets: Vec<_> = students.iter().filter(|student| student.is_on_a_socket()).collect();
    assert!(on_sockets.iter().all(|student| student.restarts_told >= 1), "a socket was closed without a word");
    for student in &on_sockets {
        assert_eq!(student.losses, student.restarts_told, "a road was lost without `restarting`");
        assert!(student.longest_search < SEARCH_MAX, "{:?} without a server", student.longest_search);
    }
}
