//! SIGKILL of one server after the other.

use super::*;

/// From the loss of a connection to the next one, without the student's own wait.
const SEARCH_MAX: Duration = Duration::from_secs(10);

#[tokio::test]
async fn killed_servers_cost_nobody_what_was_saved() {
    let mut cluster = Cluster::open(Setup::default()).await;
    let exam = Exam::begin(&cluster).await;
    for server in [0, 1] {
        cluster.kill(server).await;
        exam.everyone_saves_within(Duration::from_secs(15)).await;
        sleep(Duration::from_secs(1)).await;
        cluster.start(server).await;
        exam.everyone_saves_within(Duration::from_secs(15)).await;
    }
    let students = exam.end(&cluster).await;
    assert!(
        students.iter().filter(|student| student.losses > 0).count() >= students.len() / 4,
        "the kills cut nobody off"
    );
    for student in &students {
        assert!(student.longest_search < SEARCH_MAX, "{:?} without a server", student.longest_search);
    }
}
