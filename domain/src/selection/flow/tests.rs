//! Tests of the flow: against every table that there is on small cases, and against the smallest cut on larger ones.

use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::*;

/// Every way to take of a stock up to so many.
fn takings(stock: ByLevel, most: usize) -> Vec<ByLevel> {
    let mut all = vec![[0; Difficulty::COUNT]];
    for (level, stock) in stock.into_iter().enumerate() {
        let longer = all.iter().flat_map(|taking| {
            let left = most - taking.iter().sum::<usize>();
            (0..=stock.min(left)).map(move |count| {
                let mut next = *taking;
                next[level] = count;
                next
            })
        });
        all = longer.collect();
    }
    all
}

fn plus(one: ByLevel, other: ByLevel) -> ByLevel {
    std::array::from_fn(|level| one[level] + other[level])
}

/// The loads of every table of these rows. A filter leaves out what no table may have.
fn all_loads(
    rows: &[TopicRow],
    start: ByLevel,
    may_be: impl Fn(&TopicRow, &ByLevel, &ByLevel) -> bool,
) -> HashSet<ByLevel> {
    let mut reached = HashSet::from([start]);
    for row in rows {
        let takings = takings(row.stock, row.wanted);
        let pairs = reached.iter().flat_map(|loads| takings.iter().map(move |taking| (taking, plus(*loads, *taking))));
        reached = pairs.filter(|(taking, loads)| may_be(row, taking, loads)).map(|(_, loads)| loads).collect();
    }
    reached
}

fn squares(loads: &ByLevel) -> usize {
    loads.iter().map(|load| load * load).sum()
}

fn total(table: &[ByLevel]) -> usize {
    table.iter().flatten().sum()
}

fn loads_of(table: &[ByLevel], start: ByLevel) -> ByLevel {
    table.iter().fold(start, |loads, row| plus(loads, *row))
}

/// How many the rows can give at all: the smallest sum of the bounds of some levels and of what each row has and wants
/// of the others, which no flow exceeds and the largest reaches.
fn smallest_cut(rows: &[TopicRow], room: ByLevel) -> usize {
    let cut = |levels: u32| -> usize {
        let is_cut = |level: &usize| (levels >> *level) & 1 == 1;
        let of_levels: usize = (0..Difficulty::COUNT).filter(is_cut).map(|level| room[level]).sum();
        let of_row = |row: &TopicRow| -> usize {
            let others: usize =
                (0..Difficulty::COUNT).filter(|level| !is_cut(level)).map(|level| row.stock[level]).sum();
            others.min(row.wanted)
        };
        of_levels + rows.iter().map(of_row).sum::<usize>()
    };
    (0..1 << Difficulty::COUNT).map(cut).min().unwrap()
}

fn rows(topics: usize, stock: usize, wanted: usize) -> impl Strategy<Value = Vec<TopicRow>> {
    let row = (prop::array::uniform5(0..=stock), 0..=wanted).prop_map(|(stock, wanted)| TopicRow { stock, wanted });
    prop::collection::vec(row, 1..=topics)
}

fn levels(most: usize) -> impl Strategy<Value = ByLevel> {
    prop::array::uniform5(0..=most)
}

/// What every table is, whatever is wanted.
fn assert_within(table: &[ByLevel], rows: &[TopicRow]) {
    assert_eq!(table.len(), rows.len());
    for (taken, row) in table.iter().zip(rows) {
        assert!(taken.iter().zip(row.stock).all(|(taken, stock)| *taken <= stock), "over stock: {taken:?} of {row:?}");
        assert!(taken.iter().sum::<usize>() <= row.wanted, "more than wanted: {taken:?} of {row:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_table_within_bounds_has_more(seed: u64, rows in rows(3, 2, 3), loads in levels(1), bounds in levels(3)) {
        let table = fill(&rows, Targets(loads), Some(Targets(bounds)), &mut StdRng::seed_from_u64(seed));
        assert_within(&table, &rows);
        let is_bounded = |_: &TopicRow, taking: &ByLevel, sums: &ByLevel| {
            (0..Difficulty::COUNT).all(|level| taking[level] == 0 || sums[level] <= bounds[level])
        };
        let most = all_loads(&rows, loads, is_bounded).iter().map(|sums| sums.iter().sum::<usize>()).max().unwrap();
        prop_assert_eq!(total(&table), most - loads.iter().sum::<usize>());
        let sums = loads_of(&table, loads);
        prop_assert!((0..Difficulty::COUNT).all(|level| sums[level] <= bounds[level].max(loads[level])));
    }

    #[test]
    fn no_table_without_bounds_is_more_even(seed: u64, rows in rows(3, 2, 3), loads in levels(2)) {
        let table = fill(&rows, Targets(loads), None, &mut StdRng::seed_from_u64(seed));
        assert_within(&table, &rows);
        let full = |row: &TopicRow| row.wanted.min(row.stock.iter().sum());
        for (taken, row) in table.iter().zip(&rows) {
            prop_assert_eq!(taken.iter().sum::<usize>(), full(row));
        }
        let is_full = |row: &TopicRow, taking: &ByLevel, _: &ByLevel| taking.iter().sum::<usize>() == full(row);
        let best = all_loads(&rows, loads, is_full).iter().map(squares).min().unwrap();
        prop_assert_eq!(squares(&loads_of(&table, loads)), best);
    }

    #[test]
    fn a_large_table_is_as_full_as_its_smallest_cut(seed: u64, rows in rows(20, 12, 15), bounds in levels(60)) {
        let table = fill(&rows, Targets::default(), Some(Targets(bounds)), &mut StdRng::seed_from_u64(seed));
        assert_within(&table, &rows);
        prop_assert_eq!(total(&table), smallest_cut(&rows, bounds));
    }
}

#[test]
fn questions_are_exchanged_where_that_makes_room() {
    // The second topic has hard questions alone, so that the first must leave them to it.
    let rows = [TopicRow { stock: [1, 0, 0, 0, 1], wanted: 1 }, TopicRow { stock: [0, 0, 0, 0, 1], wanted: 1 }];
    for seed in 0..20 {
        let bounds = Some(Targets([1, 0, 0, 0, 1]));
        let table = fill(&rows, Targets::default(), bounds, &mut StdRng::seed_from_u64(seed));
        assert_eq!(table, [[1, 0, 0, 0, 0], [0, 0, 0, 0, 1]]);
    }
}

#[test]
fn what_may_be_chosen_differs_from_draw_to_draw() {
    let rows = [TopicRow { stock: [9; 5], wanted: 2 }, TopicRow { stock: [9; 5], wanted: 2 }];
    let bounds = Some(Targets([2, 2, 0, 0, 0]));
    let draw = |seed| fill(&rows, Targets::default(), bounds, &mut StdRng::seed_from_u64(seed));
    let found: BTreeSet<Vec<ByLevel>> = (0..60).map(draw).collect();
    // Two, one or none of the first topic are of the first difficulty.
    assert_eq!(found.len(), 3);
    let even: BTreeSet<Vec<ByLevel>> =
        (0..60).map(|seed| fill(&rows, Targets::default(), None, &mut StdRng::seed_from_u64(seed))).collect();
    assert!(even.len() > 20, "{even:?}");
    assert!(even.iter().flatten().flatten().all(|count| *count <= 1), "of each difficulty one, and one of none");
}
