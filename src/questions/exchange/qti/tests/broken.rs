//! Files that are damaged, or made to do harm: each ends in a reason, and none in anything else.

use domain::grade::Grade;
use sample_bank::Dice;

use super::choices::{item2, item3};
use super::*;

/// Damaged files that are tried from each sound one.
const MUTATIONS: usize = 2_000;

fn sound() -> Vec<String> {
    vec![item2("v2p1", "<p>Look &lt;closely&gt;.</p> INTERACTION", "shuffle=\"true\" maxChoices=\"1\""), item3("")]
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_refused() {
    for file in sound() {
        for end in (0..file.trim_end().len()).filter(|end| file.is_char_boundary(*end)) {
            let part = &file[..end];
            let read = read_text(part);
            assert!(read.is_err() || read.as_ref().is_ok_and(|outcomes| outcomes.iter().all(Result::is_err)), "{part}");
        }
    }
}

#[test]
fn no_damage_does_more_than_to_refuse() {
    let pieces = [
        "<",
        ">",
        "&",
        "\"",
        "</",
        "/>",
        "<![CDATA[",
        "]]>",
        "<!--",
        "&#0;",
        "&#x110000;",
        "&lt;",
        "\0",
        "\u{fffe}",
        "<math>",
        "<!DOCTYPE a [",
        "identifier",
        "='",
    ];
    let mut dice = Dice::seeded(7);
    for file in sound() {
        for _ in 0..MUTATIONS {
            let mut bytes = file.clone().into_bytes();
            for _ in 0..=dice.below(4) {
                let place = dice.below(bytes.len());
                let length = dice.below(40).min(bytes.len() - place);
                let piece = *dice.pick(&pieces);
                match dice.below(3) {
                    0 => drop(bytes.drain(place..place + length)),
                    1 => drop(bytes.splice(place..place + length, piece.bytes())),
                    _ => bytes[place] = u8::try_from(dice.below(256)).unwrap(),
                }
                if bytes.is_empty() {
                    bytes.push(b'<');
                }
            }
            let outcomes = outcomes_of(|each| read(&bytes, each)).unwrap_or_default();
            for (question, _) in outcomes.into_iter().flatten() {
                assert_eq!(question.options.len(), 4);
                assert!(question.answer.choice().is_some_and(|choice| (choice as usize) < question.options.len()));
                assert_eq!(Some(question.grade), Grade::new(5));
            }
        }
    }
}

#[test]
fn entities_are_neither_fetched_nor_expanded() {
    let item = item2("v2p1", "<p>&xxe;</p> INTERACTION", "shuffle=\"true\" maxChoices=\"1\"");
    let (start, rest) = item.split_once("?>").unwrap();
    let with = |subset: &str| format!("{start}?><!DOCTYPE assessmentItem [{subset}]>{rest}");
    assert_eq!(refused(&with("<!ENTITY xxe SYSTEM \"file:///etc/passwd\">")), "the entity &xxe; is not expanded");
    let laughs = "<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY xxe \"&b;&b;&b;&b;\">";
    assert_eq!(refused(&with(laughs)), "the entity &xxe; is not expanded");
    // A document type that names a file is usual in QTI 1.2, and nothing is fetched.
    let named =
        item.replace("&xxe;", "x").replace("?>", "?><!DOCTYPE assessmentItem SYSTEM \"http://school.example/x.dtd\">");
    assert_eq!(only(&named).0.answer.letter_or_number(), "C");
}

#[test]
fn what_is_no_qti_is_said_to_be_none() {
    for (file, reason) in [
        ("<quiz></quiz>", "The file has no questions"),
        ("<questestinterop/>", "The file has no questions"),
        ("<questestinterop><assessment><section/></assessment></questestinterop>", "The file has no questions"),
        ("", "Line 1: the XML is damaged"),
        ("grade,question", "Line 1: the XML is damaged"),
        ("<assessmentItem><itemBody></assessmentItem>", "Line 1: the XML is damaged"),
        ("<questestinterop><assessment>", "Line 1: the file ends within an element: it is cut off"),
        ("<assessmentItem a=1/>", "Line 1: the XML is damaged"),
    ] {
        assert_eq!(refused(file), reason, "{file}");
    }
}

#[test]
fn elements_within_elements_have_a_limit() {
    let deep = "<div>".repeat(5_000) + &"</div>".repeat(5_000);
    let refusal = refused(&item2("v2p1", &format!("{deep} INTERACTION"), "maxChoices=\"1\""));
    assert_eq!(refusal, "Line 8: the XML is nested too deeply");
    let groups = "<section>".repeat(50_000) + &"</section>".repeat(50_000);
    let refusal = refused(&format!("<questestinterop>{groups}</questestinterop>"));
    assert_eq!(refusal, "Line 1: the XML is nested too deeply");
}

#[test]
fn reading_ends_when_no_more_are_taken() {
    let items = "<item ident=\"a\"/>".repeat(10);
    let mut count = 0;
    let mut each = |_, _| {
        count += 1;
        if count > 3 { Err(FormatFault::TooManyQuestions(3)) } else { Ok(()) }
    };
    let read = read(format!("<questestinterop>{items}</questestinterop>").as_bytes(), &mut each);
    assert_eq!(read, Err(FormatFault::TooManyQuestions(3)));
    assert_eq!(count, 4);
}
