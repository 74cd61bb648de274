//! An echo over the sockets of live exams, for programs that hold a server to the protocol of WebSocket (RFC 6455).
//! The way of the bytes, the handshake, the limit of a frame, the joining of pieces, pings and the close are the
//! server's own.
//!
//! `/students` takes messages as long as students may send them, `/large` the longest of a test suite.

use std::io;
use std::net::TcpListener;

use actix::{Actor, StreamHandler};
use actix_http::HttpService;
use actix_http::error::DispatchError;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service};
use actix_web::dev::Server;
use actix_web::rt::net::TcpStream;
use actix_web::web::{self, Payload};
use actix_web::{App, HttpRequest, HttpResponse};
use actix_web_actors::ws::{Message, ProtocolError, WebsocketContext};
use examhall::clock::Clock;
use examhall::error::Error;
use examhall::http::entrance::wire::Wire;
use examhall::http::upgrade::WorkerApp;
use examhall::live::protocol::read::FRAME_BYTES_MAX;
use examhall::live::socket::connection::{self, Connection, Received};

/// Where it listens unless the first argument says otherwise.
const ADDRESS: &str = "127.0.0.1:9001";
/// The longest message of Autobahn's cases.
const LARGE_BYTES_MAX: usize = 16 * 1_024 * 1_024;
const WORKERS: usize = 2;

struct Echo {
    connection: Connection,
}

impl Actor for Echo {
    type Context = WebsocketContext<Self>;
}

impl StreamHandler<Result<Message, ProtocolError>> for Echo {
    fn handle(&mut self, frame: Result<Message, ProtocolError>, context: &mut Self::Context) {
        match self.connection.receive(frame, context) {
            Received::Text(text) => context.text(text),
            Received::Binary(bytes) => context.binary(bytes),
            Received::Wrong((code, reason)) => self.connection.close(code, reason, context),
            Received::Nothing => {}
        }
    }
}

fn open(request: &HttpRequest, stream: Payload, bytes_max: usize) -> Result<HttpResponse, Error> {
    let echo = Echo { connection: Connection::new(Clock::system(), bytes_max) };
    connection::open(echo, request, stream, bytes_max)
}

async fn students(request: HttpRequest, stream: Payload) -> Result<HttpResponse, Error> {
    open(&request, stream, FRAME_BYTES_MAX)
}

async fn large(request: HttpRequest, stream: Payload) -> Result<HttpResponse, Error> {
    open(&request, stream, LARGE_BYTES_MAX)
}

#[actix_web::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| ADDRESS.to_owned());
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let server = Server::build().workers(WORKERS).listen("echo", listener, || {
        let app = App::new().route("/students", web::get().to(students)).route("/large", web::get().to(large));
        let app = WorkerApp::new(app.into_factory());
        let http = HttpService::build().upgrade(app.upgrades()).h1(app.requests());
        fn_service(|stream: TcpStream| async move { Ok::<_, DispatchError>((Wire::plain(stream), None)) })
            .and_then(http)
    })?;
    server.run().await
}
