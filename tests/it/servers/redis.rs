//! Redis is killed and comes back, empty: students go on saving, proctors are told that their picture is partial, and
//! all heals.

use super::*;
use crate::hall::Proctor;

/// How long Redis is away.
const AWAY: Duration = Duration::from_secs(6);

#[tokio::test]
async fn without_redis_students_save_and_proctors_know_that_their_picture_is_partial() {
    let mut cluster = Cluster::open(Setup::default()).await;
    let exam = Exam::begin(&cluster).await;
    let mut proctor = cluster.proctor(0, &room()).await;
    assert!(!proctor.is_partial, "the picture is whole before");

    cluster.redis.kill().await;
    let (saving, ()) = tokio::join!(
        async {
            let begin = std::time::Instant::now();
            while begin.elapsed() < AWAY {
                exam.everyone_saves_within(Duration::from_secs(5)).await;
            }
        },
        proctor.until("the picture is partial", |proctor| proctor.is_partial),
    );
    let () = saving;
    cluster.redis.start().await;
    proctor.until("the picture is whole again", |proctor| !proctor.is_partial).await;
    assert_told_in_order(&proctor);

    let students = exam.end(&cluster).await;
    assert!(
        students.iter().filter(|student| student.is_on_a_socket()).all(|student| student.losses == 0),
        "Redis' end cut a student off"
    );
    proctor.until_alike(&cluster.base_of(1)).await;
}

/// Whole, partial, whole: a picture that flickers tells nobody anything.
fn assert_told_in_order(proctor: &Proctor) {
    let mut told: Vec<bool> = proctor.frames.iter().map(|(_, is_partial)| *is_partial).collect();
    told.dedup();
    assert_eq!(told, [false, true, false]);
}
