//! Batches: what many wait for is stored by one transaction, and each is answered after its commit. The journal, the
//! recorder and the outbox say what a transaction stores; what becomes of a batch that fails is decided here.

use tokio::sync::oneshot;

/// Something that waits to be stored, and where its answer goes.
pub struct WaitingItem<T, A> {
    pub item: T,
    reply: oneshot::Sender<A>,
}

impl<T, A> WaitingItem<T, A> {
    /// With the place where the answer arrives.
    #[must_use]
    pub fn new(item: T) -> (Self, oneshot::Receiver<A>) {
        let (reply, answer) = oneshot::channel();
        (Self { item, reply }, answer)
    }

    /// Whoever has gone meanwhile needs no answer.
    pub fn answer(self, answer: A) {
        let _ = self.reply.send(answer);
    }
}

/// What is to become of a part of several that could not be stored.
#[derive(Debug)]
pub enum Remedy<T> {
    /// Each half is stored by itself, until the item that causes the failure stands alone.
    Halve,
    /// It is not tried again, since the failure has nothing to do with what is in it.
    GiveUp,
    /// Those that may be at fault are given up. The others are tried again together.
    GiveUpOn(fn(&T) -> bool),
}

/// What became of a part of a batch.
#[derive(Debug)]
pub enum BatchOutcome<F, E> {
    /// It is stored. The transaction found this.
    Stored(F),
    /// It was tried alone, and failed.
    Refused(E),
    /// It failed together with others, and is not tried again.
    GivenUp(E),
}

/// What stores batches of one kind.
pub trait BatchStore {
    type Item;
    /// What a transaction finds out about its part, by which each of the part is answered.
    type Found;
    type Error;

    /// Stores all of the part by one transaction, or nothing of it.
    fn store(&self, part: &[Self::Item]) -> impl Future<Output = Result<Self::Found, Self::Error>> + Send;

    /// What to do about a part of several that failed.
    fn remedy(&self, part: &[Self::Item], error: &Self::Error) -> Remedy<Self::Item>;

    /// Answers all of the part. Each item is answered once.
    fn answer(&self, part: Vec<Self::Item>, outcome: BatchOutcome<Self::Found, Self::Error>);
}

/// Stores these parts one after another, each by one transaction, and answers each when it is settled. A part with a
/// value that the database refuses is halved until that value stands alone, so that it cannot reject the others.
pub async fn store_all<S: BatchStore>(store: &S, parts: Vec<Vec<S::Item>>) {
    let mut parts: Vec<_> = parts.into_iter().rev().filter(|part| !part.is_empty()).collect();
    while let Some(mut part) = parts.pop() {
        let error = match store.store(&part).await {
            Ok(found) => {
                store.answer(part, BatchOutcome::Stored(found));
                continue;
            }
            Err(error) => error,
        };
        if part.len() == 1 {
            store.answer(part, BatchOutcome::Refused(error));
            continue;
        }
        match store.remedy(&part, &error) {
            Remedy::Halve => {
                let second = part.split_off(part.len() / 2);
                parts.extend([second, part]);
            }
            Remedy::GiveUp => store.answer(part, BatchOutcome::GivenUp(error)),
            Remedy::GiveUpOn(is_at_fault) => {
                let (at_fault, others): (Vec<_>, Vec<_>) = part.into_iter().partition(is_at_fault);
                // Without anyone at fault the same part would fail in the same way again.
                let (given_up, again) = if at_fault.is_empty() { (others, at_fault) } else { (at_fault, others) };
                store.answer(given_up, BatchOutcome::GivenUp(error));
                parts.extend(Some(again).filter(|part| !part.is_empty()));
            }
        }
    }
}

/// How many of these, from the first on, keep each sum of their sizes within `most`: at least one, so that a single one
/// which is larger goes alone.
pub fn count_within<const SIZES: usize>(sizes: impl Iterator<Item = [usize; SIZES]>, most: [usize; SIZES]) -> usize {
    let mut sums = [0_usize; SIZES];
    let fits = |sizes: [usize; SIZES]| {
        sums.iter_mut().zip(sizes).for_each(|(sum, size)| *sum = sum.saturating_add(size));
        sums.iter().zip(most).all(|(sum, most)| *sum <= most)
    };
    sizes.map(fits).take_while(|fits| *fits).count().max(1)
}

#[cfg(test)]
mod tests;
