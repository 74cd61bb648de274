//! Receivers that are away or never answer delay none that does, however many they are.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use super::{attempted, finish, hall_with_receiver};
use crate::hall::{Hall, Receiver, Reply};

/// Receivers that accept a request and never answer it.
const HANGING: usize = 45;
/// Receivers that accept no connection.
const DEAF: usize = 5;
/// Events that wait for each of them.
const EVENTS: usize = 2;
/// What a delivery takes that waits for nobody, on a busy machine.
const PROMPT: Duration = Duration::from_secs(5);

/// A listener whose queue of connections is full, so that nobody can connect to it.
struct DeafReceiver {
    address: SocketAddr,
    _listener: TcpListener,
    _queue: Vec<TcpStream>,
}

impl DeafReceiver {
    async fn open() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut queue = Vec::new();
        while let Ok(stream) = tokio::time::timeout(Duration::from_millis(300), TcpStream::connect(address)).await {
            queue.push(stream.unwrap());
        }
        Self { address, _listener: listener, _queue: queue }
    }

    fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }
}

/// Each dead receiver is sent some events.
async fn burden(hall: &Hall, urls: &[String]) {
    for _ in 0..EVENTS {
        for url in urls {
            finish(hall, url).await;
        }
    }
}

#[tokio::test]
async fn fifty_dead_receivers_delay_no_living_one() {
    let (mut hall, receiver) = hall_with_receiver().await;
    let hanging = join_all((0..HANGING).map(|_| Receiver::answering(Reply::Hang))).await;
    let deaf = join_all((0..DEAF).map(|_| DeafReceiver::open())).await;
    let urls: Vec<String> = hanging.iter().map(Receiver::url).chain(deaf.iter().map(DeafReceiver::url)).collect();
    burden(&hall, &urls).await;
    for dead in &hanging {
        dead.wait_for(1).await;
    }
    // Its first attempt fails, so that one more is due after the restart.
    receiver.then([Reply::status(500)]);
    let began = Instant::now();
    finish(&hall, &receiver.url()).await;
    receiver.wait_for(1).await;
    assert!(began.elapsed() < PROMPT, "to a new receiver: {:?}", began.elapsed());
    let began = Instant::now();
    finish(&hall, &receiver.url()).await;
    receiver.wait_for(2).await;
    assert!(began.elapsed() < PROMPT, "to one that has answered: {:?}", began.elapsed());

    hall.stop().await;
    hall.clock.advance(Duration::from_secs(120));
    let before = hanging.iter().map(|dead| dead.calls().len()).sum::<usize>();
    hall.begin().await;
    let began = Instant::now();
    receiver.wait_for(3).await;
    assert!(began.elapsed() < PROMPT, "what was due at the start: {:?}", began.elapsed());
    let unknown = Receiver::open().await;
    let began = Instant::now();
    finish(&hall, &unknown.url()).await;
    unknown.wait_for(1).await;
    assert!(began.elapsed() < PROMPT, "to a new receiver after the start: {:?}", began.elapsed());
    let after = hanging.iter().map(|dead| dead.calls().len()).sum::<usize>();
    assert!(after > before, "the dead ones are tried again, too");
}

#[tokio::test]
async fn connecting_takes_three_seconds_at_most() {
    let (hall, deaf) = (Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await, DeafReceiver::open().await);
    let admin = hall.signed_in("admin").await;
    let began = Instant::now();
    let id = finish(&hall, &deaf.url()).await;
    let tried = attempted(&hall, &admin, &id).await;
    assert!(began.elapsed() < Duration::from_secs(7), "{:?}", began.elapsed());
    assert_eq!(tried["status"], "pending");
    assert!(tried["lastError"].as_str().is_some_and(|error| !error.is_empty()), "{tried}");
}
