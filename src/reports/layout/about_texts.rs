//! Sentences about the texts of a report's questions: whether they are those that were asked, and what the bank and
//! other exams have to do with that.

use chrono_tz::Tz;
use domain::session::TextState;

use super::wording;
use super::words::PaperWords;
use crate::reports::asked::AskedPaper;
use crate::store::embargo::WithheldPart;

/// What is said about the texts, in the order in which it matters.
pub(super) fn sentences(words: PaperWords, question_ids: &[&str], asked: &AskedPaper, zone: Tz) -> Vec<String> {
    let numbers = |state: TextState| {
        let is_so = |id: &str| asked.questions.get(id).is_some_and(|one| one.state == state);
        let numbered = (1..).zip(question_ids).filter(|(_, id)| is_so(id));
        numbered.map(|(number, _)| number).collect::<Vec<usize>>()
    };
    let said = |state: TextState, sentence: fn(PaperWords, &str) -> String| {
        let numbers = numbers(state);
        (!numbers.is_empty()).then(|| sentence(words, &words.numbered_questions(&numbers)))
    };
    let are_kept = numbers(TextState::OfBank).is_empty() && numbers(TextState::Replaced).is_empty();
    let whole = if are_kept { words.as_asked() } else { words.as_in_bank() };
    [
        asked.withheld.map(|part| withheld(words, part, zone)),
        (!asked.questions.is_empty()).then(|| whole.to_owned()),
        said(TextState::Changed, PaperWords::bank_changed),
        said(TextState::Removed, PaperWords::bank_lacks),
        said(TextState::Replaced, PaperWords::bank_replaced),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn withheld(words: PaperWords, part: WithheldPart, zone: Tz) -> String {
    let until = part.until.map(|until| wording::day_and_time(words, until, zone));
    words.withheld(part.questions, until.as_deref())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use domain::school::PageLanguage;
    use domain::time::moment::Moment;

    use super::*;

    #[test]
    fn a_report_that_is_not_whole_says_when_it_will_be() {
        let told_in = |language, questions, until: Option<&str>| {
            let withheld = Some(WithheldPart { questions, until: until.and_then(Moment::parse) });
            let asked = AskedPaper { questions: HashMap::new(), withheld };
            sentences(PaperWords(language), &[], &asked, Tz::Asia__Ho_Chi_Minh).remove(0)
        };
        let told = |questions, until| told_in(PageLanguage::En, questions, until);
        let one = told(1, None);
        assert!(one.contains("write one question of this test. It shows its text as soon as the results"), "{one}");
        let two = told(2, Some("2026-01-05T09:00:00Z"));
        assert!(two.contains("It shows their texts on 5 January 2026, 16:00 UTC+07, or soon after."), "{two}");
        let two = told_in(PageLanguage::Vi, 2, Some("2026-01-05T09:00:00Z"));
        assert!(two.contains("phải làm 2 câu") && two.contains("vào lúc 16:00 ngày 5/1/2026 (UTC+07)"), "{two}");
    }
}
