//! One student's WebSocket: it turns frames into typed messages and back. Nothing of value lives here, and nothing
//! waits for it.
//!
//! The HTTP dispatcher polls this actor, so a peer that stops reading stops the actor too, timers included: its mailbox
//! fills, the seat lets it go, and the kernel closes the connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix::prelude::*;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse, get};
use actix_web_actors::ws::{Message as Frame, ProtocolError, WebsocketContext};

use super::connection::{self, Connection, PING_EVERY, Received};
use crate::auth::caller::Credential;
use crate::auth::token;
use crate::http::limits::CountedCaller;
use crate::http::origin;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::protocol::read::{self, FRAME_BYTES_MAX};
use crate::live::protocol::student_frame::{Enter, Start, StudentFrame};
use crate::live::protocol::write::{self, Outgoing};
use crate::live::seat::{Attach, Detach, FromSocket, SeatDirectory, SeatHandle, SocketEvent, ToSocket};
use crate::live::seats::access::{SeatAnswer, SeatLocation};
use crate::live::store::{ClaimMode, StartChannel};
use crate::live::{Live, counted, enter, start};
use crate::telemetry::GaugeGuard;

/// Frames waiting for a peer that reads slowly. When the mailbox is full, the seat lets the socket go.
const MAILBOX_CAPACITY: usize = 1_024;
/// How long a start or a resume may take. Then the client gets `storage_unavailable` and connects again.
const SEATED_WITHIN: Duration = Duration::from_secs(10);
/// How long a socket may stay open without the first message, which gives it its session.
const FIRST_MESSAGE_WITHIN: Duration = Duration::from_secs(120);

static SOCKETS: AtomicU64 = AtomicU64::new(1);

/// Opens a live exam over WebSocket. `/api/asyncapi.json` describes its frames.
#[utoipa::path(
    operation_id = "openStudentSocket",
    tag = "live",
    params(("Sec-WebSocket-Protocol" = Option<String>, Header, description = "`examhall.live.v1`")),
    responses(
        (status = 101, description = "The socket is open"),
        (status = 400, description = "Not a WebSocket handshake", body = LiveErrorBody),
        (status = 403, description = "From a foreign origin", body = LiveErrorBody),
    )
)]
#[get("/api/live")]
pub async fn open(request: HttpRequest, live: Data<Live>, stream: Payload) -> Result<HttpResponse, LiveError> {
    origin::refuse_foreign(&request, &live.shared.base.config)?;
    // The caller is identified only when a test is started: a resume needs no sign-in, and works while the database is
    // down.
    let credential = live.shared.neighbours.callers.credential(request.headers());
    let socket = StudentSocket::new(live.into_inner(), credential, CountedCaller::of(&request));
    Ok(connection::open(socket, &request, stream, FRAME_BYTES_MAX)?)
}

struct StudentSocket {
    live: Arc<Live>,
    id: u64,
    credential: Option<Credential>,
    caller: Option<CountedCaller>,
    opened_at: Instant,
    is_let_go: Arc<AtomicBool>,
    seat: Option<Arc<SeatHandle>>,
    connection: Connection,
    _counted: GaugeGuard,
}

/// Attaches a socket to the seat of a session, claiming the seat from whichever server has it.
async fn resumed(
    live: &Arc<Live>,
    session_id: uuid::Uuid,
    token: &str,
    attach: impl Fn(String, Option<u16>, bool) -> Attach,
    line: Option<u16>,
) -> Result<Arc<SeatHandle>, Fault> {
    let token_hash = token::hash(token);
    match live.ask_seat(session_id, &token_hash, ClaimMode::Socket, || attach(token.to_owned(), line, false)).await? {
        SeatLocation::Here(SeatAnswer { handle, answer: Some(()) }) => Ok(handle),
        SeatLocation::Here(_) | SeatLocation::Elsewhere(_) => Err(Fault::storage()),
    }
}

impl StudentSocket {
    fn new(live: Arc<Live>, credential: Option<Credential>, caller: Option<CountedCaller>) -> Self {
        let counted = GaugeGuard::on(&live.services.metrics.sockets);
        Self {
            id: SOCKETS.fetch_add(1, Ordering::Relaxed),
            connection: Connection::new(live.services.clock.clone(), FRAME_BYTES_MAX),
            live,
            credential,
            caller,
            opened_at: Instant::now(),
            is_let_go: Arc::default(),
            seat: None,
            _counted: counted,
        }
    }

    fn text(&mut self, text: &str, context: &mut WebsocketContext<Self>) {
        match read::parse(text) {
            Ok(StudentFrame::Start(start)) => self.start(*start, context),
            Ok(StudentFrame::Enter(enter)) => self.enter(*enter, context),
            Ok(StudentFrame::Resume { session_id, token, line }) => self.resume(session_id, token, line, context),
            Ok(StudentFrame::Command(command)) => {
                let seq = command.seq;
                self.pass(SocketEvent::Command(command), Some(seq), context);
            }
            Ok(StudentFrame::Sync(t)) => self.pass(SocketEvent::Sync(t), None, context),
            Ok(StudentFrame::Trouble(troubles)) => self.pass(SocketEvent::Trouble(troubles), None, context),
            Ok(StudentFrame::Receipt) => self.pass(SocketEvent::Receipt, None, context),
            Ok(StudentFrame::Focus { away }) => self.pass(SocketEvent::Focus(away), None, context),
            Err(fault) => self.fault(&fault, context),
        }
    }

    /// Passes a message to the seat. If the seat has stopped, the socket is closed, and the client connects again to a
    /// new one.
    fn pass(&mut self, event: SocketEvent, seq: Option<u64>, context: &mut WebsocketContext<Self>) {
        if self.is_let_go.load(Ordering::Relaxed) {
            return self.close(1013, "try again later", context);
        }
        let Some(seat) = &self.seat else {
            let fault =
                Fault { seq, ..Fault::new(Code::NotStarted, "The first message must be start, enter or resume") };
            return self.fault(&fault, context);
        };
        match seat.address.try_send(FromSocket { socket: self.id, event }) {
            Ok(()) => {}
            Err(SendError::Full(_)) => {
                // The seat does not know of this message, so a later `saved` would cover it by mistake. The client
                // connects again and sends it again.
                tracing::warn!("a seat's mailbox is full; its socket is closed");
                self.close(1013, "try again later", context);
            }
            Err(SendError::Closed(_)) => self.close(1012, "restarting", context),
        }
    }

    fn start(&mut self, start: Start, context: &mut WebsocketContext<Self>) {
        if self.refuse_second(context) {
            return;
        }
        let (live, credential, counted_caller) = (Arc::clone(&self.live), self.credential.clone(), self.caller.clone());
        let attach = self.attach(context);
        let starting = async move {
            let caller = start::caller(&live, credential).await?;
            let account = caller.as_ref().map(|caller| caller.email.as_str());
            counted::start(&live, counted_caller.clone(), account)?;
            let begun = start::begin(&live, start, caller, counted_caller, StartChannel::WebSocket).await?;
            let Some(seat) = begun.seat else {
                return resumed(&live, begun.session_id, &begun.token, attach, None).await;
            };
            match seat.address.send(attach(begun.token, None, true)).await {
                Ok(Some(())) => Ok(seat),
                Ok(None) | Err(_) => Err(Fault::storage()),
            }
        };
        self.seat_when(starting, context);
    }

    fn enter(&mut self, enter: Enter, context: &mut WebsocketContext<Self>) {
        if self.refuse_second(context) {
            return;
        }
        let (live, credential, address) = (Arc::clone(&self.live), self.credential.clone(), self.caller.clone());
        let attach = self.attach(context);
        let entering = async move {
            let caller = start::caller(&live, credential).await?;
            let begun = enter::enter(&live, enter, caller, address, StartChannel::WebSocket).await?;
            let Some(seat) = begun.seat else {
                return resumed(&live, begun.session_id, &begun.token, attach, None).await;
            };
            match seat.address.send(attach(begun.token, None, true)).await {
                Ok(Some(())) => Ok(seat),
                Ok(None) | Err(_) => Err(Fault::storage()),
            }
        };
        self.seat_when(entering, context);
    }

    fn resume(
        &mut self,
        session_id: uuid::Uuid,
        token: String,
        line: Option<u16>,
        context: &mut WebsocketContext<Self>,
    ) {
        if self.refuse_second(context) {
            return;
        }
        let live = Arc::clone(&self.live);
        let attach = self.attach(context);
        let caller = self.caller.clone();
        let resuming = async move {
            let token_hash = token::hash(&token);
            let asking = resumed(&live, session_id, &token, attach, line);
            counted::known(&live, caller, (session_id, &token_hash), asking).await
        };
        self.seat_when(resuming, context);
    }

    /// Returns a function that makes the message with which this socket attaches to a seat.
    fn attach(&self, context: &WebsocketContext<Self>) -> impl Fn(String, Option<u16>, bool) -> Attach + use<> {
        let (socket, frames, is_let_go) = (self.id, context.address().recipient(), Arc::clone(&self.is_let_go));
        move |token, line, is_new| Attach {
            socket,
            frames: frames.clone(),
            is_let_go: Arc::clone(&is_let_go),
            token,
            line,
            is_new,
        }
    }

    /// Refuses a second `start` or `resume`, and any during a planned stop. Returns whether it has refused.
    fn refuse_second(&mut self, context: &mut WebsocketContext<Self>) -> bool {
        if self.live.shared.registry.is_stopping() {
            self.stop_without_seat(context);
            return true;
        }
        if self.seat.is_some() {
            self.fault(&Fault::new(Code::AlreadyStarted, "This socket has its session already"), context);
        }
        self.seat.is_some()
    }

    /// Waits for the seat. Frames that arrive meanwhile wait in the connection.
    fn seat_when(
        &mut self,
        seated: impl Future<Output = Result<Arc<SeatHandle>, Fault>> + 'static,
        context: &mut WebsocketContext<Self>,
    ) {
        let seated =
            async { tokio::time::timeout(SEATED_WITHIN, seated).await.unwrap_or_else(|_| Err(Fault::storage())) };
        context.wait(seated.into_actor(self).map(|seated, actor, context| match seated {
            Ok(handle) => actor.seat = Some(handle),
            Err(fault) => {
                actor.fault(&fault, context);
                // Nothing keeps trying for a socket without a seat, so the client must connect again.
                if matches!(fault.code, Code::StorageUnavailable | Code::Internal) {
                    actor.close(1013, "try again later", context);
                }
            }
        }));
    }

    fn fault(&mut self, fault: &Fault, context: &mut WebsocketContext<Self>) {
        context.text(write::error(fault));
        if let Some(code) = fault.code.close_code() {
            return self.close(code, fault.code.name(), context);
        }
        if fault.code == Code::BadMessage && self.connection.has_too_many_bad_messages() {
            self.close(4400, Code::BadMessage.name(), context);
        }
    }

    fn close(&mut self, code: u16, reason: &'static str, context: &mut WebsocketContext<Self>) {
        self.connection.close(code, reason, context);
    }

    /// A socket that has a seat is told by the seat, after its commit.
    fn stop_without_seat(&mut self, context: &mut WebsocketContext<Self>) {
        if self.seat.is_none() && !self.connection.is_closing() {
            context.text(write::restarting());
            self.close(1012, "restarting", context);
        }
    }

    fn listen_for_life(&mut self, context: &mut WebsocketContext<Self>) {
        if self.connection.is_silent() {
            context.stop();
        } else if self.is_let_go.load(Ordering::Relaxed)
            || self.seat.as_ref().is_some_and(|seat| !seat.address.connected())
        {
            self.close(1013, "try again later", context);
        } else if self.seat.is_none() && self.opened_at.elapsed() > FIRST_MESSAGE_WITHIN {
            self.close(1008, "no start", context);
        } else {
            context.ping(b"");
        }
    }
}

impl Actor for StudentSocket {
    type Context = WebsocketContext<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
        self.live.services.clock.every(context, PING_EVERY, Self::listen_for_life);
        context.spawn(
            self.live
                .shared
                .registry
                .stopping()
                .into_actor(self)
                .map(|(), actor, context| actor.stop_without_seat(context)),
        );
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        if let Some(seat) = &self.seat {
            // A seat that misses this notices when its next frame reaches nobody.
            let _ = seat.address.try_send(Detach { socket: self.id });
        }
    }
}

impl StreamHandler<Result<Frame, ProtocolError>> for StudentSocket {
    fn handle(&mut self, frame: Result<Frame, ProtocolError>, context: &mut Self::Context) {
        match self.connection.receive(frame, context) {
            Received::Text(text) => self.text(&text, context),
            Received::Binary(_) => self.fault(&Fault::new(Code::BadMessage, "Messages are text"), context),
            Received::Wrong((code, reason)) => self.close(code, reason, context),
            Received::Nothing => {}
        }
    }
}

impl Handler<ToSocket> for StudentSocket {
    type Result = ();

    fn handle(&mut self, ToSocket(outgoing): ToSocket, context: &mut Self::Context) {
        match outgoing {
            _ if self.connection.is_closing() => {}
            Outgoing::Text(text) => context.text(text),
            Outgoing::Close(code, reason) => self.close(code, reason, context),
        }
    }
}
