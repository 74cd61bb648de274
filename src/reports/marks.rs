//! The mark of a result on paper, in the reader's language, with its scale in words. The layout only places it.

use domain::mark::{Hundredths, MarkScale, ResultMark};
use domain::school::PageLanguage;
use domain::session::Session;
use domain::sight::Sight;

/// A mark as a reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkOnPaper {
    /// What stands above it.
    pub heading: &'static str,
    /// The mark itself, such as `7.5`, which is set large.
    pub text: String,
    /// What follows, such as `of 10, pass mark 5 · passed`.
    pub words: String,
}

impl MarkOnPaper {
    /// The mark of a session; `None` without one, and if the reader may not see it.
    #[must_use]
    pub fn of(session: &Session, sight: Sight, language: PageLanguage) -> Option<Self> {
        let (mark, scale) = (session.mark(sight)?, session.told_scale(sight)?);
        let (passed, failed, heading) = match language {
            PageLanguage::En => ("passed", "not passed", "Mark"),
            PageLanguage::Vi => ("đạt", "chưa đạt", "Điểm của trường"),
        };
        let ending = mark.passed.map(|is_passed| format!(" · {}", if is_passed { passed } else { failed }));
        let words = format!("{}{}", scale_words(scale, language), ending.unwrap_or_default());
        Some(Self { heading, text: mark_text(&mark, scale, language), words })
    }
}

/// What the mark was in the version before, as a sentence after that about the score; empty without a mark.
#[must_use]
pub fn mark_before(session: &Session, sight: Sight, before: Option<&ResultMark>, language: PageLanguage) -> String {
    let Some((mark, scale)) = before.zip(session.told_scale(sight)) else { return String::new() };
    let text = mark_text(mark, scale, language);
    match language {
        PageLanguage::En => format!(" The mark was {text} before."),
        PageLanguage::Vi => format!(" Trước đó điểm của trường là {text}."),
    }
}

/// Labels stay as they are; numbers have the decimal sign of the language.
fn mark_text(mark: &ResultMark, scale: &MarkScale, language: PageLanguage) -> String {
    match scale {
        MarkScale::Numbers { .. } => in_language(mark.text.clone(), language),
        MarkScale::Labels { .. } => mark.text.clone(),
    }
}

fn in_language(number: String, language: PageLanguage) -> String {
    match language {
        PageLanguage::En => number,
        PageLanguage::Vi => number.replace('.', ","),
    }
}

/// Where the mark stands: the scale, and what passes.
fn scale_words(scale: &MarkScale, language: PageLanguage) -> String {
    let number = |number: Hundredths| in_language(number.text(0), language);
    let (worst, best, pass) = match scale {
        MarkScale::Numbers { worst, best, pass, .. } => (number(*worst), number(*best), pass.map(number)),
        MarkScale::Labels { labels, pass, .. } => {
            let label = |place: usize| labels.get(place).map(|label| label.label.clone()).unwrap_or_default();
            (label(labels.len().saturating_sub(1)), label(0), pass.clone())
        }
    };
    // From nothing to a number is how most schools count, and needs no more words.
    let is_plain = matches!(scale, MarkScale::Numbers { worst, best, .. } if worst.count() == 0 && best.count() > 0);
    let range = match (language, is_plain) {
        (PageLanguage::En, true) => format!("of {best}"),
        (PageLanguage::En, false) => format!("on a scale from {worst} to {best}, where {best} is the best"),
        (PageLanguage::Vi, true) => format!("trên {best}"),
        (PageLanguage::Vi, false) => format!("trên thang từ {worst} đến {best}, cao nhất là {best}"),
    };
    let pass = pass.map(|pass| match language {
        PageLanguage::En => format!(", pass mark {pass}"),
        PageLanguage::Vi => format!(", mức đạt là {pass}"),
    });
    format!("{range}{}", pass.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_scale_is_told_in_the_reader_s_language() {
        let told = |scale: serde_json::Value, language| scale_words(&MarkScale::read(&scale).unwrap(), language);
        let numbers = |worst: i64, best: i64| {
            let (step, rounding) = (0.5, "nearest");
            json!({
                "type": "numbers", "basis": "percent", "worst": worst, "best": best, "step": step,
                "rounding": rounding, "pass": 4.5,
            })
        };
        assert_eq!(told(numbers(0, 10), PageLanguage::En), "of 10, pass mark 4.5");
        assert_eq!(told(numbers(0, 10), PageLanguage::Vi), "trên 10, mức đạt là 4,5");
        let german = "on a scale from 6 to 1, where 1 is the best, pass mark 4.5";
        assert_eq!(told(numbers(6, 1), PageLanguage::En), german);
        let labels = json!({
            "type": "labels", "basis": "percent",
            "labels": [{ "label": "A", "from": 50 }, { "label": "F", "from": 0 }],
        });
        assert_eq!(told(labels, PageLanguage::En), "on a scale from F to A, where A is the best");
    }

    #[test]
    fn numbers_have_the_sign_of_the_language_and_labels_stay() {
        let mark = ResultMark { text: "7.5".to_owned(), passed: None };
        let of = |kind| {
            let scale = match kind {
                "numbers" => json!({
                    "type": kind, "basis": "percent", "worst": 0, "best": 10, "step": 0.5, "rounding": "up",
                }),
                _ => json!({
                    "type": kind, "basis": "percent",
                    "labels": [{ "label": "7.5", "from": 50 }, { "label": "F", "from": 0 }],
                }),
            };
            mark_text(&mark, &MarkScale::read(&scale).unwrap(), PageLanguage::Vi)
        };
        assert_eq!((of("numbers"), of("labels")), ("7,5".to_owned(), "7.5".to_owned()));
    }
}
