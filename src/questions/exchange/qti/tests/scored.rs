//! QTI 1.2 in the shapes of Canvas, Common Cartridge, D2L and Blackboard.

use super::*;

/// A quiz of Canvas with this item.
fn canvas(item: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
  <assessment ident="g1" title="Unit 3">
    <qtimetadata><qtimetadatafield><fieldlabel>cc_maxattempts</fieldlabel><fieldentry>1</fieldentry></qtimetadatafield></qtimetadata>
    <section ident="root_section">
{item}
    </section>
  </assessment>
</questestinterop>"#
    )
}

/// An item of Canvas of this type, with options `a` to `d` and this processing.
pub fn item(kind: &str, stem: &str, processing: &str) -> String {
    let options: String = [("a", "5/6"), ("b", "2/5"), ("c", "1/6"), ("d", "1")]
        .map(|(ident, text)| {
            format!(
                "<response_label ident=\"{ident}\"><material><mattext texttype=\"text/plain\">{text}</mattext></material></response_label>"
            )
        })
        .concat();
    canvas(&format!(
        r#"<item ident="g7" title="Halves">
<itemmetadata><qtimetadata>
  <qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>{kind}</fieldentry></qtimetadatafield>
  <qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>1.0</fieldentry></qtimetadatafield>
</qtimetadata></itemmetadata>
<presentation>
  <material><mattext texttype="text/html">{stem}</mattext></material>
  <response_lid ident="response1" rcardinality="Single"><render_choice>{options}</render_choice></response_lid>
</presentation>
<resprocessing>
  <outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
  {processing}
</resprocessing>
<itemfeedback ident="general_fb"><flow_mat><material><mattext texttype="text/html">&lt;p&gt;Make the parts equal.&lt;/p&gt;</mattext></material></flow_mat></itemfeedback>
<itemfeedback ident="b_fb"><flow_mat><material><mattext texttype="text/html">Not so.</mattext></material></flow_mat></itemfeedback>
</item>"#
    ))
}

pub const CANVAS_PROCESSING: &str = r#"
  <respcondition continue="Yes"><conditionvar><other/></conditionvar><displayfeedback feedbacktype="Response" linkrefid="general_fb"/></respcondition>
  <respcondition continue="Yes"><conditionvar><varequal respident="response1">b</varequal></conditionvar><displayfeedback feedbacktype="Response" linkrefid="b_fb"/></respcondition>
  <respcondition continue="No"><conditionvar><varequal respident="response1">a</varequal></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition>"#;

fn points(of: &[(&str, &str)]) -> String {
    of.iter()
        .map(|(option, points)| {
            format!(
                "<respcondition continue=\"No\"><conditionvar><varequal respident=\"response1\">{option}</varequal></conditionvar><setvar action=\"Set\" varname=\"SCORE\">{points}</setvar></respcondition>"
            )
        })
        .collect()
}

#[test]
fn a_question_of_canvas_has_its_key_behind_its_feedback() {
    let stem = "&lt;p&gt;What is &lt;img class=\"equation_image\" data-equation-content=\"\\frac{1}{2}\" src=\"/equation_images/x\"&gt; + 1/3 for $5?&lt;/p&gt;";
    let (question, notes) = only(&item("multiple_choice_question", stem, CANVAS_PROCESSING));
    assert_eq!(question.question, "What is $\\frac{1}{2}$ + 1/3 for \\$5?");
    assert_eq!(question.options, ["5/6", "2/5", "1/6", "1"]);
    assert_eq!(question.answer.letter_or_number(), "A");
    assert_eq!(question.explanation, "Make the parts equal.");
    assert_eq!((question.id.as_str(), question.topic.as_str()), ("g7", "Unit 3"));
    assert_eq!(notes, ["feedback to 1 options is left out"]);
}

#[test]
fn fields_of_the_metadata_are_tags_and_a_bank_is_a_category() {
    let file = item("multiple_choice_question", "x", CANVAS_PROCESSING).replace(
        "<qtimetadatafield><fieldlabel>points",
        "<qtimetadatafield><fieldlabel>Grade</fieldlabel><fieldentry>7</fieldentry></qtimetadatafield>\
         <qtimetadatafield><fieldlabel>difficulty</fieldlabel><fieldentry>5</fieldentry></qtimetadatafield>\
         <qtimetadatafield><fieldlabel>points",
    );
    let (question, _) = only(&file);
    assert_eq!((question.grade.number(), question.difficulty.number()), (7, 5));
    let bank = file
        .replace("<assessment ident=\"g1\" title=\"Unit 3\">", "<objectbank ident=\"b\">")
        .replace("</assessment>", "</objectbank>")
        .replace("<section ident=\"root_section\">", "")
        .replace("</section>", "")
        .replace("cc_maxattempts</fieldlabel><fieldentry>1", "bank_title</fieldlabel><fieldentry>Fractions");
    assert_eq!(only(&bank).0.topic, "Fractions");
}

#[test]
fn a_common_cartridge_is_read_by_its_profile() {
    let file = item("x", "y", &points(&[("c", "100")])).replace("question_type", "cc_profile");
    let named = |profile: &str| file.replace("<fieldentry>x<", &format!("<fieldentry>{profile}<"));
    assert_eq!(only(&named("cc.multiple_choice.v0p1")).0.answer.letter_or_number(), "C");
    for profile in ["cc.multiple_response.v0p1", "cc.true_false.v0p1", "cc.essay.v0p1"] {
        assert_eq!(refused(&named(profile)), format!("it is no multiple choice: {profile}"));
    }
    for kind in ["multiple_answers_question", "essay_question", "numerical_question", "calculated_question"] {
        let refusal = refused(&item(kind, "y", &points(&[("c", "100")])));
        assert_eq!(refusal, format!("it is no multiple choice: {kind}"));
    }
}

#[test]
fn the_option_with_points_is_right_however_conditions_are_written() {
    let of = |processing: &str| {
        let mut outcomes = read_text(&item("multiple_choice_question", "x", processing)).unwrap();
        outcomes.remove(0).map(|(question, _)| question.answer.choice().map_or("", |choice| choice.letter()))
    };
    let condition = |tested: &str, rest: &str| {
        format!("<respcondition><conditionvar>{tested}</conditionvar>{rest}</respcondition>")
    };
    let set = "<setvar varname=\"SCORE\" action=\"Set\">100</setvar>";
    let equal = |option: &str| format!("<varequal respident=\"response1\">{option}</varequal>");
    // Blackboard names the variable otherwise, and its points.
    let blackboard = condition(&equal("d"), "<setvar variablename=\"SCORE\" action=\"Set\">SCORE.max</setvar>")
        + &condition("<other/>", "<setvar variablename=\"SCORE\" action=\"Set\">0</setvar>");
    assert_eq!(of(&blackboard), Ok("D"));
    assert_eq!(of(&condition(&format!("<and>{}</and>", equal("b")), set)), Ok("B"));
    assert_eq!(of(&condition(&format!("<or>{}</or>", equal("b")), set)), Ok("B"));
    assert_eq!(
        of(&condition(&["a", "b", "d"].map(|wrong| format!("<not>{}</not>", equal(wrong))).concat(), set)),
        Ok("C")
    );
    // Points that are added, and none that are taken off.
    let add = |option, action, points| {
        condition(&equal(option), &format!("<setvar varname=\"SCORE\" action=\"{action}\">{points}</setvar>"))
    };
    assert_eq!(of(&(add("a", "Add", "1") + &add("b", "Subtract", "1"))), Ok("A"));
    // A condition for everyone that does not say that it goes on.
    assert_eq!(
        of(&(condition("<other/>", "<displayfeedback linkrefid=\"general_fb\"/>") + &condition(&equal("b"), set))),
        Ok("B")
    );
    // Other variables count nothing.
    let other = condition(&equal("a"), "<setvar varname=\"tries\" action=\"Set\">100</setvar>");
    assert_eq!(of(&other), Err("no option is right".to_owned()));
    assert_eq!(of(""), Err("no option is right".to_owned()));
    assert_eq!(of(&condition(&equal("nobody"), set)), Err("no option is right".to_owned()));
    for broken in ["NaN", "inf", "1e999", "many", ""] {
        assert_eq!(of(&points(&[("a", broken)])), Err("no option is right".to_owned()), "{broken}");
    }
    assert_eq!(
        of(&points(&[("a", "100"), ("b", "50")])),
        Err("2 options give points: only one may be right".to_owned())
    );
    assert_eq!(
        of(&points(&[("a", "100"), ("c", "100")])),
        Err("2 options give points: only one may be right".to_owned())
    );
}

#[test]
fn a_key_that_depends_on_how_conditions_are_read_is_refused() {
    let condition = |option: &str, rest: &str| {
        format!(
            "<respcondition><conditionvar><varequal respident=\"response1\">{option}</varequal></conditionvar>{rest}</respcondition>"
        )
    };
    let set = |points: &str| format!("<setvar varname=\"SCORE\" action=\"Set\">{points}</setvar>");
    let shows = condition("a", "<displayfeedback linkrefid=\"a_fb\"/>");
    let of_a = condition("a", &set("100"));
    let with = |rest: &str| item("multiple_choice_question", "x", &format!("{shows}{of_a}{rest}"));
    assert_eq!(refused(&with(&condition("b", &set("50")))), "2 options give points: only one may be right");
    assert_eq!(only(&with(&condition("b", &set("0")))).0.answer.letter_or_number(), "A");
}

#[test]
fn the_title_of_a_group_is_cut() {
    let title = ("title".to_owned(), "é".repeat(3_000));
    let group = Node { name: "section".to_owned(), attributes: vec![title], ..Node::default() };
    assert_eq!(scored_item::title_of_group(&group), Some("é".repeat(1_000)));
    assert_eq!(scored_item::title_of_group(&Node::default()), None);
}

#[test]
fn d2l_writes_another_name_for_fields_and_no_namespace() {
    let label = |place: u32, text: &str| {
        format!(
            "<flow_label class=\"Block\"><response_label ident=\"Q_A{place}\"><flow_mat><material><mattext texttype=\"text/html\">{text}</mattext></material></flow_mat></response_label></flow_label>"
        )
    };
    let condition = |place: u32, points: &str| {
        format!(
            "<respcondition title=\"Response Condition{place}\"><conditionvar><varequal respident=\"Q_LID\">Q_A{place}</varequal></conditionvar><setvar action=\"Set\">{points}</setvar><displayfeedback feedbacktype=\"Response\" linkrefid=\"Q_IF{place}\"/></respcondition>"
        )
    };
    let file = format!(
        "<?xml version=\"1.0\"?><questestinterop xmlns:d2l_2p0=\"http://desire2learn.com/xsd/d2lcp_v2p0\"><objectbank ident=\"QLIB\"><section ident=\"S\" title=\"Algebra\"><item ident=\"OBJ_1\" label=\"QUES_1\" d2l_2p0:page=\"1\" title=\"\"><itemmetadata><qtimetadata><qti_metadatafield><fieldlabel>qmd_questiontype</fieldlabel><fieldentry>Multiple Choice</fieldentry></qti_metadatafield></qtimetadata></itemmetadata><itemproc_extension><d2l_2p0:difficulty>1</d2l_2p0:difficulty></itemproc_extension><presentation><flow><material><mattext texttype=\"text/html\">&lt;p&gt;x + 1 = 3&lt;/p&gt;</mattext></material><response_extension><d2l_2p0:display_style>2</d2l_2p0:display_style></response_extension><response_lid ident=\"Q_LID\" rcardinality=\"Multiple\"><render_choice shuffle=\"yes\">{}{}{}{}</render_choice></response_lid></flow></presentation><resprocessing>{}{}{}{}</resprocessing><itemfeedback ident=\"Q_IF2\"><material><mattext texttype=\"text/html\">Take 1 from both sides.</mattext></material></itemfeedback><hint/></item></section></objectbank></questestinterop>",
        label(1, "1"),
        label(2, "2"),
        label(3, "3"),
        label(4, "4"),
        condition(1, "0.0000"),
        condition(2, "100.0000"),
        condition(3, "0.0000"),
        condition(4, "0.0000"),
    );
    let (question, notes) = only(&file);
    assert_eq!(question.question, "x + 1 = 3");
    assert_eq!((question.answer.letter_or_number(), question.explanation.as_str()), ("B", "Take 1 from both sides."));
    assert_eq!(question.topic, "Algebra");
    assert_eq!(notes, Vec::<String>::new());
    let unnamed = file.replace("Multiple Choice", "Logical Identifier").replace("qmd_questiontype", "qmd_itemtype");
    assert_eq!(refused(&unnamed), "several options may be chosen");
    let other = file.replace("Multiple Choice", "Multi-Select");
    assert_eq!(refused(&other), "it is no multiple choice: Multi-Select");
}

#[test]
fn what_is_no_choice_with_one_answer_is_refused_by_name() {
    let whole = item("multiple_choice_question", "x", &points(&[("a", "100")]));
    let response = whole.split_once("<response_lid").unwrap().1.split_once("</response_lid>").unwrap().0;
    let response = format!("<response_lid{response}</response_lid>");
    for (instead, reason) in [
        (String::new(), "it asks for no answer"),
        (response.repeat(2), "it asks for 2 answers, but a question has one"),
        ("<response_str ident=\"r\"><render_fib/></response_str>".to_owned(), "it is no multiple choice: response_str"),
        (
            response.replace("ident=\"b\"", "ident=\"a\""),
            "two of its options have the same identifier, or one has none",
        ),
        (response.replace("ident=\"b\"", ""), "two of its options have the same identifier, or one has none"),
        (
            response.replace("<render_choice>", "<render_choice><material><mataudio uri=\"a.mp3\"/></material>"),
            "it has mataudio, which a question here can't show",
        ),
        (
            response.replace("<mattext texttype=\"text/plain\">1<", "<mattext texttype=\"text/rtf\">1<"),
            "a text of it is in text/rtf, which is not read",
        ),
        (
            response.replace("<mattext texttype=\"text/plain\">1<", "<mattext uri=\"a.txt\"><"),
            "a text of it is in another file",
        ),
    ] {
        assert_eq!(refused(&whole.replace(&response, &instead)), reason);
    }
    assert_eq!(refused(&canvas("<item ident=\"a\"/>")), "it shows nothing");
    let named = |count: usize| {
        let label = |place| {
            format!(
                "<response_label ident=\"n{place}\"><material><mattext>{place}</mattext></material></response_label>"
            )
        };
        let labels: String = (0..count).map(label).collect();
        let start = response.split_once("<render_choice>").unwrap().0;
        whole
            .replace(&response, &format!("{start}<render_choice>{labels}</render_choice></response_lid>"))
            .replace(">a</varequal>", ">n0</varequal>")
    };
    assert_eq!(refused(&named(3)), "it has 3 options, but 4 are needed (or the tag options:3)");
    assert_eq!(refused(&named(5)), "it has 5 options, but 4 are needed");
    assert_eq!(refused(&named(0)), "it has 0 options, but 4 are needed");
    // So many are not even compared.
    let same = |count: usize| named(count).replace("ident=\"n1\"", "ident=\"n0\"");
    assert_eq!(refused(&same(OPTIONS_READ_MAX)), "two of its options have the same identifier, or one has none");
    assert_eq!(refused(&same(OPTIONS_READ_MAX + 1)), "it has 65 options, but 4 are needed");
}

#[test]
fn pictures_stand_in_the_text_or_beside_it() {
    let with = |material: &str| {
        item("multiple_choice_question", "x", &points(&[("a", "100")])).replace(
            "</mattext></material>\n  <response_lid",
            &format!("</mattext>{material}</material>\n  <response_lid"),
        )
    };
    let embedded =
        with("<matimage imagtype=\"image/png\" embedded=\"base64\" label=\"A square\">iVBO\n Rw==</matimage>");
    let (question, _) = only(&embedded);
    assert_eq!(
        (question.image.as_str(), question.image_description.as_str()),
        ("data:image/png;base64,iVBORw==", "A square")
    );
    let (question, _) = only(&with("<matimage uri=\"https://school.example/a.png\"/>"));
    assert_eq!(question.image, "https://school.example/a.png");
    assert_eq!(refused(&with("<matimage uri=\"a.png\"/>")), "the picture a.png is not in the file");
    let two = "<matimage uri=\"https://school.example/a.png\"/>".repeat(2);
    assert_eq!(refused(&with(&two)), "it has more than one picture");
}

#[test]
fn a_rubric_for_students_stands_before_the_question() {
    let with = |view: &str| {
        item("multiple_choice_question", "x", &points(&[("a", "100")])).replace(
            "<presentation>",
            &format!("<rubric view=\"{view}\"><material><mattext>Use no calculator.</mattext></material></rubric><presentation>"),
        )
    };
    assert_eq!(only(&with("Candidate")).0.question, "Use no calculator.\nx");
    assert_eq!(only(&with("All")).0.question, "Use no calculator.\nx");
    let (question, notes) = only(&with("Scorer"));
    assert_eq!(question.question, "x");
    assert!(notes.contains(&"rubrics that are not for students are left out: 1".to_owned()), "{notes:?}");
}
