//! QTI 2.1, 2.2 and 3.0, which one reader reads.

use super::*;

/// An item of version 2.1 with this body around `INTERACTION` and these attributes of the interaction.
pub fn item2(version: &str, body: &str, attributes: &str) -> String {
    let interaction = format!(
        r#"<choiceInteraction responseIdentifier="RESPONSE" {attributes}>
      <prompt>Which is largest?</prompt>
      <simpleChoice identifier="c1">1/2</simpleChoice>
      <simpleChoice identifier="c2">1/3</simpleChoice>
      <simpleChoice identifier="c3">2/3<feedbackInline outcomeIdentifier="FEEDBACK" identifier="c3" showHide="show">Two of three parts.</feedbackInline></simpleChoice>
      <simpleChoice identifier="c4">1/4</simpleChoice>
    </choiceInteraction>"#
    );
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_{version}" identifier="largest" title="Largest" adaptive="false" timeDependent="false">
  <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">
    <correctResponse><value> c3 </value></correctResponse>
  </responseDeclaration>
  <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
  <itemBody>
    {}
  </itemBody>
  <responseProcessing template="http://www.imsglobal.org/question/qti_{version}/rptemplates/match_correct"/>
</assessmentItem>"#,
        body.replace("INTERACTION", &interaction)
    )
}

/// The same item as version 3.0 writes it, with a prefix if there is one.
pub fn item3(prefix: &str) -> String {
    in3(&item2("v2p2", "<p>Look closely.</p> INTERACTION", "shuffle=\"true\" maxChoices=\"1\""), prefix)
}

/// An item of version 2 in the names of version 3.0.
pub fn in3(item: &str, prefix: &str) -> String {
    let kebab = |name: &str| {
        name.chars().fold(String::new(), |mut text, letter| {
            if letter.is_ascii_uppercase() {
                text.push('-');
            }
            text.push(letter.to_ascii_lowercase());
            text
        })
    };
    let mut item = item.replace("v2p1", "v2p2");
    for name in [
        "assessmentItem",
        "responseDeclaration",
        "correctResponse",
        "outcomeDeclaration",
        "itemBody",
        "choiceInteraction",
        "prompt",
        "simpleChoice",
        "feedbackInline",
        "responseProcessing",
        "value",
        "mapping",
        "mapEntry",
        "templateDeclaration",
        "printedVariable",
        "textEntryInteraction",
        "extendedTextInteraction",
        "sliderInteraction",
        "assessmentStimulusRef",
    ] {
        for start in ["<", "</"] {
            for end in [" ", ">", "/>"] {
                item =
                    item.replace(&format!("{start}{name}{end}"), &format!("{start}{prefix}qti-{}{end}", kebab(name)));
            }
        }
    }
    for name in [
        "responseIdentifier",
        "maxChoices",
        "baseType",
        "timeDependent",
        "outcomeIdentifier",
        "showHide",
        "mapKey",
        "mappedValue",
        "defaultValue",
    ] {
        item = item.replace(&format!(" {name}="), &format!(" {}=", kebab(name)));
    }
    let namespace =
        if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{}", prefix.trim_end_matches(':')) };
    item.replace(
        "xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p2\"",
        &format!("{namespace}=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0\""),
    )
}

pub fn plain2() -> String {
    item2("v2p1", "<p>Look closely.</p> INTERACTION", "shuffle=\"true\" maxChoices=\"1\"")
}

#[test]
fn all_versions_give_the_same_question() {
    let versions = [
        plain2(),
        item2("v2p2", "<p>Look closely.</p> INTERACTION", "shuffle=\"true\" maxChoices=\"1\""),
        item3(""),
        item3("q:"),
    ];
    assert!(versions[2].contains("<qti-choice-interaction response-identifier="), "{}", versions[2]);
    for version in versions {
        let (question, notes) = only(&version);
        assert_eq!(question.question, "Look closely.\nWhich is largest?", "{version}");
        assert_eq!(question.options, ["1/2", "1/3", "2/3", "1/4"]);
        assert_eq!((question.answer.letter_or_number(), question.explanation.as_str()), ("C", "Two of three parts."));
        assert_eq!(question.id, "largest");
        assert_eq!(notes, Vec::<String>::new());
    }
}

#[test]
fn response_processing_has_many_names() {
    let known = "http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct";
    let with = |address: &str| plain2().replace(known, address);
    for address in [
        "http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct.xml",
        "https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml",
        "http://www.imsglobal.org/question/qti_v2p0/rptemplates/match_correct",
        "/qti/RPTemplates/CC2_match.xml",
        "CC2_match",
        "",
    ] {
        assert_eq!(only(&with(address)).0.answer.letter_or_number(), "C", "{address}");
    }
    assert_eq!(
        refused(&with("http://school.example/own_rules.xml")),
        "its response processing is not known: own_rules"
    );
    let inline = plain2().replace(
        &format!("<responseProcessing template=\"{known}\"/>"),
        "<responseProcessing><responseCondition><responseIf><match><variable identifier=\"RESPONSE\"/><correct identifier=\"RESPONSE\"/></match></responseIf></responseCondition></responseProcessing>",
    );
    assert_eq!(only(&inline).0.answer.letter_or_number(), "C");
    let mapped = |entries: &str| {
        with("x/map_response").replace(
            "</correctResponse>",
            &format!("</correctResponse><mapping defaultValue=\"0\">{entries}</mapping>"),
        )
    };
    let entry = |key: &str, value: &str| format!("<mapEntry mapKey=\"{key}\" mappedValue=\"{value}\"/>");
    assert_eq!(only(&mapped(&(entry("c3", "1") + &entry("c1", "-1")))).0.answer.letter_or_number(), "C");
    assert_eq!(refused(&mapped(&(entry("c3", "1") + &entry("c1", "0.5")))), "several options give points");
    for entries in [entry("c1", "1"), entry("c3", "0"), String::new()] {
        assert_eq!(refused(&mapped(&entries)), "the option that gives points is not its right answer");
    }
    let by_default = mapped(&entry("c3", "1")).replace("defaultValue=\"0\"", "defaultValue=\"0.5\"");
    assert_eq!(refused(&by_default), "options without points of their own give points");
}

#[test]
fn many_options_are_counted_and_not_compared() {
    let with = |more: usize| {
        let same = "<simpleChoice identifier=\"c1\">1</simpleChoice>".repeat(more);
        plain2().replace("</choiceInteraction>", &format!("{same}</choiceInteraction>"))
    };
    let same = "two of its options have the same identifier, or one has none";
    assert_eq!(refused(&with(OPTIONS_READ_MAX - 4)), same);
    assert_eq!(refused(&with(OPTIONS_READ_MAX - 3)), "it has 65 options, but 4 are needed");
}

#[test]
fn one_answer_of_several_that_may_be_chosen_is_enough_if_one_may() {
    let file = plain2()
        .replace("cardinality=\"single\" baseType=\"identifier\"", "cardinality=\"multiple\" baseType=\"identifier\"");
    assert_eq!(only(&file).0.answer.letter_or_number(), "C");
}

#[test]
fn options_keep_their_order_where_their_author_says_so() {
    let keeps_order = |file: &str| {
        let mut found = None;
        let mut each = |_, question: Result<ForeignQuestion, Refusal>| {
            found = Some(question.unwrap().keeps_order);
            Ok(())
        };
        read(file.as_bytes(), &mut each).unwrap();
        found.unwrap()
    };
    assert!(!keeps_order(&plain2()));
    assert!(keeps_order(&plain2().replace("shuffle=\"true\"", "shuffle=\"false\"")));
    assert!(!keeps_order(&plain2().replace("shuffle=\"true\"", "")));
    assert!(keeps_order(&plain2().replace("identifier=\"c4\"", "identifier=\"c4\" fixed=\"true\"")));
}

#[test]
fn rubrics_for_students_come_first_and_others_are_said() {
    let body = "<p>Look closely.</p><rubricBlock view=\"candidate tutor\"><p>No calculator.</p></rubricBlock>\
                <rubricBlock view=\"scorer\"><p>Give one point.</p></rubricBlock><infoControl title=\"Hint\"><p>Think.</p></infoControl> INTERACTION";
    let (question, notes) = only(&item2("v2p1", body, "shuffle=\"true\" maxChoices=\"1\""));
    assert_eq!(question.question, "No calculator.\nLook closely.\nWhich is largest?");
    assert_eq!(
        notes,
        ["rubrics that are not for students are left out: 1", "notes that open on demand are left out: 1"]
    );
}

#[test]
fn feedback_goes_to_those_whose_it_is() {
    let with = |modal: &str| plain2().replace("</assessmentItem>", &format!("{modal}</assessmentItem>"));
    let modal = |value: &str, text: &str| {
        format!(
            "<modalFeedback outcomeIdentifier=\"F\" identifier=\"{value}\" showHide=\"show\"><contentBody><p>{text}</p></contentBody></modalFeedback>"
        )
    };
    let without = |file: String| {
        let (start, rest) = file.split_once("<feedbackInline").unwrap();
        format!("{start}{}", rest.split_once("</feedbackInline>").unwrap().1)
    };
    for (value, explanation, notes) in [
        ("explanation", "Compare.", 0),
        ("SOLUTION", "Compare.", 0),
        ("correct", "Compare.", 0),
        ("c3", "Compare.", 0),
        ("c1", "", 1),
        ("incorrect", "", 1),
        ("outcome-17", "", 1),
    ] {
        let (question, said) = only(&without(with(&modal(value, "Compare."))));
        assert_eq!((question.explanation.as_str(), said.len()), (explanation, notes), "{value}: {said:?}");
    }
    // What can't be kept costs the explanation, not the question.
    let (question, notes) = only(&without(with(&modal("explanation", "<table><tr><td>1</td></tr></table>"))));
    assert_eq!(question.explanation, "");
    assert_eq!(notes, ["feedback is left out: it has a table, which a question here can't show"]);
}

#[test]
fn older_items_show_pictures_as_objects() {
    let body = "<p><object data=\"https://school.example/a.png\" type=\"image/png\">A square</object></p> INTERACTION";
    let (question, _) = only(&item2("v2p1", body, "shuffle=\"true\" maxChoices=\"1\""));
    assert_eq!(
        (question.image.as_str(), question.image_description.as_str()),
        ("https://school.example/a.png", "A square")
    );
}

#[test]
fn formulas_may_be_mathml_with_a_prefix() {
    let body = "<p>Solve <m:math xmlns:m=\"http://www.w3.org/1998/Math/MathML\"><m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac></m:math>.</p> INTERACTION";
    let (question, _) = only(&item2("v2p1", body, "shuffle=\"true\" maxChoices=\"1\""));
    assert_eq!(question.question, "Solve $\\frac{1}{2}$.\nWhich is largest?");
}

#[test]
fn a_file_may_have_several_items() {
    let item = plain2().split_once("?>").unwrap().1.to_owned();
    let wrapped = format!(
        "<items>{item}{}{}</items>",
        item.replace("largest\"", "second\""),
        item.replace("adaptive=\"false\"", "adaptive=\"true\"")
    );
    let outcomes = read_text(&wrapped).unwrap();
    let ids: Vec<_> =
        outcomes.iter().map(|outcome| outcome.as_ref().map(|(question, _)| question.id.as_str())).collect();
    assert_eq!(ids, [Ok("largest"), Ok("second"), Err(&"it is adaptive".to_owned())]);
}

#[test]
fn a_test_names_its_questions_and_has_none() {
    let test = "<assessmentTest xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\" identifier=\"t\"><testPart><assessmentSection><assessmentItemRef identifier=\"i\" href=\"i.xml\"/></assessmentSection></testPart></assessmentTest>";
    assert_eq!(refused(test), NAMES_OTHERS);
    assert!(is_qti(&XmlFile::open(test).unwrap().root));
    assert!(!is_qti(&XmlFile::open("<quiz/>").unwrap().root));
}
