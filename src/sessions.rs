//! Finished tests: storing one, reading one, the lists of all, and their results as a table.

pub mod create;
pub mod exam_name;
pub mod finished;
pub mod hand_in;
pub mod keys_under_way;
pub mod large_writes;
pub mod list;
pub mod read;
pub mod recorder;
pub mod release_wait;
pub mod results;
pub mod version_list;
pub mod versions;

use std::sync::Arc;

use actix_web::web::{self, Data};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::base::Base;
use crate::outgoing::Outbox;
use keys_under_way::KeysUnderWay;
use large_writes::LargeWrites;
use recorder::SessionRecorder;
use release_wait::ReleaseWaits;

/// What takes in finished tests, and waits for their release.
#[derive(Clone)]
pub struct SessionServices {
    recorder: Data<SessionRecorder>,
    large_writes: Data<LargeWrites>,
    keys_under_way: Data<KeysUnderWay>,
    release_waits: Data<ReleaseWaits>,
}

impl SessionServices {
    #[must_use]
    pub fn open(base: &Base, outbox: &Arc<Outbox>) -> Self {
        let (database, clock, strain) = (base.database.clone(), base.clock.clone(), Arc::clone(&base.strain));
        Self {
            recorder: Data::new(SessionRecorder::start(database, clock.clone(), Arc::clone(outbox), strain)),
            large_writes: Data::new(LargeWrites::new(Arc::clone(&base.metrics), clock)),
            keys_under_way: Data::default(),
            release_waits: Data::default(),
        }
    }

    /// Hands them to one worker's app.
    pub fn provide(&self, config: &mut web::ServiceConfig) {
        config
            .app_data(self.recorder.clone())
            .app_data(self.large_writes.clone())
            .app_data(self.keys_under_way.clone())
            .app_data(self.release_waits.clone());
    }
}

/// Finished tests.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(create::create)
        .service(list::sessions_list)
        .service(read::session)
        .service(results::results)
        .service(version_list::versions);
}
