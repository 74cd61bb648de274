//! How long the worst allowed texts of the calendar take to process. Not among the domain's own tests, because the
//! domain has no clock.

use std::time::{Duration, Instant};

use domain::calendar::values::{self, BODY_BYTES_MAX, TAGS_MAX, is_body};
use domain::calendar::{rendering, slug, words};

/// The most that a text may take, on a busy machine and without optimisation.
const LONGEST: Duration = Duration::from_secs(2);
/// How often a text may take longer before the test fails.
const TRIES: usize = 3;

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
        let (mut taken, grown) = process(&text);
        // Other work on this machine can only make it longer.
        for _ in 1..TRIES {
            taken = if taken < LONGEST { taken } else { process(&text).0 };
        }
        assert!(taken < LONGEST && grown <= 8 * BODY_BYTES_MAX, "{head:?}: {taken:?}, {grown} bytes");
    }
}

/// How long everything takes that is done with a text, and how many bytes it is when it is shown.
fn process(text: &str) -> (Duration, usize) {
    let began = Instant::now();
    let grown = rendering::body(text).len();
    let _ = (
        slug::of(text),
        values::plain(text),
        words::haystack(&[text]),
        words::for_events(text),
        words::for_places(text),
    );
    (began.elapsed(), grown)
}
