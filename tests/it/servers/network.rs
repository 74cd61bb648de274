//! Networks that cut, hang, are slow and repeat themselves: between servers and Redis, and between students and the
//! load balancer.

use super::student::Student;
use super::*;
use crate::hall::Link;

/// How long each trouble lasts.
const TROUBLE: Duration = Duration::from_secs(3);
const SLOWNESS: Duration = Duration::from_millis(300);

#[tokio::test]
async fn a_bad_network_to_redis_harms_only_the_picture_and_only_for_a_while() {
    let cluster = Cluster::open(Setup { linked_redis: true, ..Setup::default() }).await;
    let exam = Exam::begin(&cluster).await;
    let link = cluster.redis_link();
    for trouble in [Link::repeat_words as fn(&Link), |link| link.slow_down(SLOWNESS), Link::hang, Link::cut] {
        trouble(link);
        sleep(TROUBLE).await;
        exam.everyone_saves_within(Duration::from_secs(8)).await;
        link.mend();
        sleep(Duration::from_millis(500)).await;
    }
    let students = exam.end(&cluster).await;
    assert!(
        students.iter().filter(|student| student.is_on_a_socket()).all(|student| student.losses == 0),
        "Redis' network cut a student off"
    );
}

#[tokio::test]
async fn a_bad_network_to_students_loses_nothing() {
    let cluster = Cluster::open(Setup::default()).await;
    let link = Link::to(cluster.base().trim_start_matches("http://")).await;
    let exam = Exam::by(&cluster, &format!("http://{}", link.address), Student::send_twice).await;
    for trouble in [Link::cut as fn(&Link), |link| link.slow_down(SLOWNESS), Link::hang] {
        trouble(&link);
        sleep(TROUBLE + Duration::from_secs(1)).await;
        link.mend();
        exam.everyone_saves_within(Duration::from_secs(15)).await;
    }
    let students = exam.end(&cluster).await;
    assert!(students.iter().all(|student| student.losses >= 2), "the network cut and hung for everyone");
}
