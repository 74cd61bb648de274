//! Takes WebSockets out of HTTP. The app answers the handshake as it answers every request; then the connection's
//! bytes go straight to the socket's actor and back.
//!
//! The HTTP/1 dispatcher keeps 16 KiB of buffers for each connection, also for a student who thinks for a minute.
//! Here a quiet socket has none (`docs/decisions/0051-sockets-leave-http.md`).

use std::cell::OnceCell;
use std::future::poll_fn;
use std::io;
use std::mem::{self, MaybeUninit};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_codec::{Encoder, Framed, FramedParts};
use actix_http::h1::{Codec, Message};
use actix_http::{BoxedPayloadStream, ConnectionType, Payload, Request, Response};
use actix_service::{Service, ServiceFactory, fn_factory, fn_service};
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::error::{Error, ErrorServiceUnavailable, PayloadError};
use actix_web::http::StatusCode;
use actix_web::web::{Bytes, BytesMut};
use futures_util::Stream;
use tokio::io::{AsyncRead, AsyncWriteExt, ReadBuf};

use super::entrance::wire::{Wire, WireReader, WireWriter};

/// Bytes that are read at once, on the stack.
const READ_BYTES: usize = 8 * 1_024;

/// A connection that is taken out of HTTP, with the request that asks for it.
type Upgrade = (Request, Framed<Wire, Codec>);

/// The one app of a worker. It answers requests, and those that take their connection out of HTTP.
pub struct WorkerApp<F: ServiceFactory<Request>> {
    factory: Rc<F>,
    made: Rc<OnceCell<Rc<F::Service>>>,
}

impl<F> WorkerApp<F>
where
    F: ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse<BoxBody>, Error = Error, InitError = ()>,
    F: 'static,
{
    pub fn new(factory: F) -> Self {
        Self { factory: Rc::new(factory), made: Rc::default() }
    }

    pub fn requests(
        &self,
    ) -> impl ServiceFactory<
        Request,
        Config = (),
        Response = F::Response,
        Error = Error,
        InitError = (),
        Service = Rc<F::Service>,
    > + use<F> {
        let (factory, made) = (Rc::clone(&self.factory), Rc::clone(&self.made));
        fn_factory(move || {
            let (factory, made) = (Rc::clone(&factory), Rc::clone(&made));
            async move {
                let app = Rc::new(factory.new_service(AppConfig::default()).await?);
                Ok(Rc::clone(made.get_or_init(|| app)))
            }
        })
    }

    pub fn upgrades(
        &self,
    ) -> impl ServiceFactory<Upgrade, Config = (), Response = (), Error = Error, InitError = ()> + use<F> {
        let made = Rc::clone(&self.made);
        fn_service(move |(request, framed): Upgrade| {
            let made = Rc::clone(&made);
            async move {
                // A connection is accepted only when the app is there.
                let app = made.get().ok_or_else(|| ErrorServiceUnavailable("the app is not ready"))?;
                upgrade(&**app, request, framed).await;
                Ok(())
            }
        })
    }
}

/// Serves one connection until one side ends it. That it breaks off is no failure of the server.
async fn upgrade<S>(app: &S, request: Request, framed: Framed<Wire, Codec>)
where
    S: Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    let FramedParts { io, codec, read_buf, write_buf, .. } = framed.into_parts();
    let (read, mut write) = io.into_split();
    // Copied, since a part of the dispatcher's buffer would keep all of it.
    let early = Bytes::copy_from_slice(&read_buf);
    drop(read_buf);
    let arriving: BoxedPayloadStream = Box::pin(Arriving { early, read });
    let (request, _) = request.replace_payload(Payload::from(arriving));
    let answered = app.call(request).await.map_or_else(Response::from, Response::from);
    let sent = match encoded(answered, codec, write_buf) {
        Ok((head, body)) => send(head, body, &mut write).await,
        Err(error) => Err(error),
    };
    if let Err(error) = sent {
        tracing::debug!(%error, "a socket broke off");
    }
}

/// The bytes of an answer's head, and its body. What does not become a socket is the last answer on its connection.
fn encoded(answered: Response<BoxBody>, mut codec: Codec, mut bytes: BytesMut) -> io::Result<(Bytes, BoxBody)> {
    let (mut head, body) = answered.into_parts();
    if head.status() != StatusCode::SWITCHING_PROTOCOLS {
        head.head_mut().set_connection_type(ConnectionType::Close);
    }
    codec.encode(Message::Item((head, body.size())), &mut bytes)?;
    Ok((bytes.freeze(), body))
}

/// Writes the head of an answer, and then its body as it is made. While the peer does not read, nothing more is made.
async fn send(head: Bytes, body: BoxBody, write: &mut WireWriter) -> io::Result<()> {
    write.write_all(&head).await?;
    write.flush().await?;
    drop(head);
    let mut body = pin!(body);
    while let Some(made) = poll_fn(|context| body.as_mut().poll_next(context)).await {
        write.write_all(&made.map_err(|error| io::Error::other(error.to_string()))?).await?;
        write.flush().await?;
    }
    write.shutdown().await
}

/// What a peer sends: first what came together with its handshake.
struct Arriving {
    early: Bytes,
    read: WireReader,
}

impl Stream for Arriving {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !self.early.is_empty() {
            return Poll::Ready(Some(Ok(mem::take(&mut self.early))));
        }
        let mut space = [MaybeUninit::uninit(); READ_BYTES];
        let mut buffer = ReadBuf::uninit(&mut space);
        let read = ready!(Pin::new(&mut self.read).poll_read(context, &mut buffer));
        let bytes = buffer.filled();
        Poll::Ready(match read {
            Ok(()) if bytes.is_empty() => None,
            Ok(()) => Some(Ok(Bytes::copy_from_slice(bytes))),
            Err(error) => Some(Err(error.into())),
        })
    }
}
