//! Files of Moodle XML as Moodle and others write them, good and bad.

use domain::exchange::QuestionRows;
use domain::exchange::foreign::Defaults;
use domain::question::Question;

use super::*;

/// What an import of the file gives: the questions, and the sentences about those that are refused.
fn read_all(xml: &str) -> (Vec<Question>, Vec<String>, Vec<String>) {
    let mut rows = QuestionRows::default();
    read(xml, &mut |place, question| {
        rows.take_item(place, question.and_then(|question| question.draft(&Defaults::default())));
        Ok(())
    })
    .unwrap();
    for row in rows.take_waiting() {
        rows.complete(row, None);
    }
    let (questions, notes) = (std::mem::take(&mut rows.questions), std::mem::take(&mut rows.notes));
    (questions, rows.into_errors(), notes)
}

const ANSWERS: &str = "<answer fraction='0'><text>1</text></answer><answer fraction='100'><text>2</text></answer>\
    <answer fraction='0'><text>3</text></answer><answer fraction='0'><text>4</text></answer>";
const TAGS: &str = "<tags><tag><text>grade:5</text></tag><tag><text>difficulty:3</text></tag></tags>";

/// A file whose second question has this in it, between two that are good.
fn file(inner: &str) -> String {
    let good = |id: &str| {
        format!(
            "<question type='multichoice'><name><text>{id}</text></name><idnumber>{id}</idnumber>\
             <questiontext format='html'><text>{id}?</text></questiontext>{ANSWERS}{TAGS}</question>\n"
        )
    };
    format!("<?xml version='1.0' encoding='UTF-8'?>\n<quiz>\n{}{inner}\n{}</quiz>", good("first"), good("last"))
}

fn asked(text: &str) -> String {
    format!(
        "<question type='multichoice'><name><text>N</text></name><questiontext format='html'><text>{text}</text></questiontext>{ANSWERS}{TAGS}</question>"
    )
}

#[test]
fn a_question_is_read_with_all_that_it_says() {
    let png = BASE64_STANDARD.encode(b"\x89PNG\r\n\x1a\n.");
    let (questions, errors, notes) = read_all(&file(&format!(
        "<question type='category'><category><text>$course$/top/Numbers/Half // whole</text></category></question>\
         <question type='multichoice'><name><text>N</text></name>\
         <questiontext format='html'><text><![CDATA[<p>What is \\(\\frac{{1}}{{2}}\\) of <b>$4</b>?</p><img src=\"@@PLUGINFILE@@/a%20b.png\" alt=\"A line\">]]></text>\
         <file name='a b.png' path='/' encoding='base64'>{png}</file></questiontext>\
         <generalfeedback format='html'><text>Half of it.</text></generalfeedback><idnumber> m-1 </idnumber>\
         <single>true</single><shuffleanswers>0</shuffleanswers>\
         <answer fraction='-50' format='html'><text>1</text><feedback><text>No.</text></feedback></answer>\
         <answer fraction='100.00000' format='plain_text'><text>2 &lt; 3</text></answer>\
         <answer fraction='0' format='moodle_auto_format'><text>3</text></answer>\
         <answer fraction='0' format='odd'><text>4</text></answer>{TAGS}</question>"
    )));
    assert_eq!(errors, Vec::<String>::new());
    let found = questions.get(1).unwrap();
    assert_eq!(found.id, "m-1");
    assert_eq!(found.question, r"What is $\frac{1}{2}$ of \$4?");
    assert_eq!(found.options, ["1", "2 < 3", "3", "4"]);
    assert_eq!((found.answer.letter_or_number(), found.explanation.as_str()), ("B", "Half of it."));
    assert_eq!((found.topic.as_str(), found.image_description.as_str()), ("Half / whole", "A line"));
    assert_eq!(found.image, format!("data:image/png;base64,{png}"));
    assert_eq!(
        notes,
        [
            "Line 4 (N): 1 marks of bold, italic or the like are left out; points are not taken off here: 1 penalties become 0; feedback to 1 options is left out"
        ]
    );
}

#[test]
fn each_fault_refuses_its_question_alone() {
    let body = |text: &str, rest: &str| {
        format!(
            "<question type='multichoice'><name><text>N</text></name><questiontext format='html'><text>{text}</text></questiontext>{rest}{TAGS}</question>"
        )
    };
    let answers = |fractions: &[&str]| -> String {
        fractions
            .iter()
            .enumerate()
            .map(|(place, fraction)| format!("<answer fraction='{fraction}'><text>{place}</text></answer>"))
            .collect()
    };
    let svg = "<questiontext><text>&lt;img src='@@PLUGINFILE@@/a.txt'&gt;</text><file name='a.txt' encoding='base64'>aGVsbG8=</file></questiontext>";
    for (inner, expected) in [
        (
            "<question type='truefalse'><name><text>N</text></name></question>".to_owned(),
            "it is no multiple choice: truefalse",
        ),
        ("<question type='essay'><name><text>N</text></name></question>".to_owned(), "it is no multiple choice: essay"),
        (
            "<question type='calculatedmulti'><name><text>N</text></name></question>".to_owned(),
            "it is no multiple choice: calculatedmulti",
        ),
        ("<question><name><text>N</text></name></question>".to_owned(), "it is no multiple choice: "),
        (body("Q", &answers(&["100", "0", "0"])), "it has 3 options, but 4 are needed (or the tag options:3)"),
        (body("Q", &answers(&["100", "0"])), "it has 2 options, but 4 are needed (or the tag options:2)"),
        (body("Q", &answers(&["100", "0", "0", "0", "0"])), "it has 5 options, but 4 are needed"),
        (body("Q", ""), "it has 0 options, but 4 are needed"),
        (body("Q", &answers(&["50", "50", "0", "0"])), "2 options give points: only one may be right"),
        (body("Q", &answers(&["100", "100", "0", "0"])), "2 options give points: only one may be right"),
        (body("Q", &answers(&["100", "33.33333", "0", "0"])), "2 options give points: only one may be right"),
        (body("Q", &answers(&["90", "0", "0", "0"])), "its best option gives only 90 % of the points"),
        (body("Q", &answers(&["0", "0", "0", "0"])), "no option is right"),
        (body("Q", &answers(&["x", "0", "0", "0"])), "an answer has a fraction that is no number"),
        (body("Q", &answers(&["NaN", "0", "0", "0"])), "an answer has a fraction that is no number"),
        (body("Q", &format!("<single>false</single>{ANSWERS}")), "several options may be chosen"),
        (body("Q", &format!("<single>0</single>{ANSWERS}")), "several options may be chosen"),
        (body("Q", &format!("<single></single>{ANSWERS}")), "several options may be chosen"),
        (asked(""), "question required"),
        (asked("&lt;script&gt;alert(1)&lt;/script&gt;Q"), "it has a script, which a question here can't show"),
        (asked("&lt;style&gt;b{}&lt;/style&gt;Q"), "it has a style sheet, which a question here can't show"),
        (asked("&lt;table&gt;&lt;tr&gt;&lt;td&gt;1"), "it has a table, which a question here can't show"),
        (asked("&lt;iframe src='https://x.example'&gt;"), "it has another page, which a question here can't show"),
        (asked("&lt;video src='a'&gt;"), "it has a video, which a question here can't show"),
        (asked("&lt;audio src='a'&gt;"), "it has a sound, which a question here can't show"),
        (asked("&lt;svg&gt;"), "it has a drawing within the text, which a question here can't show"),
        (asked("&lt;img src='@@PLUGINFILE@@/gone.png'&gt;"), "the picture @@PLUGINFILE@@/gone.png is not in the file"),
        (asked("&lt;img src='gone.png'&gt;"), "the picture gone.png is not in the file"),
        (
            asked("&lt;img src='http://school.example/a.png'&gt;"),
            "the picture http://school.example/a.png is not in the file",
        ),
        (
            asked("&lt;img src='https://a.example/a'&gt;&lt;img src='https://a.example/b'&gt;"),
            "it has more than one picture",
        ),
        (
            asked("&lt;math&gt;&lt;mfrac&gt;&lt;mn&gt;1&lt;/mn&gt;&lt;/mfrac&gt;&lt;/math&gt;"),
            "the formula can't be read: <mfrac> has other parts than it should",
        ),
        (asked("&lt;math&gt;&lt;mn&gt;1"), "the formula can't be read: it has no end"),
        (asked("a&unknown;b"), "the entity &unknown; is not expanded"),
        (asked("&#7;"), "question has control characters"),
        (asked(&"x".repeat(40_000)), "question is longer than 32767 characters"),
        (asked(&"x".repeat(200_000)), "its text is too long or nested too deeply"),
        (asked(&"&lt;b&gt;".repeat(1_000)), "its text is too long or nested too deeply"),
        (asked("Q").replace("<text>1</text>", "<text>2</text>"), "optionA and optionB are equal"),
        (asked("Q").replace("<text>1</text>", "<text></text>"), "optionA required"),
        (
            asked("Q").replace("<text>1</text>", "<text>&lt;img src='https://a.example/a'&gt;</text>"),
            "option A has a picture: only the question may have one",
        ),
        (asked("Q").replace("grade:5", "grade:0"), "tag grade:0: a grade is 1 to 10"),
        (
            asked("Q").replace("grade:5", "class"),
            "grade required: choose one for the import, or give it a tag such as grade:5",
        ),
        (
            asked("Q").replace("difficulty:3", "hard"),
            "difficulty required: choose one for the import, or give it a tag such as difficulty:3",
        ),
        (asked("Q").replace("difficulty:3", "difficulty:6"), "tag difficulty:6: a difficulty is 1 to 5"),
        (
            asked("Q").replace("<questiontext", "<idnumber>first</idnumber><questiontext"),
            "id first stands in line 3 (first) already",
        ),
        (
            asked("Q").replace("<questiontext format='html'><text>Q</text></questiontext>", svg),
            "the picture is no PNG, JPEG, GIF, WebP or SVG",
        ),
        (
            asked("Q").replace("<questiontext", "<image>a.gif</image><image_base64>???</image_base64><questiontext"),
            "the picture a.gif is not in the file",
        ),
    ] {
        let (questions, errors, _) = read_all(&file(&inner));
        assert_eq!(errors, [format!("Line 4 (N): {expected}")], "{}", inner.chars().take(300).collect::<String>());
        assert_eq!(questions.iter().map(|question| question.id.as_str()).collect::<Vec<_>>(), ["first", "last"]);
    }
}

fn asking_number(kind: &str, rest: &str) -> String {
    file(&format!(
        "<question type='{kind}'><name><text>N</text></name><questiontext format='html'><text>Half?</text></questiontext>{rest}{TAGS}</question>"
    ))
}

#[test]
fn numbers_are_read_with_their_tolerance_and_unit() {
    let answer = |fraction: &str, text: &str, rest: &str| {
        format!(
            "<answer fraction='{fraction}'><text>{text}</text><feedback><text>F{fraction}</text></feedback>{rest}</answer>"
        )
    };
    let unit = |name: &str, factor: &str| {
        format!("<unit><multiplier>{factor}</multiplier><unit_name>{name}</unit_name></unit>")
    };
    let units = format!("<units>{}{}</units>", unit("m", "0.01"), unit("cm", "1.0"));
    let rest = answer("100", "0.5", "<tolerance>0.05</tolerance>") + &answer("0", "*", "") + &units;
    let (questions, errors, notes) = read_all(&asking_number("numerical", &rest));
    assert_eq!(errors, Vec::<String>::new());
    let found = questions.get(1).unwrap();
    let key = found.answer.number().unwrap();
    assert_eq!((key.answer.as_str(), key.tolerance.as_str(), key.unit.as_str()), ("0.5", "0.05", "cm"));
    assert_eq!((found.options.len(), found.explanation.as_str()), (0, "F100"));
    assert_eq!(notes, ["Line 4 (N): other units are left out"]);
    let short = answer("100", "3", "") + &answer("100", "3.0", "") + &answer("0", "three", "");
    let (questions, errors, _) = read_all(&asking_number("shortanswer", &short));
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(questions.get(1).unwrap().answer.letter_or_number(), "3");
    for (kind, rest, expected) in [
        ("shortanswer", answer("100", "three", ""), "it is no multiple choice: shortanswer"),
        ("numerical", answer("100", "*", ""), "answer must be a number in digits, such as 12, -3 or 0.5"),
        ("numerical", answer("50", "3", ""), "its best option gives only 50 % of the points"),
        ("numerical", answer("100", "3", "") + &answer("50", "4", ""), "2 options give points: only one may be right"),
        ("numerical", String::new(), "no option is right"),
        ("calculated", answer("100", "3", ""), "it is no multiple choice: calculated"),
    ] {
        let (questions, errors, _) = read_all(&asking_number(kind, &rest));
        assert_eq!(errors, [format!("Line 4 (N): {expected}")]);
        assert_eq!(questions.len(), 2);
    }
}

#[test]
fn a_file_that_is_cut_off_gives_nothing() {
    let whole = file(&asked("Q"));
    for length in [30, whole.len() / 2, whole.len() - 3] {
        let cut = whole.get(..length).unwrap();
        assert!(read(cut, &mut |_, _| Ok(())).is_err(), "{length}");
    }
}

#[test]
fn a_category_is_the_last_of_its_names() {
    for (path, name) in [
        ("$course$/top/A/B", Some("B")),
        ("A//B", Some("A/B")),
        ("$course$/top", None),
        ("$course$", None),
        ("", None),
        ("a/ ", None),
    ] {
        assert_eq!(innermost(path).as_deref(), name, "{path}");
    }
    let long = innermost(&format!("$course$/top/{}", "ậ".repeat(32_767)));
    assert_eq!(long.map(|name| name.chars().count()), Some(CATEGORY_CHARACTERS_MAX));
}
