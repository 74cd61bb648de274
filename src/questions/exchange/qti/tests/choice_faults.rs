//! Faults of items of QTI 2.1, 2.2 and 3.0, each with the reason that its author reads.

use super::choices::{in3, item2, plain2};
use super::refused;

#[test]
fn what_varies_or_asks_otherwise_is_refused_by_name() {
    let body = |body: &str| item2("v2p1", body, "shuffle=\"true\" maxChoices=\"1\"");
    let key = "<value> c3 </value>";
    let mapped = |points: &str, entries: &str| {
        let mapping = format!("</correctResponse><mapping defaultValue=\"{points}\">{entries}</mapping>");
        plain2().replace("match_correct", "map_response").replace("</correctResponse>", &mapping)
    };
    let of_c3 = "<mapEntry mapKey=\"c3\" mappedValue=\"1\"/>";
    let of_c1 = "<mapEntry mapKey=\"c1\" mappedValue=\"1\"/>";
    let stimuli = "<assessmentStimulusRef identifier=\"s\" href=\"s.xml\"/>".repeat(5);
    let pictures = "<img src=\"https://a.example/a.png\" alt=\"\"/><img src=\"https://a.example/b.png\" alt=\"\"/>";
    let unshown = [
        ("<style>p { }</style>", "a style sheet"),
        ("<iframe src=\"x\"></iframe>", "another page"),
        ("<video src=\"x\"></video>", "a video"),
        ("<audio src=\"x\"></audio>", "a sound"),
        ("<form></form>", "a form"),
        ("<button>1</button>", "a button"),
        ("<del>5</del>", "text that is struck out"),
        ("<svg onload=\"alert(1)\"></svg>", "a drawing within the text"),
        ("<ol type=\"A\"><li>a</li></ol>", "a list that is numbered in its own way"),
        ("<p style=\"display: none\">the key</p>", "text that is hidden"),
        ("<p style=\"vertical-align: sub\">2</p>", "text that a style raises or lowers"),
    ];
    let unshown = unshown.map(|(html, what)| {
        (body(&format!("{html} INTERACTION")), format!("it has {what}, which a question here can't show"))
    });
    let cases = [
        (body(&format!("<p>{pictures}</p> INTERACTION")), "it has more than one picture"),
        (plain2().replace(">1/3<", ">1/2<"), "optionA and optionB are equal"),
        (plain2().replace(">1/3<", "><"), "optionB required"),
        (body("INTERACTION").replace("<prompt>Which is largest?</prompt>", ""), "question required"),
        (body(&format!("<p>{}</p> INTERACTION", "x".repeat(40_000))), "question is longer than 32767 characters"),
        (body(&format!("<p>{}</p> INTERACTION", "x".repeat(140_000))), "its text is too long or nested too deeply"),
        (
            plain2().replace("identifier=\"c2\"", "identifier=\"\""),
            "two of its options have the same identifier, or one has none",
        ),
        (plain2().replace("match_correct", "own_rules"), "its response processing is not known: own_rules"),
        (mapped("0", &format!("{of_c3}{of_c1}")), "several options give points"),
        (mapped("0", of_c1), "the option that gives points is not its right answer"),
        (mapped("0.5", of_c3), "options without points of their own give points"),
        (
            plain2().replace("<itemBody>", &format!("{stimuli}<itemBody>")),
            "more than 4 texts in other files stand before it",
        ),
        (body("<object data=\"a.png\"/> INTERACTION"), "an object in it is no picture"),
        (body("<sliderInteraction responseIdentifier=\"RESPONSE\"/>"), "it is no multiple choice: sliderinteraction"),
        (
            plain2().replace("identifier=\"largest\"", &format!("identifier=\"{}\"", "x".repeat(101))),
            "id is longer than 100 characters",
        ),
        (plain2().replace("adaptive=\"false\"", "adaptive=\"true\""), "it is adaptive"),
        (
            plain2().replace("<itemBody>", "<templateDeclaration identifier=\"T\"/><itemBody>"),
            "a template makes its values anew for each student",
        ),
        (
            body("<p>x <printedVariable identifier=\"T\"/></p> INTERACTION"),
            "a template makes its values anew for each student",
        ),
        (
            body("<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"/etc/passwd\"/> INTERACTION"),
            "a part of it is in another file (XInclude)",
        ),
        (body("<p>x</p>"), "it asks for no answer"),
        (body("INTERACTION INTERACTION"), "it asks for 2 answers, but a question has one"),
        (
            body("INTERACTION <p><textEntryInteraction responseIdentifier=\"R2\"/></p>"),
            "it asks for 2 answers, but a question has one",
        ),
        (
            body("<extendedTextInteraction responseIdentifier=\"RESPONSE\"/>"),
            "it is no multiple choice: extendedtextinteraction",
        ),
        (body("<table><tr><td>1</td></tr></table> INTERACTION"), "it has a table, which a question here can't show"),
        (body("<script>alert(1)</script> INTERACTION"), "it has a script, which a question here can't show"),
        (body("<object data=\"a.mp4\" type=\"video/mp4\"/> INTERACTION"), "an object in it is no picture"),
        (body("<p><img src=\"a.png\" alt=\"\"/></p> INTERACTION"), "the picture a.png is not in the file"),
        (
            body("<p><img src=\"javascript:alert(1)\" alt=\"\"/></p> INTERACTION"),
            "the picture javascript:alert(1) is not in the file",
        ),
        (body("<p>&nosuch;</p> INTERACTION"), "the entity &nosuch; is not expanded"),
        (plain2().replace("<itemBody>", "<qtiBody>").replace("</itemBody>", "</qtiBody>"), "it has no item body"),
        (plain2().replace(key, ""), "no option is right"),
        (plain2().replace(key, "<value>c1</value><value>c3</value>"), "2 options give points: only one may be right"),
        (plain2().replace(key, "<value>c9</value>"), "its right answer is none of its options"),
        (
            plain2().replace("identifier=\"c2\"", "identifier=\"c1\""),
            "two of its options have the same identifier, or one has none",
        ),
        (
            plain2()
                .replace("<responseDeclaration identifier=\"RESPONSE\"", "<responseDeclaration identifier=\"OTHER\""),
            "it does not declare its answer",
        ),
        (
            plain2()
                .replace(
                    "cardinality=\"single\" baseType=\"identifier\"",
                    "cardinality=\"multiple\" baseType=\"identifier\"",
                )
                .replace("maxChoices=\"1\"", "maxChoices=\"0\""),
            "several options may be chosen",
        ),
        (
            plain2().replace("<simpleChoice identifier=\"c4\">1/4</simpleChoice>", ""),
            "it has 3 options, but 4 are needed (or the tag options:3)",
        ),
        (
            plain2().replace(
                "</choiceInteraction>",
                "<simpleChoice identifier=\"c5\">1</simpleChoice></choiceInteraction>",
            ),
            "it has 5 options, but 4 are needed",
        ),
        (
            plain2().replace(">1/4<", "><img src=\"https://school.example/a.png\" alt=\"\"/><"),
            "option D has a picture: only the question may have one",
        ),
        (
            plain2().replace("<itemBody>", "<assessmentStimulusRef identifier=\"s\" href=\"s.xml\"/><itemBody>"),
            "the text that stands before it is missing: s.xml",
        ),
    ];
    let cases = cases.map(|(file, reason)| (file, reason.to_owned())).into_iter().chain(unshown).collect::<Vec<_>>();
    assert!(cases.len() >= 40, "{}", cases.len());
    for (file, reason) in cases {
        assert_eq!(refused(&file), reason);
        assert_eq!(refused(&file.replace("v2p1", "v2p2")), reason, "2.2");
        for prefix in ["", "q:"] {
            let (file, name) = (in3(&file, prefix), reason.strip_prefix("it is no multiple choice: "));
            let told = refused(&file);
            // A kind is told by the name of its element.
            let plain = told.replace("qti-", "").replace('-', "");
            assert_eq!(if name.is_some() { plain.as_str() } else { &told }, reason, "3.0: {file}");
        }
    }
}
