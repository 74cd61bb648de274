//! Batches that fail, by a store that keeps a list of what it was given.

use std::sync::Mutex;

use super::*;

/// Refuses some numbers, and notes what is tried and what is answered.
struct Refusing {
    refused: Vec<u32>,
    remedy: fn() -> Remedy<u32>,
    tried: Mutex<Vec<Vec<u32>>>,
    answered: Mutex<Vec<(u32, BatchOutcome<usize, &'static str>)>>,
}

impl Refusing {
    fn new(refused: &[u32], remedy: fn() -> Remedy<u32>) -> Self {
        Self { refused: refused.to_vec(), remedy, tried: Mutex::default(), answered: Mutex::default() }
    }

    fn of_outcome(&self, is_meant: fn(&BatchOutcome<usize, &'static str>) -> bool) -> Vec<u32> {
        let answered = self.answered.lock().unwrap();
        answered.iter().filter(|(_, outcome)| is_meant(outcome)).map(|(item, _)| *item).collect()
    }

    fn stored(&self) -> Vec<u32> {
        self.of_outcome(|outcome| matches!(outcome, BatchOutcome::Stored(_)))
    }

    fn refused(&self) -> Vec<u32> {
        self.of_outcome(|outcome| matches!(outcome, BatchOutcome::Refused(_)))
    }

    fn given_up(&self) -> Vec<u32> {
        self.of_outcome(|outcome| matches!(outcome, BatchOutcome::GivenUp(_)))
    }
}

impl BatchStore for Refusing {
    type Item = u32;
    type Found = usize;
    type Error = &'static str;

    async fn store(&self, part: &[u32]) -> Result<usize, &'static str> {
        self.tried.lock().unwrap().push(part.to_vec());
        if part.iter().any(|item| self.refused.contains(item)) { Err("a value is refused") } else { Ok(part.len()) }
    }

    fn remedy(&self, _: &[u32], _: &&'static str) -> Remedy<u32> {
        (self.remedy)()
    }

    fn answer(&self, part: Vec<u32>, outcome: BatchOutcome<usize, &'static str>) {
        let each = part.into_iter().map(|item| {
            (
                item,
                match &outcome {
                    BatchOutcome::Stored(count) => BatchOutcome::Stored(*count),
                    BatchOutcome::Refused(error) => BatchOutcome::Refused(*error),
                    BatchOutcome::GivenUp(error) => BatchOutcome::GivenUp(*error),
                },
            )
        });
        self.answered.lock().unwrap().extend(each);
    }
}

#[tokio::test]
async fn a_whole_batch_is_one_transaction() {
    let store = Refusing::new(&[], || Remedy::Halve);
    store_all(&store, vec![vec![1, 2, 3], vec![], vec![4]]).await;
    assert_eq!(*store.tried.lock().unwrap(), [vec![1, 2, 3], vec![4]]);
    assert_eq!(store.stored(), [1, 2, 3, 4]);
}

#[tokio::test]
async fn what_is_refused_stands_alone_and_costs_no_other() {
    let store = Refusing::new(&[2, 7], || Remedy::Halve);
    store_all(&store, vec![(0..9).collect()]).await;
    assert_eq!(store.refused(), [2, 7]);
    assert_eq!(store.stored(), [0, 1, 3, 4, 5, 6, 8], "in their order, also those behind one that is refused");
    assert_eq!(store.tried.lock().unwrap().len(), 13);
}

#[tokio::test]
async fn a_failure_that_is_not_the_batch_s_is_not_searched_for() {
    let store = Refusing::new(&[2], || Remedy::GiveUp);
    store_all(&store, vec![vec![1, 2, 3], vec![4, 5]]).await;
    assert_eq!((store.given_up(), store.stored()), (vec![1, 2, 3], vec![4, 5]));
    assert_eq!(store.tried.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn those_at_fault_are_given_up_and_the_others_stored() {
    let store = Refusing::new(&[2], || Remedy::GiveUpOn(|item| item % 2 == 0));
    store_all(&store, vec![vec![1, 2, 3, 4]]).await;
    assert_eq!((store.given_up(), store.stored()), (vec![2, 4], vec![1, 3]));
}

#[tokio::test]
async fn without_anyone_at_fault_all_are_given_up() {
    let store = Refusing::new(&[2], || Remedy::GiveUpOn(|_| false));
    store_all(&store, vec![vec![1, 2, 3]]).await;
    assert_eq!(store.given_up(), [1, 2, 3]);
    assert_eq!(store.tried.lock().unwrap().len(), 1);
}

#[test]
fn the_first_ones_fit_and_a_large_one_goes_alone() {
    let count = |sizes: &[[usize; 2]]| count_within(sizes.iter().copied(), [10, 100]);
    assert_eq!(count(&[[5, 1], [5, 1], [1, 1]]), 2);
    assert_eq!(count(&[[1, 60], [1, 60]]), 1);
    assert_eq!(count(&[[11, 1], [1, 1]]), 1);
    assert_eq!(count(&[[1, usize::MAX], [1, usize::MAX]]), 1);
}

#[test]
fn whoever_has_gone_needs_no_answer() {
    let (waiting, answer) = WaitingItem::<_, u8>::new("item");
    drop(answer);
    waiting.answer(1);
    let (waiting, mut answer) = WaitingItem::new("item");
    waiting.answer(1);
    assert_eq!(answer.try_recv(), Ok(1));
}
