//! A network between two programs that can be cut, hang, be slow, and deliver Redis' messages twice.

use std::pin::pin;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Bytes read at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// How the network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Passing {
        delay: Duration,
        repeats: bool,
    },
    /// Open connections are closed, and new ones immediately.
    Cut,
    /// Connections stay open, and nothing arrives.
    Hanging,
}

/// A port that passes everything on to another; it ends when it is dropped.
pub struct Link {
    /// Where it listens, `127.0.0.1:<port>`.
    pub address: String,
    condition: watch::Sender<Condition>,
    /// How often open connections have been lost.
    losses: watch::Sender<u32>,
    task: JoinHandle<()>,
}

impl Link {
    /// A network without faults to this address.
    pub async fn to(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (condition, seen) = watch::channel(Condition::Passing { delay: Duration::ZERO, repeats: false });
        let (losses, lost) = watch::channel(0);
        let target = target.to_owned();
        let task = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carry(near, target.clone(), seen.clone(), lost.clone()));
            }
        });
        Self { address, condition, losses, task }
    }

    /// Closes all connections; new ones are closed as well.
    pub fn cut(&self) {
        self.condition.send_replace(Condition::Cut);
    }

    /// Keeps connections open, and lets nothing through.
    pub fn hang(&self) {
        self.condition.send_replace(Condition::Hanging);
    }

    /// Loses all open connections without telling either side, as a machine does that is switched off. New ones pass.
    pub fn lose(&self) {
        self.losses.send_modify(|losses| *losses += 1);
    }

    /// Delays everything by this much, each way.
    pub fn slow_down(&self, delay: Duration) {
        self.condition.send_replace(Condition::Passing { delay, repeats: false });
    }

    /// Delivers every message that Redis publishes twice.
    pub fn repeat_words(&self) {
        self.condition.send_replace(Condition::Passing { delay: Duration::ZERO, repeats: true });
    }

    /// Removes all faults.
    pub fn mend(&self) {
        self.slow_down(Duration::ZERO);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.task.abort();
        self.cut();
    }
}

/// One connection, until either side or the network ends it.
async fn carry(
    near: TcpStream,
    target: String,
    mut condition: watch::Receiver<Condition>,
    mut losses: watch::Receiver<u32>,
) {
    losses.mark_unchanged();
    if *condition.borrow() == Condition::Cut {
        return;
    }
    let Ok(far) = TcpStream::connect(&target).await else { return };
    let (_, _) = (near.set_nodelay(true), far.set_nodelay(true));
    let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
    let mut cut = condition.clone();
    let mut carried = pin!(async {
        tokio::select! {
            () = pass(near_in, far_out, condition.clone(), false) => {}
            () = pass(far_in, near_out, condition.clone(), true) => {}
            _ = condition.wait_for(|condition| *condition == Condition::Cut) => {}
        }
    });
    tokio::select! {
        () = carried.as_mut() => {}
        // What is carried stays open until the end, but nothing passes any more.
        Ok(()) = losses.changed() => drop(cut.wait_for(|condition| *condition == Condition::Cut).await),
    }
}

/// One direction of a connection.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut condition: watch::Receiver<Condition>,
    is_answer: bool,
) {
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut unfinished = Vec::new();
    loop {
        let Ok(count @ 1..) = from.read(&mut chunk).await else { return };
        let Ok(now) = condition.wait_for(|condition| *condition != Condition::Hanging).await.map(|now| *now) else {
            return;
        };
        let Condition::Passing { delay, repeats } = now else { return };
        if delay > Duration::ZERO {
            tokio::time::sleep(delay).await;
        }
        let written = if repeats && is_answer {
            unfinished.extend_from_slice(&chunk[..count]);
            to.write_all(&with_repeats(&mut unfinished)).await
        } else {
            let rest = std::mem::take(&mut unfinished);
            to.write_all(&[&rest, &chunk[..count]].concat()).await
        };
        if written.is_err() {
            return;
        }
    }
}

/// Takes the complete values of Redis' protocol from `bytes`, and repeats published messages.
fn with_repeats(bytes: &mut Vec<u8>) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(length) = value_length(bytes) {
        let value: Vec<u8> = bytes.drain(..length).collect();
        let is_word =
            [&b"*3\r\n$7\r\nmessage\r\n"[..], b">3\r\n$7\r\nmessage\r\n"].iter().any(|head| value.starts_with(head));
        out.extend_from_slice(&value);
        if is_word {
            out.extend_from_slice(&value);
        }
    }
    out
}

/// Bytes of the first value; nothing while it isn't complete.
fn value_length(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(2).position(|pair| pair == b"\r\n")? + 2;
    let count = || std::str::from_utf8(&bytes[1..head - 2]).unwrap().parse::<i64>().unwrap();
    let (parts, own) = match bytes[0] {
        b'$' | b'=' => (0, usize::try_from(count() + 2).unwrap_or_default()),
        b'*' | b'>' | b'~' => (count(), 0),
        b'%' => (count() * 2, 0),
        _ => (0, 0),
    };
    let mut length = head + if bytes.starts_with(b"$-1") { 0 } else { own };
    for _ in 0..parts {
        length += value_length(bytes.get(length..)?)?;
    }
    (length <= bytes.len()).then_some(length)
}

#[test]
fn published_words_are_told_from_answers() {
    let word = "*3\r\n$7\r\nmessage\r\n$4\r\nroom\r\n$5\r\na\r\nbc\r\n";
    let mut bytes = format!("+OK\r\n$-1\r\n:5\r\n{word}>3\r\n$7\r\nmess").into_bytes();
    assert_eq!(String::from_utf8(with_repeats(&mut bytes)).unwrap(), format!("+OK\r\n$-1\r\n:5\r\n{word}{word}"));
    assert_eq!(bytes, b">3\r\n$7\r\nmess");
}
