//! Stops a seat with its server: it commits what it has and tells the student.

use actix::prelude::*;
use tokio::sync::oneshot;

use super::Seat;
use super::storing::Intent;
use crate::live::protocol::write::{self, Outgoing};

/// The server stops: the seat commits, tells the student, and stops. Answered when that is done.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Stop;

impl Seat {
    pub(super) fn stop(&mut self, done: oneshot::Sender<()>, context: &mut Context<Self>) {
        self.tell_restart();
        let _ = done.send(());
        self.leave(context);
    }

    pub(super) fn tell_restart(&mut self) {
        self.send(Outgoing::Text(write::restarting()));
        self.send(Outgoing::Close(1012, "restarting"));
    }
}

impl Handler<Stop> for Seat {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, _: Stop, context: &mut Self::Context) -> Self::Result {
        let (done, stopped) = oneshot::channel();
        self.is_stopping = true;
        self.storing.intend(Intent::Stop(done));
        self.work(context);
        Box::pin(async { drop(stopped.await) })
    }
}
