//! Tests of slugs in many scripts, and of those of records in the trash.

use super::*;

#[test]
fn titles_become_slugs() {
    for (title, slug) in [
        ("Final Exam", "final-exam"),
        ("  Tom & Jerry  ", "tom-jerry"),
        ("Café Über Ñandú", "cafe-uber-nandu"),
        ("Straße Ærø Œuvre Łódź Đà Þór", "strasse-aero-oeuvre-lodz-da-thor"),
        ("İstanbul", "istanbul"),
        ("Grade 5: Maths / Physics (2027)", "grade-5-maths-physics-2027"),
        ("What's up", "whats-up"),
        ("a_b", "a_b"),
        ("a -- b", "a-b"),
        ("日本語", "%e6%97%a5%e6%9c%ac%e8%aa%9e"),
        ("日本 Exam", "%e6%97%a5%e6%9c%ac-exam"),
        ("ЭКЗАМЕН", "%d1%8d%d0%ba%d0%b7%d0%b0%d0%bc%d0%b5%d0%bd"),
        ("й", "%d0%b9"),
        ("हिन्दी", "%e0%a4%b9%e0%a4%bf%e0%a4%a8%e0%a5%8d%e0%a4%a6%e0%a5%80"),
        ("cafe\u{301}", "cafe"),
        ("-x-", "x"),
        ("50% off", "50-off"),
        ("C++ 🎉", "c"),
    ] {
        assert_eq!(of(title), slug, "{title}");
    }
    for title in ["", "   ", "!!!", "🎉", "%%%", "—", "%ff%fe"] {
        assert_eq!(of(title), "", "{title}");
    }
}

#[test]
fn rendered_titles_have_the_same_slugs() {
    for title in
        ["Tom & Jerry", "The \"final\" exam", "It's -- so...", "<b>Bold</b> move", "a < b", "R&amp;D", "日本 & 試験"]
    {
        assert_eq!(of(&crate::calendar::rendering::title(title)), of(title), "{title}");
        assert_eq!(of(&crate::calendar::values::term_name(title)), of(title), "{title}");
    }
    assert_eq!(of("Tom &#038; Jerry"), "tom-jerry");
}

#[test]
fn a_slug_stays_as_it_is() {
    for slug in ["final-exam", "final-exam-2", "%e6%97%a5%e6%9c%ac", "exam__trashed", "a_b"] {
        assert_eq!(of(slug), slug);
    }
    assert_eq!(of("%E6%97%A5"), "%e6%97%a5");
    assert_eq!(of("My Slug!"), "my-slug");
    assert_eq!(of("日"), of("%e6%97%a5"));
}

#[test]
fn long_slugs_are_cut_between_letters() {
    assert_eq!(of(&"a".repeat(500)).len(), SLUG_BYTES_MAX);
    let slug = of(&"日".repeat(100));
    assert!(slug.len() <= SLUG_BYTES_MAX && slug.len().is_multiple_of(9), "{slug}");
    for number in [2, 10, 12_345] {
        let numbered = numbered(&slug, number);
        assert!(numbered.len() <= SLUG_BYTES_MAX);
        assert_eq!(numbered.rsplit_once('-').map(|(slug, _)| slug.len() % 9), Some(0), "{numbered}");
    }
    assert!(trashed(&slug).len() <= SLUG_BYTES_MAX && with_parent(&slug, &slug).len() <= SLUG_BYTES_MAX);
}

#[test]
fn slugs_get_endings() {
    for slug in ["exam", "exam-2", "exam__trashed-x", "trashed"] {
        assert_eq!(trashed(slug), format!("{slug}__trashed"));
    }
    for slug in ["exam__trashed", "exam__trashed-2", "exam-2__trashed"] {
        assert_eq!(trashed(slug), slug);
    }
    assert_eq!(numbered("a-2", 2), "a-2-2");
    assert_eq!(with_parent("maths", "grade-5"), "maths-grade-5");
}

#[test]
fn the_slug_of_a_slug_is_itself() {
    for title in ["\u{3b1}'\u{301}", "\u{1112}'\u{1161}", "が'\u{3099}", "Żółć'a", "日本's 2027"] {
        let slug = of(title);
        assert_eq!(of(&slug), slug, "{title:?}");
    }
}
