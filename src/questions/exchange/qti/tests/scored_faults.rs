//! Faults of items of QTI 1.2, each with the reason that its author reads.

use super::refused;
use super::scored::{CANVAS_PROCESSING, item};

/// What stands in an XML file for HTML.
fn escaped(html: &str) -> String {
    html.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[test]
fn each_fault_is_told_by_name() {
    let choice = |stem: &str| item("multiple_choice_question", stem, CANVAS_PROCESSING);
    let html = |stem: &str| choice(&escaped(stem));
    let plain = |text: &str| format!("<mattext texttype=\"text/plain\">{text}</mattext>");
    let label = |ident: &str, text: &str| {
        format!("<response_label ident=\"{ident}\"><material>{}</material></response_label>", plain(text))
    };
    let field = |name: &str, value: &str| {
        choice("x").replace(
            "<qtimetadatafield><fieldlabel>points",
            &format!(
                "<qtimetadatafield><fieldlabel>{name}</fieldlabel><fieldentry>{value}</fieldentry></qtimetadatafield>\
                 <qtimetadatafield><fieldlabel>points"
            ),
        )
    };
    let stem_with = |attributes: &str| {
        choice("").replacen("<mattext texttype=\"text/html\">", &format!("<mattext {attributes}>"), 1)
    };
    let material = |element: &str| {
        choice("x").replacen("<presentation>", &format!("<presentation><material>{element}</material>"), 1)
    };
    let kinds = [
        "true_false_question",
        "matching_question",
        "multiple_dropdowns_question",
        "fill_in_multiple_blanks_question",
        "file_upload_question",
        "text_only_question",
    ];
    let of_kinds =
        kinds.map(|kind| (item(kind, "x", CANVAS_PROCESSING), format!("it is no multiple choice: {kind}"))).to_vec();
    let unshown = [
        ("<table><tr><td>1</td></tr></table>", "a table"),
        ("<script>alert(1)</script>", "a script"),
        ("<style>p { }</style>", "a style sheet"),
        ("<iframe src='x'></iframe>", "another page"),
        ("<object data='x'></object>", "an embedded object"),
        ("<video src='x'></video>", "a video"),
        ("<audio src='x'></audio>", "a sound"),
        ("<svg onload='alert(1)'></svg>", "a drawing within the text"),
        ("<form></form>", "a form"),
        ("<input>", "a field to fill in"),
        ("<button>1</button>", "a button"),
        ("<del>5</del>", "text that is struck out"),
        ("<p style='display: none'>the key</p>", "text that is hidden"),
        ("10<span style='vertical-align: super'>2</span>", "text that a style raises or lowers"),
        ("<ol type='A'><li>a</li></ol>", "a list that is numbered in its own way"),
        ("<span style='text-decoration: overline'>a<br>b</span>", "a line above a long text"),
    ];
    let of_html =
        unshown.map(|(stem, what)| (html(stem), format!("it has {what}, which a question here can't show"))).to_vec();
    let same = "two of its options have the same identifier, or one has none";
    let cardinality = choice("x").replace("rcardinality=\"Single\"", "rcardinality=\"Multiple\"");
    let of_items = [
        (choice("x").replace("presentation>", "shown>"), "it shows nothing"),
        (choice("x").replace("response_lid", "answer_lid"), "it asks for no answer"),
        (
            choice("x").replace("</presentation>", "<response_lid ident=\"r2\"/></presentation>"),
            "it asks for 2 answers, but a question has one",
        ),
        (choice("x").replace("response_lid", "response_xy"), "it is no multiple choice: response_xy"),
        (cardinality.replace("question_type", "other"), "several options may be chosen"),
        (choice("x").replace("response_label ident=\"b\"", "response_label ident=\"a\""), same),
        (choice("x").replace("response_label ident=\"b\"", "response_label ident=\" \""), same),
        (choice("x").replace(&label("d", "1"), ""), "it has 3 options, but 4 are needed (or the tag options:3)"),
        (
            choice("x").replace("</render_choice>", &format!("{}</render_choice>", label("e", "5"))),
            "it has 5 options, but 4 are needed",
        ),
        (html("<img src='a.png'>"), "the picture a.png is not in the file"),
        (html("<img src='http://school.example/a.png'>"), "the picture http://school.example/a.png is not in the file"),
        (html("<img src='file:///etc/passwd'>"), "the picture file:///etc/passwd is not in the file"),
        (
            html("<img src='https://a.example/a.png'><img src='https://a.example/b.png'>"),
            "it has more than one picture",
        ),
        (
            choice("x").replace(
                &plain("5/6"),
                "<mattext texttype=\"text/html\">&lt;img src='https://a.example/a.png'&gt;</mattext>",
            ),
            "option A has a picture: only the question may have one",
        ),
        (html("x<sup>2"), "it has a mark that is not closed: write &lt; for a < that is meant as such"),
        (stem_with("texttype=\"application/rtf\""), "a text of it is in application/rtf, which is not read"),
        (stem_with("texttype=\"text/html\" uri=\"t.html\""), "a text of it is in another file"),
        (material("<matvideo uri=\"a.mp4\"/>"), "it has matvideo, which a question here can't show"),
        (material("<mataudio uri=\"a.mp3\"/>"), "it has mataudio, which a question here can't show"),
        (choice("&nosuch;"), "the entity &nosuch; is not expanded"),
        (
            choice("&xxe;").replace(
                "<questestinterop",
                "<!DOCTYPE questestinterop [<!ENTITY a \"ha\"><!ENTITY xxe \"&a;&a;&a;\">]><questestinterop",
            ),
            "the entity &xxe; is not expanded",
        ),
        (choice(""), "question required"),
        (choice("a\u{7}b"), "question has control characters"),
        (choice(&"x".repeat(40_000)), "question is longer than 32767 characters"),
        (choice(&"x".repeat(140_000)), "its text is too long or nested too deeply"),
        (choice("x").replace(&plain("2/5"), &plain("5/6")), "optionA and optionB are equal"),
        (choice("x").replace(&plain("2/5"), &plain("")), "optionB required"),
        (choice("x").replace(&plain("1/6"), &plain("")), "optionC is empty, but optionD is not"),
        (field("Grade", "12"), "tag grade:12: a grade is 1 to 10"),
        (field("difficulty", "easy"), "tag difficulty:easy: a difficulty is 1 to 5"),
    ]
    .map(|(file, reason)| (file, reason.to_owned()))
    .to_vec();
    let cases = [of_kinds, of_html, of_items].concat();
    assert!(cases.len() >= 40, "{}", cases.len());
    for (file, reason) in cases {
        assert_eq!(refused(&file), reason, "{}", file.chars().skip(400).take(1_500).collect::<String>());
    }
}
