//! How many statements a list takes: as many for fifty events as for one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use domain::calendar::status::Status;
use domain::calendar::window::Window;
use examhall::calendar::store::event_lists::{self, EventFilter};
use examhall::calendar::store::linked_posts::{self, LinkedFilter};
use examhall::calendar::store::records::{EventLinks, PostLink, Taxonomy, TermWish};
use examhall::calendar::store::terms::{self, NewTerm, TermFilter, TermOrder};
use examhall::calendar::store::{Organizers, PageRequest, Venues, events};
use sea_orm::{ConnectionTrait, DbBackend, Statement};

use super::book::{Book, event, now, organizer, published, venue};

const EVENTS: usize = 50;
/// Besides those that begin and end the transaction: their numbers, their total, the events, their terms, organizers
/// and venues.
const OF_EVENTS: usize = 6;
/// Their total, the terms and their paths.
const OF_TERMS: usize = 3;

/// A calendar whose reads are counted.
async fn counted() -> (Book, Arc<AtomicUsize>) {
    let mut book = Book::open().await;
    let count = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&count);
    book.database.read.set_metric_callback(move |_| {
        counting.fetch_add(1, Ordering::Relaxed);
    });
    (book, count)
}

#[actix_web::test]
async fn a_list_takes_as_many_statements_for_fifty_events_as_for_one() {
    let (book, count) = counted().await;
    for number in 0..EVENTS {
        let organizers = (0..3)
            .map(|other| PostLink::Inline(Box::new(published(organizer(&format!("Organizer {number}.{other}"))))));
        let named =
            |kind: &str| Some((0..3).map(|other| TermWish::Named(format!("{kind} {number}.{other}"))).collect());
        let links = EventLinks {
            venue: Some(Some(PostLink::Inline(Box::new(published(venue(&format!("Venue {number}"))))))),
            organizers: Some(organizers.collect()),
            categories: named("Category"),
            tags: named("Tag"),
            ..EventLinks::default()
        };
        events::create(&book.database, now(), None, published(event(&format!("Event {number}"))), links).await.unwrap();
    }
    let filter = EventFilter { statuses: vec![Status::Publish], ..EventFilter::default() };
    for size in [1, 10, 50] {
        count.store(0, Ordering::Relaxed);
        let listed = event_lists::list(&book.database, &filter, PageRequest { number: 1, size }).await.unwrap();
        assert_eq!((listed.items.len() as u64, listed.total), (size, EVENTS as u64));
        assert!(listed.items.iter().all(|full| full.categories.len() == 3
            && full.tags.len() == 3
            && full.organizers.len() == 3
            && full.venue.is_some()));
        assert_eq!(count.load(Ordering::Relaxed), OF_EVENTS, "for {size} events");
    }
}

#[actix_web::test]
async fn a_list_of_terms_takes_as_many_statements_for_fifty_as_for_one() {
    let (book, count) = counted().await;
    let mut parent = None;
    for number in 0..EVENTS {
        let term = NewTerm {
            taxonomy: Taxonomy::Category,
            name: format!("Category {number}"),
            slug: None,
            description: String::new(),
            parent,
        };
        parent = Some(terms::create(&book.database, &term).await.unwrap().unwrap().term.id);
    }
    let filter = TermFilter {
        taxonomy: Taxonomy::Category,
        search: None,
        include: None,
        exclude: vec![],
        hides_empty: false,
        parent: None,
        event: None,
        slug: None,
        order: TermOrder::Id,
        is_descending: true,
    };
    for size in [1, 10, 49] {
        count.store(0, Ordering::Relaxed);
        let listed = terms::list(&book.database, &filter, PageRequest { number: 1, size }).await.unwrap();
        assert_eq!(listed.items.len() as u64, size);
        assert_eq!(listed.items[0].path.len(), EVENTS);
        assert_eq!(count.load(Ordering::Relaxed), OF_TERMS, "for {size} terms");
    }
}

/// The statements of everything that is asked of events again and again.
async fn statements() -> (Book, Vec<Statement>) {
    let mut book = Book::open().await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    for connection in [&mut book.database.read, &mut book.database.write] {
        let hearing = Arc::clone(&heard);
        connection.set_metric_callback(move |info| hearing.lock().unwrap().push(info.statement.clone()));
    }
    let filter = || EventFilter { statuses: vec![Status::Publish], ..EventFilter::default() };
    let ends = Window { end_before: Some(now()), ..Window::default() };
    let page = PageRequest { number: 1, size: 10 };
    let create = || events::create(&book.database, now(), None, published(event("Exam")), EventLinks::default());
    create().await.unwrap();
    let id = create().await.unwrap().event.id;
    book.set_status(id, Status::Trash).await;
    assert!(events::has_slug(&book.database, "exam").await.unwrap());
    assert!(events::find_by_slug(&book.database, "exam").await.unwrap().is_some());
    for filter in
        [filter(), EventFilter { is_featured: Some(true), ..filter() }, EventFilter { window: ends, ..filter() }]
    {
        event_lists::list(&book.database, &filter, page).await.unwrap();
    }
    let with_events =
        || LinkedFilter { statuses: vec![Status::Publish], has_events: Some(true), ..LinkedFilter::default() };
    linked_posts::list::<Venues>(&book.database, &with_events(), page).await.unwrap();
    linked_posts::list::<Organizers>(&book.database, &with_events(), page).await.unwrap();
    events::publish_due(&book.database, now()).await.unwrap();
    let statements = heard.lock().unwrap().clone();
    (book, statements)
}

mod edge {
    use super::*;

    // The plans of SQLite don't depend on how many events there are, so this asks SQLite alone.
    #[actix_web::test]
    async fn no_events_are_looked_through_without_an_index() {
        let (book, statements) = statements().await;
        let mut explained = 0;
        for Statement { sql, values, .. } in
            statements.into_iter().filter(|statement| statement.sql.contains("calendar_events"))
        {
            if !sql.starts_with("SELECT") && !sql.starts_with("UPDATE") {
                continue;
            }
            let explain = Statement { sql: format!("EXPLAIN QUERY PLAN {sql}"), values, db_backend: DbBackend::Sqlite };
            let rows = book.database.write.query_all_raw(explain).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(!plan.iter().any(|step| step == "SCAN calendar_events"), "{sql}: {plan:?}");
            explained += 1;
        }
        assert!(explained > 15, "{explained}");
    }
}
