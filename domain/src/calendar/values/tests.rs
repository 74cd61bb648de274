//! Tests of which texts are accepted, and of how plain ones are stored.

use super::*;

#[test]
fn texts_that_must_be_there() {
    for text in ["", "0", "a\0b"] {
        assert!(!is_title(text) && !is_body(text) && !is_search(text), "{text:?}");
    }
    for text in ["a", "00", " ", "0.0", "日"] {
        assert!(is_title(text) && is_body(text) && is_search(text), "{text:?}");
    }
    assert!(is_optional_body("") && is_optional_body("0") && is_detail("") && is_detail("0"));
    assert!(
        is_blank("")
            && is_blank(" \n\t")
            && is_blank("<p> </p>")
            && is_blank("<script>x</script>")
            && is_blank("<img src=x>")
            && !is_blank("a")
    );
}

#[test]
fn long_texts_are_refused() {
    assert!(is_title(&"ä".repeat(TITLE_CHARACTERS_MAX)) && !is_title(&"a".repeat(TITLE_CHARACTERS_MAX + 1)));
    assert!(is_body(&"a".repeat(BODY_BYTES_MAX)) && !is_body(&"a".repeat(BODY_BYTES_MAX + 1)));
    assert!(is_body(&"<".repeat(TAGS_MAX)) && !is_body(&"<".repeat(TAGS_MAX + 1)));
    assert!(is_detail(&"ä".repeat(DETAIL_CHARACTERS_MAX)) && !is_detail(&"a".repeat(DETAIL_CHARACTERS_MAX + 1)));
    assert!(!is_search(&"a".repeat(201)) && !is_detail("a\0b"));
}

#[test]
fn links_are_absolute() {
    for text in ["", "https://exam.example", "http://exam.example/a?b=c#d", "ftp://x.y", "https://exam.example:8443/"] {
        assert!(is_website(text), "{text:?}");
    }
    for text in [
        "www.foo.com",
        "foo",
        "/a",
        "//foo.com",
        "https:foo",
        "https://",
        "javascript:alert(1)",
        "javascript://x/%0aalert(1)",
        "data:text/html,x",
        "https://a b",
        "0",
        "https://a\n.b",
    ] {
        assert!(!is_website(text), "{text:?}");
    }
    for text in ["http:///x", "http://x/\"><script>", "http://x/<b>", "http://x/a\\b", "http://x/`"] {
        assert!(!is_website(text), "{text}");
    }
    assert!(!is_website(&format!("https://a.example/{}", "a".repeat(LINK_BYTES_MAX))));
    assert!(is_image("https://exam.example/a.png"));
    for text in ["", "0", "28", "ftp://x.y/a.png", "a.png", "http://x.y/a.png", "/api/admin/export"] {
        assert!(!is_image(text), "{text:?}");
    }
}

#[test]
fn plain_texts_have_no_tags() {
    for (text, kept) in [
        (" Main <b>Street</b>\n 5 ", "Main Street 5"),
        ("Tom & Jerry", "Tom & Jerry"),
        ("a < b > c", "a < b > c"),
        ("1 <3", "1 <3"),
        ("a <b", "a"),
        ("<script>x</script>", "x"),
        ("<<b>script>alert(1)", "script>alert(1)"),
        ("<scr<b>ipt>x", "ipt>x"),
        ("a\u{7}b", "a b"),
        ("", ""),
    ] {
        assert_eq!(plain(text), kept, "{text:?}");
    }
}

#[test]
fn names_of_terms() {
    for (text, kept) in [
        ("Maths & Physics", "Maths &amp; Physics"),
        ("Maths &amp; Physics", "Maths &amp; Physics"),
        ("<i>Maths</i>", "Maths"),
        ("a < b", "a &lt; b"),
        ("a &lt; b", "a &lt; b"),
    ] {
        assert_eq!(term_name(text), kept, "{text:?}");
        assert_eq!(term_name(&term_name(text)), kept, "{text:?}");
    }
    assert_eq!(escaped("<p>\"a\" & 'b'</p>"), "&lt;p&gt;&quot;a&quot; &amp; &#039;b&#039;&lt;/p&gt;");
}
