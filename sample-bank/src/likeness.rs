//! Which questions ask the same in other words, so that no test has both.

use super::QuestionDraft;

/// From how many characters on an answer is seldom the same by chance.
const LONG: usize = 3;
/// How many of the likeliest mistakes two questions share that ask the same.
const SHARED: usize = 2;

/// Whether two questions of one kind ask the same: they have the same answer and the same numbers in any order, or a
/// whole number as the answer that is long, and the same mistakes.
pub(super) fn are_alike(one: &QuestionDraft, other: &QuestionDraft) -> bool {
    let likely = |draft: &QuestionDraft| draft.wrong.iter().take(3).cloned().collect::<Vec<_>>();
    let mistakes = likely(other);
    let shared = likely(one).iter().filter(|mistake| mistakes.contains(mistake)).count();
    let is_whole = one.right.chars().all(|letter| letter.is_ascii_digit() || "−,".contains(letter));
    let digits = one.right.chars().filter(char::is_ascii_digit).count();
    one.right == other.right
        && (numbers(&one.question) == numbers(&other.question) || is_whole && digits >= LONG && shared >= SHARED)
}

/// The numbers of a text with the signs right before them, sorted.
fn numbers(text: &str) -> Vec<&str> {
    let is_of_number = |letter: char| letter.is_ascii_digit() || "−,./:".contains(letter);
    let found = text.split(|letter: char| !is_of_number(letter)).map(|part| part.trim_end_matches([',', '.', ':']));
    let mut numbers: Vec<&str> = found.filter(|part| part.contains(|letter: char| letter.is_ascii_digit())).collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::super::wording::numbers as draft;
    use super::*;

    #[test]
    fn other_words_and_another_order_are_alike() {
        let sum = |question: &str| draft(question.to_owned(), 7, &[6, 1, 8], String::new());
        assert!(are_alike(&sum("What is 3 + 4?"), &sum("What is 4 + 3?")));
        assert!(are_alike(&sum("Mia has 3 pens, and gets 4."), &sum("Kai has 3 cups, and gets 4.")));
        assert!(!are_alike(&sum("What is 3 + 4?"), &sum("What is 5 + 2?")));
        assert!(!are_alike(&sum("What is 10 − 3?"), &sum("What is 10 × (−3)?")));
    }

    #[test]
    fn a_long_answer_with_the_same_mistakes_is_alike() {
        let series = |question: &str, other: i64| draft(question.to_owned(), 235, &[185, other, 470], String::new());
        assert!(are_alike(&series("The 4th is 16", 385), &series("The 3rd is 11", 335)));
        let small = |question: &str| draft(question.to_owned(), 12, &[13, 14, 11], String::new());
        assert!(!are_alike(&small("4 and 9"), &small("6 and 7")));
    }
}
