//! Items in which a number is typed, in each version.

use super::*;

/// An item of version 2.1 with this body, answer and processing.
fn item(body: &str, declaration: &str, processing: &str) -> String {
    format!(
        r#"<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="half" title="Half" adaptive="false" timeDependent="false">
  <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="float">{declaration}</responseDeclaration>
  <itemBody>{body}</itemBody>
  {processing}
</assessmentItem>"#
    )
}

const BOX: &str = "<p>Half of 1 is <textEntryInteraction responseIdentifier=\"RESPONSE\" expectedLength=\"5\"/></p>";
const RIGHT: &str = "<correctResponse><value> 0.5 </value></correctResponse>";
const TEMPLATE: &str =
    "<responseProcessing template=\"http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct\"/>";

fn inline(comparison: &str) -> String {
    format!(
        "<responseProcessing><responseCondition><responseIf>{comparison}<setOutcomeValue identifier=\"SCORE\"><baseValue baseType=\"float\">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>"
    )
}

fn equal(attributes: &str) -> String {
    inline(&format!(
        "<equal {attributes}><variable identifier=\"RESPONSE\"/><correct identifier=\"RESPONSE\"/></equal>"
    ))
}

/// The number of the only question of a file, and its tolerance.
fn number(file: &str) -> (String, String) {
    let (question, _) = only(file);
    assert!(question.options.is_empty());
    let key = question.answer.number().unwrap();
    (key.answer.clone(), key.tolerance.clone())
}

#[test]
fn a_number_is_read_with_its_tolerance() {
    let exact = ("0.5".to_owned(), "0".to_owned());
    for processing in [TEMPLATE, "", &equal("toleranceMode=\"exact\""), &inline("<match/>"), &inline("<stringMatch/>")]
    {
        assert_eq!(number(&item(BOX, RIGHT, processing)), exact, "{processing}");
    }
    for tolerance in ["0.1 0.1", "0.1"] {
        let processing = equal(&format!("toleranceMode=\"absolute\" tolerance=\"{tolerance}\""));
        assert_eq!(number(&item(BOX, RIGHT, &processing)).1, "0.1");
    }
    let (question, _) = only(&item(BOX, RIGHT, TEMPLATE));
    assert_eq!((question.question.as_str(), question.id.as_str()), ("Half of 1 is", "half"));
    let within = "<p>Half of 1 is <textEntryInteraction responseIdentifier=\"RESPONSE\"/>, is it not?</p>";
    assert_eq!(only(&item(within, RIGHT, TEMPLATE)).0.question, "Half of 1 is _____, is it not?");
    let mapped = format!("{RIGHT}<mapping><mapEntry mapKey=\"0.5\" mappedValue=\"1\"/></mapping>");
    let map = TEMPLATE.replace("match_correct", "map_response");
    assert_eq!(number(&item(BOX, &mapped, &map)), exact);
}

#[test]
fn what_is_no_number_is_refused() {
    for (file, expected) in [
        (
            item(BOX, &RIGHT.replace("0.5", "half"), TEMPLATE),
            "answer must be a number in digits, such as 12, -3 or 0.5",
        ),
        (item(BOX, "", TEMPLATE), "no option is right"),
        (
            item(BOX, RIGHT, &equal("toleranceMode=\"absolute\" tolerance=\"0.1 0.2\"")),
            "its tolerance is not the same on both sides of the number",
        ),
        (
            item(BOX, RIGHT, &equal("toleranceMode=\"relative\" tolerance=\"5 5\"")),
            "its tolerance is not the same on both sides of the number",
        ),
        (
            item(BOX, RIGHT, &inline("<gte/><lte/>")),
            "its response processing compares the answer with more than one number",
        ),
        (item(BOX, RIGHT, &TEMPLATE.replace("match_correct", "other")), "its response processing is not known: other"),
        (item(&format!("{BOX}{BOX}"), RIGHT, TEMPLATE), "it asks for 2 answers, but a question has one"),
    ] {
        assert_eq!(refused(&file), expected, "{file}");
    }
}

/// An item of Canvas of this type with this processing.
fn canvas(kind: &str, processing: &str) -> String {
    format!(
        r#"<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment title="Unit"><section>
<item ident="g9" title="Half"><itemmetadata><qtimetadata>
<qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>{kind}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext texttype="text/html">Half of 1?</mattext></material>
<response_str ident="response1" rcardinality="Single"><render_fib fibtype="Decimal"><response_label ident="answer1"/></render_fib></response_str></presentation>
<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>{processing}</resprocessing>
<itemfeedback ident="general_fb"><material><mattext>Halve it.</mattext></material></itemfeedback></item>
</section></assessment></questestinterop>"#
    )
}

fn condition(tests: &str, points: &str) -> String {
    format!(
        "<respcondition continue=\"No\"><conditionvar>{tests}</conditionvar><setvar action=\"Set\" varname=\"SCORE\">{points}</setvar></respcondition>"
    )
}

fn equals(value: &str) -> String {
    format!("<varequal respident=\"response1\">{value}</varequal>")
}

fn range(low: &str, high: &str) -> String {
    format!("<and><vargte respident=\"response1\">{low}</vargte><varlte respident=\"response1\">{high}</varlte></and>")
}

#[test]
fn canvas_numbers_are_read_with_their_range() {
    let around = condition(&format!("<or>{}{}</or>", equals("0.50"), range("0.4", "0.6")), "100");
    let (question, _) = only(&canvas("numerical_question", &around));
    assert_eq!((question.question.as_str(), question.explanation.as_str()), ("Half of 1?", "Halve it."));
    for (kind, processing, expected) in [
        ("numerical_question", around, ("0.50", "0.1")),
        ("numerical_question", condition(&range("1", "2"), "100"), ("1.5", "0.5")),
        ("numerical_question", condition(&equals("7"), "100"), ("7", "0")),
        ("short_answer_question", condition(&(equals("7") + &equals("7.0")), "100"), ("7", "0")),
    ] {
        let (answer, tolerance) = number(&canvas(kind, &processing));
        assert_eq!((answer.as_str(), tolerance.as_str()), expected, "{processing}");
    }
    for (kind, processing, expected) in [
        ("short_answer_question", condition(&equals("half"), "100"), "it is no multiple choice: short_answer_question"),
        ("essay_question", condition(&equals("7"), "100"), "it is no multiple choice: essay_question"),
        ("numerical_question", String::new(), "no option is right"),
        (
            "numerical_question",
            condition(&(equals("9") + &range("1", "2")), "100"),
            "its range is not around its answer",
        ),
        (
            "numerical_question",
            condition(&equals("7"), "100") + &condition(&equals("8"), "100"),
            "2 options give points: only one may be right",
        ),
        (
            "numerical_question",
            condition(&format!("<not>{}</not>", equals("7")), "100"),
            "it gives points for what is not typed",
        ),
    ] {
        assert_eq!(refused(&canvas(kind, &processing)), expected, "{processing}");
    }
}
