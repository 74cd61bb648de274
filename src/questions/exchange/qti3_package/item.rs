//! One question as an item of QTI 3.0, and its picture as a file.

use std::borrow::Cow;

use domain::number::{NO_TOLERANCE, NumberKey};
use domain::question::{Key, Question};
use quick_xml::escape::{escape, partial_escape};
use sha2::{Digest, Sha256};

use crate::questions::exchange::exported_bank::ExportedBank;
use crate::questions::exchange::html::rich_to_html;
use crate::questions::exchange::picture_files::PictureFile;
use crate::questions::exchange::qti::UNIT_CLASS;

/// The beginning of an item, up to its identifier.
const ITEM_START: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<qti-assessment-item xmlns=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0\"",
    " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
    " xsi:schemaLocation=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0",
    " https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd\""
);
const SCORE: &str = concat!(
    "  <qti-outcome-declaration identifier=\"SCORE\" cardinality=\"single\" base-type=\"float\" normal-maximum=\"1\">\n",
    "    <qti-default-value><qti-value>0</qti-value></qti-default-value>\n",
    "  </qti-outcome-declaration>\n"
);
const FEEDBACK: &str =
    "  <qti-outcome-declaration identifier=\"FEEDBACK\" cardinality=\"single\" base-type=\"identifier\"/>\n";
/// The points for the right answer, by the name that all systems know.
const MATCH_CORRECT: &str = concat!(
    "  <qti-response-processing",
    " template=\"https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml\"/>\n"
);
/// What stands around the condition for the points, when it is written out.
const PROCESSING_START: &str =
    "  <qti-response-processing>\n    <qti-response-condition>\n      <qti-response-if>\n        ";
const PROCESSING_END: &str = concat!(
    "\n        <qti-set-outcome-value identifier=\"SCORE\"><qti-base-value base-type=\"float\">1</qti-base-value>",
    "</qti-set-outcome-value>\n      </qti-response-if>\n      <qti-response-else>\n",
    "        <qti-set-outcome-value identifier=\"SCORE\"><qti-base-value base-type=\"float\">0</qti-base-value>",
    "</qti-set-outcome-value>\n      </qti-response-else>\n    </qti-response-condition>\n"
);
const EXPLAIN: &str = concat!(
    "    <qti-set-outcome-value identifier=\"FEEDBACK\"><qti-base-value base-type=\"identifier\">explanation",
    "</qti-base-value></qti-set-outcome-value>\n"
);
/// What is compared.
const COMPARED: &str = "<qti-variable identifier=\"RESPONSE\"/><qti-correct identifier=\"RESPONSE\"/>";
/// About as many characters as an answer that is typed has, by which others make their box as wide.
const EXPECTED: usize = 12;
/// Characters of a question with which its item is called.
const TITLE_CHARACTERS_MAX: usize = 60;
/// Bytes of the digest by which a picture's file is called.
const NAME_BYTES: usize = 12;

/// Writes an item; `picture` is the address of its picture, empty without one.
pub fn item(question: &Question, picture: &str) -> String {
    let mut item = format!(
        "{ITEM_START} identifier=\"{}\" title=\"{}\" adaptive=\"false\" time-dependent=\"false\">\n",
        value(&question.id),
        value(&title(&question.question))
    );
    let kind = if question.is_number() { "float" } else { "identifier" };
    item.push_str(&format!(
        "  <qti-response-declaration identifier=\"RESPONSE\" cardinality=\"single\" base-type=\"{kind}\">\n    \
         <qti-correct-response><qti-value>{}</qti-value></qti-correct-response>\n  </qti-response-declaration>\n",
        question.answer.letter_or_number()
    ));
    item.push_str(SCORE);
    let is_explained = !question.explanation.is_empty();
    item.push_str(if is_explained { FEEDBACK } else { "" });
    item.push_str(&format!("  <qti-item-body>\n    <div>{}</div>\n", content(&question.question)));
    if !picture.is_empty() {
        let description = value(&question.image_description);
        item.push_str(&format!("    <p><img src=\"{}\" alt=\"{description}\"/></p>\n", value(picture)));
    }
    item.push_str(&interaction(question));
    item.push_str("  </qti-item-body>\n");
    item.push_str(&processing(&question.answer, is_explained));
    if is_explained {
        item.push_str(&format!(
            "  <qti-modal-feedback outcome-identifier=\"FEEDBACK\" identifier=\"explanation\" show-hide=\"show\">\n    \
             <qti-content-body>{}</qti-content-body>\n  </qti-modal-feedback>\n",
            content(&question.explanation)
        ));
    }
    item.push_str("</qti-assessment-item>\n");
    item
}

/// What asks for the answer: the options, or a box with the unit behind it.
fn interaction(question: &Question) -> String {
    if let Key::Number(NumberKey { unit, .. }) = &question.answer {
        let unit = if unit.is_empty() {
            String::new()
        } else {
            format!(" <span class=\"{UNIT_CLASS}\">{}</span>", text(unit))
        };
        let entry =
            format!("<qti-text-entry-interaction response-identifier=\"RESPONSE\" expected-length=\"{EXPECTED}\"/>");
        return format!("    <p>{entry}{unit}</p>\n");
    }
    let mut choices = format!(
        "    <qti-choice-interaction response-identifier=\"RESPONSE\" shuffle=\"{}\" max-choices=\"1\">\n",
        !question.fixed_options
    );
    for (option, letter) in question.options.iter().zip(["A", "B", "C", "D"]) {
        let option = content(option);
        choices.push_str(&format!("      <qti-simple-choice identifier=\"{letter}\">{option}</qti-simple-choice>\n"));
    }
    choices.push_str("    </qti-choice-interaction>\n");
    choices
}

/// The points for the right answer, and what shows the explanation.
fn processing(answer: &Key, is_explained: bool) -> String {
    let compared = match answer {
        Key::Choice(_) if !is_explained => return MATCH_CORRECT.to_owned(),
        Key::Choice(_) => format!("<qti-match>{COMPARED}</qti-match>"),
        Key::Number(NumberKey { tolerance, .. }) if tolerance == NO_TOLERANCE => {
            format!("<qti-equal tolerance-mode=\"exact\">{COMPARED}</qti-equal>")
        }
        Key::Number(NumberKey { tolerance, .. }) => {
            format!(
                "<qti-equal tolerance-mode=\"absolute\" tolerance=\"{tolerance} {tolerance}\">{COMPARED}</qti-equal>"
            )
        }
    };
    let explain = if is_explained { EXPLAIN } else { "" };
    format!("{PROCESSING_START}{compared}{PROCESSING_END}{explain}  </qti-response-processing>\n")
}

/// A text of ours as XHTML, in which every tag ends and no entity has a name of its own.
fn content(ours: &str) -> String {
    allowed(&rich_to_html(ours).replace("<br>", "<br/>").replace("&nbsp;", "&#160;"))
}

/// A plain text in XML.
pub fn text(plain: &str) -> String {
    allowed(&partial_escape(plain))
}

/// A value of an attribute, in which line ends would become spaces.
fn value(plain: &str) -> String {
    allowed(&escape(plain)).replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;")
}

/// Without the two characters that XML can't have.
fn allowed(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

fn title(question: &str) -> String {
    let words = question.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(TITLE_CHARACTERS_MAX).collect()
}

/// The picture of a question.
pub enum ItemPicture<'a> {
    /// A file of the package.
    File { path: String, bytes: Cow<'a, [u8]> },
    /// It is elsewhere, or there is none; this is what the question says.
    Address(String),
}

impl<'a> ItemPicture<'a> {
    /// A picture that is stored here, or in its own address, becomes a file if that file gives the same address again.
    /// Any other path of this site means nothing elsewhere, so only the tags have it.
    pub fn of(question: &Question, bank: &'a ExportedBank) -> Self {
        let Some(PictureFile { name, bytes, .. }) = bank.picture_file(question) else {
            let image = &question.image;
            let address = if image.starts_with('/') { "" } else { image.as_str() };
            return Self::Address(address.to_owned());
        };
        let ending = name.rsplit('.').next().unwrap_or_default();
        let digest: String = Sha256::digest(&bytes).iter().take(NAME_BYTES).map(|byte| format!("{byte:02x}")).collect();
        Self::File { path: format!("pictures/{digest}.{ending}"), bytes }
    }

    /// How an item names it, whose folder is `above` the package's.
    pub fn address(&self, above: &str) -> String {
        match self {
            Self::File { path, .. } => format!("{above}{path}"),
            Self::Address(address) => address.clone(),
        }
    }

    pub fn path(&self) -> Option<&str> {
        match self {
            Self::File { path, .. } => Some(path),
            Self::Address(_) => None,
        }
    }

    pub fn into_file(self) -> Option<(String, Cow<'a, [u8]>)> {
        match self {
            Self::File { path, bytes } => Some((path, bytes)),
            Self::Address(_) => None,
        }
    }
}
