//! One proctor's WebSocket. It carries a room's frames and the answers to commands, and nothing waits for it.
//!
//! The HTTP dispatcher polls this actor, so a peer that stops reading stops the actor too, timers included. Work that
//! must finish all the same, such as a command, is therefore done outside the actor.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use actix_web::web::{Data, Payload};
use actix_web::{Error as ActixError, HttpRequest, HttpResponse, get};
use actix_web_actors::ws::{Message as Frame, ProtocolError, WebsocketContext};
use bytestring::ByteString;
use domain::access::Identity;
use domain::order::OrderTarget;
use domain::room::RoomKey;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::connection::{self, Connection, PING_EVERY, Received};
use crate::auth::caller::Credential;
use crate::error::Error;
use crate::http::after::After;
use crate::http::origin;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::proctor::admission::{Expelled, Watched, enter, history, new_code, who};
use crate::live::proctor::caller::Proctoring;
use crate::live::proctor::frames;
use crate::live::proctor::protocol::{
    self, CommandKind, FRAME_BYTES_MAX, NumberedCommand, ProctorFrame, ProctorRequest,
};
use crate::live::proctor::queue::OrderQueue;
use crate::live::proctor::rights::{Oversight, in_time};
use crate::live::proctor::room_order::RoomOrder;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::rooms::room::{FrameBody, Leave, RoomFrame, SetView};
use crate::live::{Live, store};
use crate::telemetry::GaugeGuard;

/// Messages waiting for one socket. Few are enough, because a room sends nothing more to a peer that does not read.
const MAILBOX_CAPACITY: usize = 64;
/// How often it is checked that the proctor may still watch.
const RIGHTS_EVERY: Duration = Duration::from_secs(3);
/// Frames of one proctor's socket per second, sustained: more than a proctor needs.
const FRAMES_PER_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(9);
/// Frames of one proctor's socket in one burst.
const FRAMES_AT_ONCE: NonZeroU32 = NonZeroU32::MIN.saturating_add(59);
/// Commands of one socket that are not answered yet; more are refused as `rate_limited`.
const COMMANDS_AT_ONCE: usize = 16;

/// Watches a grade, a template or a sitting over WebSocket. `/api/asyncapi.json` describes its frames.
#[utoipa::path(
    operation_id = "openProctorSocket",
    tag = "live",
    security(("api_token" = [])),
    params(("Sec-WebSocket-Protocol" = Option<String>, Header, description = "`examhall.live.v1`")),
    responses(
        (status = 101, description = "The socket is open"),
        (status = 400, description = "Not a WebSocket handshake", body = LiveErrorBody),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "From a foreign origin, or neither staff nor a proctor of any room", body = LiveErrorBody),
    )
)]
#[get("/api/live/proctor")]
pub async fn open(
    asked: Result<After<Proctoring, Payload>, ActixError>,
    request: HttpRequest,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(_, stream) = asked?;
    origin::refuse_foreign(&request, &live.shared.base.config)?;
    let credential = live.shared.neighbours.callers.credential(request.headers()).ok_or(Error::Unauthorized)?;
    Ok(connection::open(ProctorSocket::new(live.into_inner(), credential), &request, stream, FRAME_BYTES_MAX)?)
}

struct ProctorSocket {
    live: Arc<Live>,
    credential: Credential,
    watched: Option<Watched>,
    watches: u64,
    /// Under which the orders of this socket are kept.
    id: Uuid,
    commands: usize,
    orders: OrderQueue,
    limiter: DefaultDirectRateLimiter,
    connection: Connection,
    _counted: GaugeGuard,
}

/// A frame whose sender may watch.
enum Admitted {
    Watch(Watched),
    Command(Identity, Option<Oversight>, NumberedCommand),
}

impl ProctorSocket {
    fn new(live: Arc<Live>, credential: Credential) -> Self {
        let counted = GaugeGuard::on(&live.services.metrics.proctors);
        Self {
            orders: OrderQueue::new(Arc::clone(&live)),
            connection: Connection::new(live.services.clock.clone(), FRAME_BYTES_MAX),
            live,
            credential,
            watched: None,
            watches: 0,
            id: Uuid::new_v4(),
            commands: 0,
            limiter: RateLimiter::direct(Quota::per_second(FRAMES_PER_SECOND).allow_burst(FRAMES_AT_ONCE)),
            _counted: counted,
        }
    }

    fn text(&mut self, text: &str, context: &mut WebsocketContext<Self>) {
        // Every frame counts, even one that is not understood.
        let is_too_fast = self.limiter.check().is_err();
        match protocol::parse(text) {
            Err(refused) if is_too_fast => self.fault(refused.id.as_deref(), &too_fast(), context),
            Err(refused) => self.fault(refused.id.as_deref(), &refused.fault, context),
            Ok(ProctorFrame::Request(request)) if is_too_fast => self.fault(request.id(), &too_fast(), context),
            Ok(ProctorFrame::View(_)) if is_too_fast => self.fault(None, &too_fast(), context),
            Ok(ProctorFrame::View(rows)) => self.view(rows, context),
            Ok(ProctorFrame::Request(request)) => self.admit(request, context),
        }
    }

    /// Checks who the proctor is before anything is done. Frames that arrive meanwhile wait in the connection.
    fn admit(&mut self, request: ProctorRequest, context: &mut WebsocketContext<Self>) {
        let (live, credential) = (Arc::clone(&self.live), self.credential.clone());
        let watched = self.watched.as_ref().map(|watched| (watched.key, watched.oversight));
        let id = request.id().map(ToOwned::to_owned);
        self.watches += 1;
        let (watch, recipient) = (self.watches, context.address().recipient());
        let admitting = actix::spawn(async move {
            let (identity, oversight) = who(&live, credential, watched).await?;
            Ok::<_, Expelled>(match request {
                ProctorRequest::Command(command) => Ok(Admitted::Command(identity, oversight, command)),
                ProctorRequest::Watch { room, since, manner } => {
                    enter(&live, &identity, &room, (since, manner), watch, recipient).await.map(Admitted::Watch)
                }
            })
        });
        context.wait(admitting.into_actor(self).map(move |admitted, actor, context| match admitted {
            Ok(Ok(Ok(Admitted::Watch(watched)))) => actor.watch(watched, context),
            Ok(Ok(Ok(Admitted::Command(identity, oversight, command)))) => {
                actor.command(identity, oversight, command, context);
            }
            Ok(Ok(Err(fault))) | Ok(Err(Expelled::Unknown(fault))) => actor.fault(id.as_deref(), &fault, context),
            Ok(Err(expelled)) => actor.expel(expelled, context),
            Err(error) => {
                tracing::error!(%error, "a proctor's frame broke off");
                actor.fault(id.as_deref(), &Fault::internal(), context);
            }
        }));
    }

    /// Replaces the room that was watched before.
    fn watch(&mut self, watched: Watched, context: &mut WebsocketContext<Self>) {
        self.leave(context);
        self.watched = Some(watched);
    }

    fn view(&mut self, rows: Option<Vec<u32>>, context: &mut WebsocketContext<Self>) {
        let Some(Watched { watch, room, .. }) = self.watched.as_ref().filter(|watched| watched.manner.differences)
        else {
            let fault = Fault::new(Code::NotWatching, "Watch a room with differences first");
            return self.fault(None, &fault, context);
        };
        if room.try_send(SetView { frames: context.address().recipient(), watch: *watch, rows }).is_err() {
            self.fault(None, &too_fast(), context);
        }
    }

    fn leave(&mut self, context: &mut WebsocketContext<Self>) {
        if let Some(Watched { watch, room, .. }) = self.watched.take() {
            // A room that misses this notices when the socket is gone; what it sends until then is dropped.
            let _ = room.try_send(Leave { frames: context.address().recipient(), watch });
        }
    }

    /// Carries out a command outside this actor. Orders are carried out in the order in which they came.
    fn command(
        &mut self,
        identity: Identity,
        oversight: Option<Oversight>,
        command: NumberedCommand,
        context: &mut WebsocketContext<Self>,
    ) {
        let NumberedCommand { id, asked } = command;
        let Some((room, oversight)) = self.watched.as_ref().map(|watched| watched.key).zip(oversight) else {
            return self.fault(Some(&id), &Fault::new(Code::NotWatching, "Watch a room first"), context);
        };
        if self.commands >= COMMANDS_AT_ONCE {
            return self.fault(Some(&id), &too_fast(), context);
        }
        match asked {
            CommandKind::History(subject) => {
                let live = Arc::clone(&self.live);
                let reading = actix::spawn(async move {
                    in_time(history(&live, &identity, room, subject, &id)).await.map_err(|fault| (id, fault))
                });
                self.answer_when(async { reading.await.ok() }, context);
            }
            CommandKind::Code(session_id) => {
                let live = Arc::clone(&self.live);
                let making = actix::spawn(async move {
                    in_time(new_code(&live, &identity, room, session_id, &id)).await.map_err(|fault| (id, fault))
                });
                self.answer_when(async { making.await.ok() }, context);
            }
            CommandKind::Order(target, order) => {
                let content = RoomOrder::Sessions(order).content(target, &identity, oversight);
                self.order(identity, room, id, content, context);
            }
            CommandKind::Sitting(order) => {
                let content = RoomOrder::Sitting(order).content(OrderTarget::All, &identity, oversight);
                self.order(identity, room, id, content, context);
            }
        }
    }

    fn order(
        &mut self,
        identity: Identity,
        room: RoomKey,
        id: Box<RawValue>,
        content: store::CommandContent,
        context: &mut WebsocketContext<Self>,
    ) {
        let connection = store::OrderConnection::Socket(self.id);
        let proctor = identity.email.clone();
        let asked = store::ProctorCommand { proctor, room, id: id.get().to_owned(), connection, content };
        let Some(doing) = self.orders.give(identity, asked) else {
            return self.fault(Some(&id), &too_fast(), context);
        };
        let doing = async move {
            doing.await.ok().map(|done| done.map(|done| frames::done(&id, done)).map_err(|fault| (id, fault)))
        };
        self.answer_when(doing, context);
    }

    /// Answers a command when it is done. `None` means that the command broke off, and closes the socket.
    fn answer_when(
        &mut self,
        doing: impl Future<Output = Option<Result<ByteString, (Box<RawValue>, Fault)>>> + 'static,
        context: &mut WebsocketContext<Self>,
    ) {
        self.commands += 1;
        context.spawn(doing.into_actor(self).map(move |done, actor, context| {
            actor.commands -= 1;
            match done {
                Some(Ok(_)) if actor.connection.is_closing() => {}
                Some(Ok(frame)) => context.text(frame),
                Some(Err((id, fault))) => actor.fault(Some(&id), &fault, context),
                None => {
                    tracing::error!("a proctor's command broke off");
                    actor.close(1011, "internal", context);
                }
            }
        }));
    }

    fn expel(&mut self, expelled: Expelled, context: &mut WebsocketContext<Self>) {
        match expelled {
            Expelled::SignedOut => self.close(4401, "sign-in", context),
            Expelled::Forbidden(fault) => {
                self.fault(None, &fault, context);
                self.close(4403, "forbidden", context);
            }
            Expelled::Unknown(_) => {}
        }
    }

    fn fault(&mut self, id: Option<&RawValue>, fault: &Fault, context: &mut WebsocketContext<Self>) {
        if self.connection.is_closing() {
            return;
        }
        context.text(frames::error(id, fault));
        if fault.code == Code::BadMessage && self.connection.has_too_many_bad_messages() {
            self.close(4400, Code::BadMessage.name(), context);
        }
    }

    fn close(&mut self, code: u16, reason: &'static str, context: &mut WebsocketContext<Self>) {
        if !self.connection.is_closing() {
            self.leave(context);
        }
        self.connection.close(code, reason, context);
    }

    fn restart(&mut self, context: &mut WebsocketContext<Self>) {
        if !self.connection.is_closing() {
            context.text(crate::live::protocol::write::restarting());
            self.close(1012, "restarting", context);
        }
    }

    fn listen_for_life(&mut self, context: &mut WebsocketContext<Self>) {
        if self.connection.is_silent() {
            context.stop();
        } else {
            context.ping(b"");
        }
    }

    /// Disconnects a proctor who may not watch any more. If the room has died, the socket is closed too, so that the
    /// proctor connects again and gets a new room.
    fn ask_again(&mut self, context: &mut WebsocketContext<Self>) {
        if self.watched.as_ref().is_some_and(|watched| !watched.room.connected()) {
            return self.close(1013, "try again later", context);
        }
        let (live, credential) = (Arc::clone(&self.live), self.credential.clone());
        let watched = self.watched.as_ref().map(|watched| (watched.key, watched.oversight));
        let asking = actix::spawn(async move { who(&live, credential, watched).await });
        context.spawn(asking.into_actor(self).map(|found, actor, context| {
            if let Ok(Err(expelled)) = found {
                actor.expel(expelled, context);
            }
        }));
    }
}

fn too_fast() -> Fault {
    Fault::new(Code::RateLimited, "Too many messages: send this one again a little later")
}

impl Actor for ProctorSocket {
    type Context = WebsocketContext<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
        let clock = &self.live.services.clock;
        clock.every(context, PING_EVERY, Self::listen_for_life);
        clock.every(context, RIGHTS_EVERY, Self::ask_again);
        context.spawn(
            self.live.shared.registry.stopping().into_actor(self).map(|(), actor, context| actor.restart(context)),
        );
    }

    fn stopping(&mut self, context: &mut Self::Context) -> Running {
        self.leave(context);
        Running::Stop
    }
}

impl StreamHandler<Result<Frame, ProtocolError>> for ProctorSocket {
    fn handle(&mut self, frame: Result<Frame, ProtocolError>, context: &mut Self::Context) {
        match self.connection.receive(frame, context) {
            Received::Text(text) => self.text(&text, context),
            Received::Binary(_) => self.fault(None, &Fault::new(Code::BadMessage, "Messages are text"), context),
            Received::Wrong((code, reason)) => self.close(code, reason, context),
            Received::Nothing => {}
        }
    }
}

impl Handler<RoomFrame> for ProctorSocket {
    type Result = ();

    fn handle(&mut self, frame: RoomFrame, context: &mut Self::Context) {
        // Frames that a room sent before the proctor left it are dropped.
        if let Some(watched) = self.watched.as_ref().filter(|watched| watched.watch == frame.watch) {
            watched.on_the_way.take_off(frame.body.bytes());
            match frame.body {
                FrameBody::Text(text) => context.text(text),
                FrameBody::Deflated(bytes) => context.binary(bytes),
            }
        }
    }
}
