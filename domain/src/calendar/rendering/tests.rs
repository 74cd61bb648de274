//! Tests of how titles and descriptions are shown, and of what is removed from them.

use super::markup::Tag;
use super::*;

#[test]
fn titles_of_the_contract() {
    for (text, shown) in [
        ("Tom & Jerry", "Tom &#038; Jerry"),
        ("The \"final\" exam", "The &#8220;final&#8221; exam"),
        ("The 'final' exam", "The &#8216;final&#8217; exam"),
        ("It's", "It&#8217;s"),
        ("Now -- later", "Now &#8212; later"),
        ("Now--later", "Now&#8212;later"),
        ("And so on...", "And so on&#8230;"),
        ("  trimmed  ", "trimmed"),
        ("Class of '99", "Class of &#8217;99"),
        ("(\"a\")", "(&#8220;a&#8221;)"),
        ("\"'a' b\"", "&#8220;&#8216;a&#8217; b&#8221;"),
        ("<b>\"Bold\"</b> text", "<b>&#8220;Bold&#8221;</b> text"),
        ("a < b", "a &lt; b"),
        ("Pre-exam - grade 5", "Pre-exam - grade 5"),
        ("xn--abc", "xn--abc"),
        ("-----", "-----"),
        ("日本語 – “試験”", "日本語 – “試験”"),
    ] {
        assert_eq!(title(text), shown, "{text}");
    }
}

#[test]
fn descriptions_have_paragraphs() {
    for (text, shown) in [
        ("One", "<p>One</p>"),
        ("One\n\nTwo", "<p>One</p>\n<p>Two</p>"),
        ("One\r\n\r\n\r\nTwo\r\n", "<p>One</p>\n<p>Two</p>"),
        ("One\nTwo", "<p>One<br />\nTwo</p>"),
        ("One\n \t\nTwo", "<p>One</p>\n<p>Two</p>"),
        ("<p>One</p><p>Two</p>", "<p>One</p>\n<p>Two</p>"),
        ("<p>One\nTwo</p>", "<p>One\nTwo</p>"),
        ("One<br>Two", "<p>One<br />Two</p>"),
        ("One<br>\nTwo", "<p>One<br />\nTwo</p>"),
        ("One\n<ul><li>a</li></ul>\nTwo", "<p>One</p>\n<ul><li>a</li></ul>\n<p>Two</p>"),
        ("<b>One</b>\n\nTwo <i>three</i>", "<p><b>One</b></p>\n<p>Two <i>three</i></p>"),
        ("<b>One\n\nTwo</b>", "<p><b>One<br />\nTwo</b></p>"),
        ("<pre>a\n\n\"b\" -- c</pre>", "<pre>a\n\n\"b\" -- c</pre>"),
        ("<code>a -- \"b\"</code> \"c\"", "<p><code>a -- \"b\"</code> &#8220;c&#8221;</p>"),
        ("One\n<hr>\nTwo", "<p>One</p>\n<hr>\n<p>Two</p>"),
        (
            "<a href=\"https://a.example/?b=1&c='2'\">it's</a>",
            "<p><a href=\"https://a.example/?b=1&amp;c='2'\">it&#8217;s</a></p>",
        ),
        ("<p>\"One\"</p>\n\"Two\"", "<p>&#8220;One&#8221;</p>\n<p>&#8220;Two&#8221;</p>"),
        ("", ""),
        (" \n ", ""),
    ] {
        assert_eq!(body(text), shown, "{text:?}");
    }
}

#[test]
fn pictures_are_asked_for_only_where_there_are_pictures() {
    for address in ["https://school.example/a.png", "/media/a.png"] {
        let shown = body(&format!("<p><img src=\"{address}\" alt=\"A\"></p>"));
        assert!(shown.contains(address), "{shown}");
    }
    for address in
        ["/api/admin/sittings/1/slips.pdf?renew=true", "http://school.example/a.png", "//x.example/a.png", "a.png"]
    {
        let shown = body(&format!("<p><img src=\"{address}\" alt=\"A\"></p>"));
        assert!(shown.contains("<img") && !shown.contains("src"), "{shown}");
    }
}

#[test]
fn what_runs_is_taken_out() {
    for text in [
        "<script>alert(1)</script>",
        "<SCRIPT SRC=//x.example></SCRIPT>",
        "<img src=x onerror=alert(1)>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<a href=\"java\nscript:alert(1)\">x</a>",
        "<svg onload=alert(1)><script>alert(1)</script></svg>",
        "<iframe src=\"https://x.example\"></iframe>",
        "<p style=\"background:url(javascript:alert(1))\" onclick=\"alert(1)\">x</p>",
        "<math><mi xlink:href=\"javascript:alert(1)\">x</mi></math>",
        "<kept-b onclick=alert(1)>x</kept-b>",
        "<kept-script>alert(1)</kept-script>",
        "<textarea><script>alert(1)</script></textarea>",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<form action=\"https://x.example\"><input name=q><button>go</button></form>",
        "<style>*{x:expression(alert(1))}</style>",
        "<!--<img src=x onerror=alert(1)>-->",
        "<scr\u{FDD0}ipt>alert(1)</script>",
        "<scr\0ipt>alert(1)</script>",
        "<b title='\"><script>alert(1)</script>'>x</b>",
    ] {
        for shown in [title(text), body(text), term_description(text)] {
            let tags: Vec<Tag<'_>> =
                pieces(&shown).filter_map(|piece| if let Piece::Tag(tag) = piece { Some(tag) } else { None }).collect();
            for tag in tags {
                assert!(
                    !["script", "iframe", "svg", "math", "style", "form", "input", "button", "textarea"]
                        .contains(&tag.name),
                    "{text}: {shown}"
                );
                let outside: String = tag.text.split('"').step_by(2).collect();
                assert!(
                    !outside.contains("on") && !tag.text.contains("javascript:") && !outside.contains("style"),
                    "{text}: {shown}"
                );
            }
        }
    }
    assert_eq!(body("<script>alert(1)</script>"), "");
    assert_eq!(title("<p>Block</p> <b class=\"x\">a</b>"), "Block <b>a</b>");
}

#[test]
fn what_is_shown_may_be_sent_again() {
    for text in [
        "Tom & Jerry's \"exam\" -- so...",
        "a < b",
        "<b>x</b>\n\ny\nz",
        "<ul>\n<li>a</li>\n</ul>\n\nb &amp; &lt;c&gt;",
        "日本 'x' \"y\"",
        "&#8216;a&#8217; &quot;b&quot;",
    ] {
        assert_eq!(title(&title(text)), title(text), "{text:?}");
        assert_eq!(body(&body(text)), body(text), "{text:?}");
        assert_eq!(term_description(&term_description(text)), term_description(text), "{text:?}");
    }
}

#[test]
fn readers_see_the_text() {
    assert_eq!(
        plain(&body("Tom & \"Jerry\"\n\n<ul><li>a</li><li>b</li></ul> 1 < 2")),
        "Tom & “Jerry”\n\na\n\nb\n\n1 < 2"
    );
    assert_eq!(plain("a &unknown; & b &#xx; <3 &#65;"), "a &unknown; & b &#xx; <3 A");
    assert_eq!(plain("a <b"), "a <b");
}

#[test]
fn what_looks_like_an_inner_name_is_a_text_like_any_other() {
    assert_eq!(title("<</b>kept-kept-<"), "&lt;kept-kept-&lt;");
    assert_eq!(title("<b>kept-b</b> <kept-b>x</kept-b>"), "<b>kept-b</b> x");
    assert_eq!(body("<x\u{FDD6}script>y</x\u{FDD6}script>"), "<p>y</p>");
}
