//! Compares the seats of this server with the database, and stops those that other servers have claimed. Usually the
//! new holder says so itself; this is for the case that its message is lost.

use std::sync::Arc;
use std::time::Duration;

use crate::database::in_time;
use crate::error::Error;
use crate::live::seat::{SeatHandle, SeatLost};
use crate::live::{Live, store};

/// How often the seats are compared. Nothing wrong is stored in between, because the writes of a seat that was claimed
/// elsewhere are refused.
const COMPARE_EVERY: Duration = Duration::from_secs(5);
/// How long one comparison may take before it is given up; the next one makes up for it.
const COMPARE_TIMEOUT: Duration = Duration::from_secs(4);

/// Compares the seats until the server ends.
pub async fn run(live: &Live) {
    loop {
        live.services.clock.sleep(COMPARE_EVERY).await;
        in_time("who holds this server's seats", COMPARE_TIMEOUT, compare(live)).await;
    }
}

async fn compare(live: &Live) -> Result<(), Error> {
    let handles: Vec<Arc<SeatHandle>> = live.shared.registry.all();
    if handles.is_empty() {
        return Ok(());
    }
    let database = &live.services.database;
    let held = store::find_held(database, live.services.server_id).await?;
    for handle in handles {
        let fence = handle.hold.map(|hold| hold.fence);
        if held.get(&handle.session_id).is_none_or(|held| Some(*held) > fence) {
            // The seat ignores this if its fence is as high as the holder's by now, if it is ending, or if its test is
            // over and does not go on.
            let holder = store::find_holder(database, handle.session_id).await?;
            let _ = handle.address.try_send(SeatLost::to(holder));
        }
    }
    Ok(())
}
