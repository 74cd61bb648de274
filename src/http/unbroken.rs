//! Lets a request that may change something go on when its caller hangs up. actix-web drops the future of a handler
//! together with its connection, which may be between a commit and the entry in the record of what was done, or the
//! news to other servers (`docs/decisions/0065-requests-outlive-their-connections.md`).

use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

tokio::task_local! {
    /// The tasks of the connection that is being served.
    static TASKS: TaskTracker;
    /// Cancelled when the caller of the task has gone.
    static CALLER: CancellationToken;
}

/// Serves a connection, and then waits for the tasks that have outlived it. So a planned stop waits for them as for
/// connections, and a flood of requests whose callers have gone is limited as connections are.
pub fn connection<T>(serving: impl Future<Output = T>) -> impl Future<Output = T> {
    let tasks = TaskTracker::new();
    // In a box, since this future would have room for it several times over, for as long as a student's socket is open.
    let serving = TASKS.scope(tasks.clone(), Box::pin(serving));
    async move {
        let served = serving.await;
        tasks.close();
        tasks.wait().await;
        served
    }
}

/// Does the work in a task of its own on this worker, which goes on when this future is dropped.
///
/// # Errors
/// When the work panics, or the worker ends before it.
pub async fn run<T: 'static>(work: impl Future<Output = T> + 'static) -> Result<T, JoinError> {
    let caller = CancellationToken::new();
    let tasks = TASKS.try_with(TaskTracker::clone).unwrap_or_default();
    let task = tasks.spawn_local(CALLER.scope(caller.clone(), work));
    let _gone_when_dropped = caller.drop_guard();
    task.await
}

/// Ends when the caller of this task has gone, for those who wait and have changed nothing yet: who has hung up stands
/// in no line. Never ends elsewhere.
pub async fn caller_gone() {
    match CALLER.try_with(CancellationToken::clone) {
        Ok(caller) => caller.cancelled().await,
        Err(_) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;
    use std::time::Duration;

    use futures_util::FutureExt;
    use tokio::sync::Notify;
    use tokio::time::timeout;

    use super::*;

    #[actix_web::test]
    async fn work_goes_on_without_its_caller_and_its_connection_waits_for_it() {
        let (begun, go_on, is_done) = (Rc::new(Notify::new()), Rc::new(Notify::new()), Rc::new(Cell::new(false)));
        let (started, waiting, done) = (Rc::clone(&begun), Rc::clone(&go_on), Rc::clone(&is_done));
        let served = connection(async move {
            let work = async move {
                started.notify_one();
                waiting.notified().await;
                done.set(true);
            };
            tokio::select! {
                biased;
                _ = run(work) => {}
                () = begun.notified() => {}
            }
        });
        let mut served = Box::pin(served);
        assert!(timeout(Duration::from_millis(20), &mut served).await.is_err(), "the connection waits");
        assert!(!is_done.get());
        go_on.notify_one();
        served.await;
        assert!(is_done.get());
    }

    #[actix_web::test]
    async fn a_panic_is_an_error() {
        let broken = run(async { panic!("as intended") }).await;
        assert!(matches!(broken, Err::<(), _>(error) if error.is_panic()));
        assert_eq!(run(async { 5 }).await.unwrap(), 5);
    }

    #[actix_web::test]
    async fn work_learns_that_its_caller_has_gone() {
        let told = Rc::new(Notify::new());
        let tell = Rc::clone(&told);
        let work = async move {
            caller_gone().await;
            tell.notify_one();
        };
        assert!(run(work).now_or_never().is_none(), "the caller hangs up at once");
        timeout(Duration::from_secs(10), told.notified()).await.unwrap();
        assert!(caller_gone().now_or_never().is_none(), "who is in no task waits for nobody");
    }
}
