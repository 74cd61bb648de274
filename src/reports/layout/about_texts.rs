//! Sentences about the texts of a report's questions: whether they are those that were asked, and what the bank and
//! other exams have to do with that.

use chrono_tz::Tz;
use domain::session::TextState;

use super::wording;
use crate::reports::asked::AskedPaper;
use crate::store::embargo::WithheldPart;

/// What is said about the texts, in the order in which it matters.
pub(super) fn sentences(question_ids: &[&str], asked: &AskedPaper, zone: Tz) -> Vec<String> {
    let numbers = |state: TextState| {
        let is_so = |id: &str| asked.questions.get(id).is_some_and(|one| one.state == state);
        let numbered = (1..).zip(question_ids).filter(|(_, id)| is_so(id));
        numbered.map(|(number, _)| number).collect::<Vec<usize>>()
    };
    let said = |state: TextState, sentence: fn(&str) -> String| {
        let numbers = numbers(state);
        (!numbers.is_empty()).then(|| sentence(&listed(&numbers)))
    };
    let are_kept = numbers(TextState::OfBank).is_empty() && numbers(TextState::Replaced).is_empty();
    let whole = match are_kept {
        true => "Questions are shown as they were asked.",
        false => "Questions are shown as they are in the bank today, where the test did not keep what was asked.",
    };
    [
        asked.withheld.map(|part| withheld(part, zone)),
        Some(whole.to_owned()).filter(|_| !asked.questions.is_empty()),
        said(TextState::Changed, |numbers| format!("The bank has changed {numbers} since the test.")),
        said(TextState::Removed, |numbers| format!("The bank no longer has {numbers}.")),
        said(TextState::Replaced, |numbers| {
            format!("The bank has changed {numbers} since the test, and what was asked was not kept.")
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn withheld(part: WithheldPart, zone: Tz) -> String {
    let (questions, texts) = match part.questions {
        1 => ("one question".to_owned(), "its text"),
        count => (format!("{count} questions"), "their texts"),
    };
    let when = match part.until {
        Some(until) => format!("on {}, or soon after", wording::day_and_time(until, zone)),
        None => "as soon as the results of that class are released".to_owned(),
    };
    format!(
        "This report is not whole yet: another class is still to write {questions} of this test. It shows {texts} {when}. \
         Until then it does not say which answers were right."
    )
}

/// `question 3`, `questions 3 and 5`, `questions 3, 5 and 7`.
fn listed(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match texts.split_last() {
        Some((last, [])) => format!("question {last}"),
        Some((last, before)) => format!("questions {} and {last}", before.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use domain::time::moment::Moment;

    use super::*;

    #[test]
    fn numbers_are_listed_as_people_say_them() {
        assert_eq!(listed(&[3]), "question 3");
        assert_eq!(listed(&[3, 5]), "questions 3 and 5");
        assert_eq!(listed(&[3, 5, 7]), "questions 3, 5 and 7");
    }

    #[test]
    fn a_report_that_is_not_whole_says_when_it_will_be() {
        let told = |questions, until: Option<&str>| {
            let withheld = Some(WithheldPart { questions, until: until.and_then(Moment::parse) });
            sentences(&[], &AskedPaper { questions: HashMap::new(), withheld }, Tz::Asia__Ho_Chi_Minh).remove(0)
        };
        let one = told(1, None);
        assert!(one.contains("write one question of this test. It shows its text as soon as the results"), "{one}");
        let two = told(2, Some("2026-01-05T09:00:00Z"));
        assert!(two.contains("It shows their texts on 5 January 2026, 16:00 UTC+07, or soon after."), "{two}");
    }
}
