//! How long the worst allowed texts of the calendar take to process. Not among the domain's own tests, because the
//! domain has no clock.

use std::time::Duration;

use domain::calendar::values::{self, BODY_BYTES_MAX, TAGS_MAX, is_body};
use domain::calendar::{rendering, slug, words};
use rustix::time::{ClockId, clock_gettime};

/// The most processor time that a text may take without optimisation. What else the machine does is not counted.
const LONGEST: Duration = Duration::from_secs(2);

/// The most expensive texts that the limits allow.
fn heavy() -> Vec<String> {
    let many = |text: &str| match text.matches('<').count() {
        0 => text.repeat(BODY_BYTES_MAX / text.len()),
        tags => text.repeat(TAGS_MAX / tags),
    };
    let distinct = |name: &str, rest: &str| {
        let opened: String = (0..TAGS_MAX / 2).map(|number| format!("<{name} a{number}>")).collect();
        opened + &rest.repeat(TAGS_MAX / 2)
    };
    let attributes: String = (0..12_000).map(|number| format!(" {number:x}")).collect();
    let mut texts = vec![
        distinct("b", "<p>x"),
        distinct("font", "<p>"),
        distinct("a", "<p>"),
        distinct("body", ""),
        distinct("html", ""),
        distinct("I", "<td>"),
    ];
    texts.extend(
        [
            "<b>",
            "<b><p>",
            "<a><p>",
            "<div>",
            "<table>",
            "<table><td>",
            "<table><tr><b>",
            "<svg>",
            "<math><mi>",
            "<select>",
            "<p><b><i>",
            "</p>",
            "</b>",
        ]
        .map(many),
    );
    texts.extend(
        [
            "<",
            "<!--",
            "<a href=",
            "&",
            "&amp",
            "\"",
            "'",
            "-",
            ".",
            "\n",
            "\n\n",
            "x\n",
            "<x",
            "</x",
            "a\n\n<b>",
            "&#8220;",
            "<dd><dt>",
            "<form>",
            "<template>",
        ]
        .map(many),
    );
    texts.push(format!("<p{attributes}>"));
    texts.push("<div>".repeat(TAGS_MAX / 2) + &"<p>".repeat(TAGS_MAX / 2));
    texts.push("<a>".to_owned() + &"<div>".repeat(TAGS_MAX / 2) + &"</a>".repeat(TAGS_MAX / 2 - 1));
    texts.push("<p>".repeat(TAGS_MAX / 2) + &"</x>".repeat(TAGS_MAX / 2));
    texts.push("<".repeat(TAGS_MAX) + &"x".repeat(BODY_BYTES_MAX - TAGS_MAX));
    texts
}

#[test]
fn no_text_takes_long() {
    for text in heavy() {
        let head: String = text.chars().take(24).collect();
        assert!(is_body(&text), "{head}");
        let (taken, grown) = process(&text);
        assert!(taken < LONGEST && grown <= 8 * BODY_BYTES_MAX, "{head:?}: {taken:?}, {grown} bytes");
    }
}

/// The processor time of everything that is done with a text, and how many bytes it is when it is shown.
fn process(text: &str) -> (Duration, usize) {
    let began = processor_time();
    let grown = rendering::body(text).len();
    let _ = (
        slug::of(text),
        values::plain(text),
        words::haystack(&[text]),
        words::for_events(text),
        words::for_places(text),
    );
    (processor_time() - began, grown)
}

/// Of this thread, so far.
fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap()
}
