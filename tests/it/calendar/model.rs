//! The store against a model that keeps everything in memory and looks at all of it: whatever is filtered, both have
//! the same records in the same order.

mod drawing;
mod kept;

use std::fmt::Debug;

use examhall::calendar::store::linked_posts::{self, LinkedPosts};
use examhall::calendar::store::{ListPage, Organizers, PageRequest, Venues, event_lists, events, terms};
use rand::SeedableRng;
use rand::rngs::StdRng;

use drawing::Draws;
use kept::World;

const EVENTS: usize = 500;
const CHANGES: usize = 120;
const LISTS_OF_EVENTS: usize = 400;
const LISTS_OF_OTHERS: usize = 150;

#[actix_web::test]
async fn every_filter_finds_what_a_naive_model_finds() {
    let mut draws = Draws(StdRng::seed_from_u64(7));
    let mut world = World::open().await;
    world.fill(&mut draws, EVENTS).await;
    for _ in 0..CHANGES {
        world.change(&mut draws).await;
    }
    events_agree(&world, &mut draws).await;
    let filter = |world: &World, draws: &mut Draws| world.draw_linked_filter(draws);
    linked_agree::<Venues>(&world, &mut draws, filter, World::venues).await;
    linked_agree::<Organizers>(&world, &mut draws, filter, World::organizers).await;
    terms_agree(&world, &mut draws).await;
}

async fn events_agree(world: &World, draws: &mut Draws) {
    let mut hits = 0;
    for _ in 0..LISTS_OF_EVENTS {
        let (filter, page) = (world.draw_filter(draws), draws.page());
        let listed = event_lists::list(&world.book.database, &filter, page).await.unwrap();
        let expected = world.events(&filter);
        hits += usize::from(!expected.is_empty());
        let ids = ListPage { total: listed.total, items: listed.items.iter().map(|full| full.event.id).collect() };
        assert_page(&expected, page, &ids, &filter);
        for full in &listed.items {
            world.assert_full(full);
        }
    }
    assert!(
        hits > LISTS_OF_EVENTS / 4,
        "only {hits} lists had any events: the filters are too narrow to show anything"
    );
    for kept in &world.events {
        let found = events::find(&world.book.database, kept.id).await.unwrap().unwrap();
        world.assert_full(&found);
    }
}

async fn linked_agree<K: LinkedPosts>(
    world: &World,
    draws: &mut Draws,
    filter: impl Fn(&World, &mut Draws) -> linked_posts::LinkedFilter,
    expected: impl Fn(&World, &linked_posts::LinkedFilter) -> Vec<i64>,
) {
    for _ in 0..LISTS_OF_OTHERS {
        let (filter, page) = (filter(world, draws), draws.page());
        let listed = linked_posts::list::<K>(&world.book.database, &filter, page).await.unwrap();
        let ids = ListPage { total: listed.total, items: listed.items.iter().map(|record| record.id).collect() };
        assert_page(&expected(world, &filter), page, &ids, &filter);
    }
}

async fn terms_agree(world: &World, draws: &mut Draws) {
    for _ in 0..LISTS_OF_OTHERS {
        let (filter, page) = (world.draw_term_filter(draws), draws.page());
        let listed = terms::list(&world.book.database, &filter, page).await.unwrap();
        let ids = ListPage { total: listed.total, items: listed.items.iter().map(|placed| placed.term.id).collect() };
        assert_page(&world.term_list(&filter), page, &ids, &filter);
        for placed in &listed.items {
            world.assert_term(placed);
        }
    }
}

fn assert_page(expected: &[i64], page: PageRequest, listed: &ListPage<i64>, filter: &impl Debug) {
    let before = usize::try_from((page.number - 1) * page.size).unwrap();
    let of_page: Vec<i64> = expected.iter().skip(before).take(usize::try_from(page.size).unwrap()).copied().collect();
    assert_eq!(
        (&listed.items, listed.total),
        (&of_page, expected.len() as u64),
        "{page:?} of {filter:#?}, where there are {expected:?}"
    );
}
