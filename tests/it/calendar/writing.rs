//! What the store does when something is written: slugs, the trash, reuse, terms that come with an event, counts; and
//! all of it when many write at once.

use std::collections::BTreeSet;

use domain::calendar::status::Status;
use examhall::calendar::store::linked_posts::{self, LinkedFilter};
use examhall::calendar::store::records::{
    EventFields, EventLinks, FullEvent, PostLink, RecordContent, RecordKind, Reuse, Taxonomy, TermWish,
};
use examhall::calendar::store::terms::{self, NewTerm, TermChange, TermRefusal};
use examhall::calendar::store::{Organizers, PageRequest, Venues, authors, events, numbers};
use futures_util::future::join_all;

use super::book::{Book, event, now, organizer, published, venue};

const AT_ONCE: usize = 16;

impl Book {
    async fn event(&self, title: &str) -> FullEvent {
        self.event_with(published(event(title)), EventLinks::default()).await
    }

    async fn event_with(&self, content: RecordContent<EventFields>, links: EventLinks) -> FullEvent {
        events::create(&self.database, now(), None, content, links).await.unwrap()
    }

    async fn category(
        &self,
        name: &str,
        parent: Option<i64>,
    ) -> Result<examhall::calendar::store::records::PlacedTerm, TermRefusal> {
        let term = NewTerm {
            taxonomy: Taxonomy::Category,
            name: name.to_owned(),
            slug: None,
            description: String::new(),
            parent,
        };
        terms::create(&self.database, &term).await.unwrap()
    }
}

fn draft(title: &str) -> RecordContent<EventFields> {
    RecordContent { status: Status::Draft, ..published(event(title)) }
}

fn named(categories: &[&str]) -> EventLinks {
    EventLinks {
        categories: Some(categories.iter().map(|name| TermWish::Named((*name).to_owned())).collect()),
        ..EventLinks::default()
    }
}

#[actix_web::test]
async fn slugs_are_unique_when_many_write_at_once() {
    let book = Book::open().await;
    let writes = (0..AT_ONCE).map(|_| book.event("Exam"));
    let slugs: BTreeSet<String> = join_all(writes).await.into_iter().map(|full| full.event.slug).collect();
    let expected: BTreeSet<String> =
        std::iter::once("exam".to_owned()).chain((2..=AT_ONCE).map(|number| format!("exam-{number}"))).collect();
    assert_eq!(slugs, expected);
    let venues = (0..AT_ONCE).map(|_| linked_posts::create::<Venues>(&book.database, now(), published(venue("Exam"))));
    let slugs: BTreeSet<String> = join_all(venues).await.into_iter().map(|made| made.unwrap().slug).collect();
    assert_eq!(slugs, expected, "another kind has slugs of its own");
}

#[actix_web::test]
async fn names_of_terms_are_made_once_when_many_write_at_once() {
    let book = Book::open().await;
    let writes = (0..AT_ONCE).map(|_| book.event_with(published(event("Exam")), named(&["Physics", "Oral exams"])));
    let ids: BTreeSet<i64> =
        join_all(writes).await.iter().flat_map(|full| &full.categories).map(|term| term.id).collect();
    assert_eq!(ids.len(), 2);
    for id in ids {
        let stored = terms::find(&book.database, Taxonomy::Category, id).await.unwrap().unwrap();
        assert_eq!(stored.term.count, AT_ONCE as u64);
    }
}

#[actix_web::test]
async fn a_slug_goes_into_the_trash_and_comes_back() {
    let book = Book::open().await;
    let id = book.event("Exam").await.event.id;
    let trashed = book.set_status(id, Status::Trash).await;
    assert_eq!((trashed.event.slug.as_str(), trashed.event.content.status), ("exam__trashed", Status::Trash));
    assert_eq!(book.set_status(id, Status::Trash).await.event.slug, "exam__trashed", "it is there already");
    assert!(events::find_by_slug(&book.database, "exam").await.unwrap().is_none());
    assert_eq!(events::find_by_slug(&book.database, "exam__trashed").await.unwrap().unwrap().event.id, id);
    assert_eq!(book.set_status(id, Status::Publish).await.event.slug, "exam");

    book.set_status(id, Status::Trash).await;
    let other = book.event("Exam").await.event.id;
    assert_eq!(book.set_status(id, Status::Private).await.event.slug, "exam-2", "another has taken it meanwhile");
    book.set_status(other, Status::Trash).await;
    let third = book.event("Exam").await.event.id;
    let trashed = book.set_status(third, Status::Trash).await;
    assert_eq!(trashed.event.slug, "exam__trashed-2");
    assert_eq!(book.set_status(third, Status::Publish).await.event.slug, "exam");
}

#[actix_web::test]
async fn drafts_have_no_slug_until_they_need_one() {
    let book = Book::open().await;
    let first = book.event_with(draft("Exam"), EventLinks::default()).await.event;
    let second = book.event_with(draft("Exam"), EventLinks::default()).await.event;
    assert_eq!((first.slug.as_str(), second.slug.as_str()), ("", ""));
    assert!(events::find_by_slug(&book.database, "").await.unwrap().is_none());
    assert_eq!(book.set_status(second.id, Status::Publish).await.event.slug, "exam");
    assert_eq!(book.set_status(first.id, Status::Publish).await.event.slug, "exam-2");
    let sent =
        events::create(&book.database, now(), Some("my-exam"), draft("Exam"), EventLinks::default()).await.unwrap();
    assert_eq!(sent.event.slug, "my-exam");
    let nothing_left = book.event("!!!").await.event;
    assert_eq!(nothing_left.slug, nothing_left.id.to_string());
    let venue = linked_posts::create::<Venues>(
        &book.database,
        now(),
        RecordContent { status: Status::Draft, ..published(venue("Old Hall")) },
    )
    .await
    .unwrap();
    assert_eq!(venue.slug, "old-hall");
}

#[actix_web::test]
async fn a_slug_that_is_sent_is_taken_unless_another_has_it() {
    let book = Book::open().await;
    book.event("Exam").await;
    let id = book.event("Test").await.event.id;
    let set = async |slug: &'static str| {
        let same = |event: &examhall::calendar::store::records::Event| Ok::<_, ()>(event.content.clone());
        events::update(&book.database, id, now(), Some(slug), EventLinks::default(), same)
            .await
            .unwrap()
            .unwrap()
            .unwrap()
            .event
            .slug
    };
    assert_eq!(set("exam").await, "exam-2");
    assert_eq!(set("exam-2").await, "exam-2", "its own is free for itself");
    assert_eq!(set("retake").await, "retake");
    assert_eq!(set("exam-2").await, "exam-2");
}

#[actix_web::test]
async fn what_is_refused_is_not_stored() {
    let book = Book::open().await;
    let id = book.event("Exam").await.event.id;
    let refused =
        events::update(&book.database, id, now(), None, named(&["Physics"]), |_| Err("no")).await.unwrap().unwrap();
    assert_eq!(refused.unwrap_err(), "no");
    assert!(events::find(&book.database, id).await.unwrap().unwrap().categories.is_empty());
    assert_eq!(terms::find_ids(&book.database, Taxonomy::Category, &["physics"]).await.unwrap(), [None]);
}

#[actix_web::test]
async fn inline_data_reuses_what_the_caller_may_edit() {
    let book = Book::open().await;
    let of = |author: i64, status: Status, name: &str| RecordContent { author, status, ..published(organizer(name)) };
    let made =
        linked_posts::create::<Organizers>(&book.database, now(), of(1, Status::Publish, "Exam Board")).await.unwrap();
    let resolve = async |content: RecordContent<_>, reuse: Reuse| {
        let links =
            EventLinks { organizers: Some(vec![PostLink::Inline(Box::new(content))]), reuse, ..EventLinks::default() };
        book.event_with(published(event("Exam")), links).await.organizers.pop().unwrap()
    };
    let phone = |mut content: RecordContent<examhall::calendar::store::records::OrganizerFields>| {
        content.fields.phone = "123".to_owned();
        content
    };
    let reused = resolve(phone(of(2, Status::Publish, "exam board")), Reuse::Anybodys).await;
    assert_eq!((reused.id, reused.content.fields.phone.as_str()), (made.id, ""), "it is taken as it is");
    let own = resolve(of(2, Status::Draft, "Exam Board"), Reuse::Unpublished { author: 2 }).await;
    assert_ne!(own.id, made.id, "it is someone else's, and published");
    assert_eq!(resolve(of(2, Status::Draft, "Exam Board"), Reuse::Unpublished { author: 2 }).await.id, own.id);
    assert_ne!(resolve(of(3, Status::Draft, "Exam Board"), Reuse::Unpublished { author: 3 }).await.id, own.id);
    assert_ne!(resolve(of(1, Status::Publish, "Exam Board"), Reuse::Nobodys).await.id, made.id);
    book.trash_organizer(made.id).await;
    assert_ne!(resolve(of(2, Status::Publish, "Exam Board"), Reuse::Anybodys).await.id, made.id, "it is in the trash");
    let twice = vec![
        PostLink::To(own.id),
        PostLink::To(own.id),
        PostLink::Inline(Box::new(of(2, Status::Draft, "Exam Board"))),
    ];
    let links =
        EventLinks { organizers: Some(twice), reuse: Reuse::Unpublished { author: 2 }, ..EventLinks::default() };
    assert_eq!(book.event_with(published(event("Exam")), links).await.organizers.len(), 1);
}

#[actix_web::test]
async fn terms_are_found_by_number_slug_or_name_and_made_otherwise() {
    let book = Book::open().await;
    let made = book.category("Oral Exams", None).await.unwrap().term;
    let wishes = |wishes: Vec<TermWish>| EventLinks { categories: Some(wishes), ..EventLinks::default() };
    for wish in
        [TermWish::Id(made.id), TermWish::Named("oral-exams".to_owned()), TermWish::Named("ORAL EXAMS".to_owned())]
    {
        let full = book.event_with(published(event("Exam")), wishes(vec![wish.clone(), TermWish::Id(999)])).await;
        assert_eq!(full.categories.iter().map(|term| term.id).collect::<Vec<_>>(), [made.id], "{wish:?}");
    }
    let full = book.event_with(published(event("Exam")), named(&["Physics", "physics", "Oral Exams"])).await;
    assert_eq!(full.categories.iter().map(|term| term.name.as_str()).collect::<Vec<_>>(), ["Oral Exams", "Physics"]);
    assert_eq!(full.categories[0].count, 4);
    let kept = book.set_status(full.event.id, Status::Draft).await;
    assert_eq!(
        (kept.categories.len(), kept.categories[0].count),
        (2, 3),
        "a draft is not counted, and keeps its terms"
    );
    let found = terms::find_ids(&book.database, Taxonomy::Category, &[&made.id.to_string(), " Physics ", "nothing"])
        .await
        .unwrap();
    assert_eq!(found, [Some(made.id), Some(full.categories[1].id), None]);
}

#[actix_web::test]
async fn a_term_has_a_name_in_its_place_and_a_slug_of_its_own() {
    let book = Book::open().await;
    let top = book.category("Exams", None).await.unwrap().term;
    assert_eq!(book.category("EXAMS", None).await, Err(TermRefusal::Exists(top.id)));
    let physics = book.category("Physics", None).await.unwrap().term;
    let below = book.category("Exams", Some(physics.id)).await.unwrap();
    assert_eq!((below.term.slug.as_str(), below.path.join("/").as_str()), ("exams-physics", "physics/exams-physics"));
    assert_eq!(book.category("Exams", Some(999)).await, Err(TermRefusal::Unknown));
    let other = book.category("Exams?", None).await.unwrap().term;
    assert_eq!(other.slug, "exams-2");
    let tag = NewTerm {
        taxonomy: Taxonomy::Tag,
        name: "Exams".to_owned(),
        slug: None,
        description: String::new(),
        parent: None,
    };
    assert_eq!(
        terms::create(&book.database, &tag).await.unwrap().unwrap().term.slug,
        "exams",
        "tags have slugs of their own"
    );
    let second = NewTerm { name: "Exams!".to_owned(), ..tag };
    assert_eq!(
        terms::create(&book.database, &second).await.unwrap().unwrap().term.slug,
        "exams-3",
        "a number is free among all terms"
    );

    let update = async |id: i64, change: TermChange| {
        terms::update(&book.database, Taxonomy::Category, id, &change).await.unwrap()
    };
    let slug = |slug: &str| TermChange { slug: Some(slug.to_owned()), ..TermChange::default() };
    assert_eq!(update(other.id, slug("physics")).await, Err(TermRefusal::SlugTaken));
    assert_eq!(update(other.id, slug("exams-2")).await.unwrap().term.slug, "exams-2");
    let name = TermChange { name: Some("Physics".to_owned()), ..TermChange::default() };
    assert_eq!(update(other.id, name).await.unwrap().term.name, "Physics", "a name may be taken twice by a change");
    let under = |parent: i64| TermChange { parent: Some(Some(parent)), ..TermChange::default() };
    assert_eq!(update(physics.id, under(below.term.id)).await, Err(TermRefusal::BelowItself));
    assert_eq!(update(physics.id, under(physics.id)).await, Err(TermRefusal::BelowItself));
    assert_eq!(update(physics.id, under(top.id)).await.unwrap().path, ["exams", "physics"]);
    let deleted = terms::delete(&book.database, Taxonomy::Category, physics.id).await.unwrap().unwrap();
    assert_eq!(deleted.term.id, physics.id);
    assert_eq!(
        terms::find(&book.database, Taxonomy::Category, below.term.id).await.unwrap().unwrap().path,
        ["exams", "exams-physics"]
    );
    assert!(terms::delete(&book.database, Taxonomy::Category, physics.id).await.unwrap().is_none());
    assert!(terms::delete(&book.database, Taxonomy::Tag, top.id).await.unwrap().is_none(), "it is no tag");
}

#[actix_web::test]
async fn a_scheduled_event_is_published_and_counted_when_its_time_comes() {
    let book = Book::open().await;
    let content = RecordContent { status: Status::Future, published_at: now().plus(1_000), ..published(event("Exam")) };
    let full = book.event_with(content, named(&["Physics"])).await;
    assert_eq!(full.categories[0].count, 0);
    assert_eq!(events::publish_due(&book.database, now()).await.unwrap(), 0);
    assert_eq!(events::publish_due(&book.database, now().plus(1_000)).await.unwrap(), 1);
    let full = events::find(&book.database, full.event.id).await.unwrap().unwrap();
    assert_eq!((full.event.content.status, full.categories[0].count), (Status::Publish, 1));
    let content = RecordContent { status: Status::Future, ..published(venue("Hall")) };
    linked_posts::create::<Venues>(&book.database, now(), content).await.unwrap();
    assert_eq!(linked_posts::publish_due::<Venues>(&book.database, now()).await.unwrap(), 1);
}

#[actix_web::test]
async fn all_words_of_a_search_are_in_one_field() {
    let book = Book::open().await;
    let mut fields = venue("Old Hall");
    fields.city = "Ohio Town".to_owned();
    let made = linked_posts::create::<Venues>(&book.database, now(), published(fields)).await.unwrap();
    let find = async |words: &[&str]| {
        let words = Some(words.iter().map(|word| (*word).to_owned()).collect());
        let filter = LinkedFilter { statuses: vec![Status::Publish], words, ..LinkedFilter::default() };
        linked_posts::list::<Venues>(&book.database, &filter, PageRequest { number: 1, size: 10 }).await.unwrap().total
    };
    assert_eq!(
        (find(&["old", "hal"]).await, find(&["ohio", "town"]).await, find(&["old", "town"]).await, find(&[]).await),
        (1, 1, 0, 0)
    );
    let renamed = |before: &examhall::calendar::store::records::Venue| {
        let mut content = before.content.clone();
        content.fields.name = "New Hall".to_owned();
        Ok::<_, ()>(content)
    };
    let renamed =
        linked_posts::update::<Venues, ()>(&book.database, made.id, now(), renamed).await.unwrap().unwrap().unwrap();
    assert_eq!(renamed.slug, "old-hall", "its slug stays");
    assert_eq!((find(&["old"]).await, find(&["new"]).await), (0, 1));
}

#[actix_web::test]
async fn numbers_are_of_one_kind_and_people_have_one() {
    let book = Book::open().await;
    let event = book.event("Exam").await.event.id;
    let venue = linked_posts::create::<Venues>(&book.database, now(), published(venue("Hall"))).await.unwrap().id;
    let kinds = numbers::find_kinds(&book.database, &[event, venue, 999]).await.unwrap();
    assert_eq!(
        (kinds.get(&event), kinds.get(&venue), kinds.get(&999)),
        (Some(&RecordKind::Event), Some(&RecordKind::Venue), None)
    );
    assert_eq!(authors::find(&book.database, "ada@exam.test").await.unwrap(), None);
    let drawn = join_all((0..AT_ONCE).map(|_| authors::number(&book.database, "ada@exam.test"))).await;
    let ids: BTreeSet<i64> = drawn.into_iter().map(Result::unwrap).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(authors::find(&book.database, "ada@exam.test").await.unwrap(), ids.first().copied());
    assert!(
        authors::exists(&book.database, *ids.first().unwrap()).await.unwrap()
            && !authors::exists(&book.database, 999).await.unwrap()
    );
}
