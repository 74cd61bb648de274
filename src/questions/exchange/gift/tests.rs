//! Files of GIFT as their authors write them, good and bad.

use domain::exchange::QuestionRows;
use domain::exchange::foreign::Defaults;
use domain::grade::Grade;
use domain::question::{Difficulty, Question};

use super::*;

fn read_all(gift: &str) -> (Vec<Question>, Vec<String>) {
    let defaults = Defaults { grade: Grade::new(5), topic: None, difficulty: Difficulty::new(2) };
    let mut rows = QuestionRows::default();
    read(gift, &mut |place, question| {
        rows.take_item(place, question.and_then(|question| question.draft(&defaults)));
        Ok(())
    })
    .unwrap();
    for row in rows.take_waiting() {
        rows.complete(row, None);
    }
    (std::mem::take(&mut rows.questions), rows.into_errors())
}

#[test]
fn a_question_is_read_with_all_that_it_says() {
    let (questions, errors) = read_all(
        "// a comment\n$CATEGORY: $course$/top/Sums\n\n\
         // [id:s\\]1] [tag:grade:7] [tag:subtopic:With %5Bbrackets%5D]\n\
         ::Sum\\: one::[html]What is <b>\\\\(1 + 1\\\\)</b>?{\n\
         =2#Right.\n~%-50%3 # No.\n~[plain]<4>\n~5\\=five\n####Count\\: it.\n}\n\n\
         The sum of 1 and 1 is {~1 =2 ~3 ~4}, is it not?\n",
    );
    assert_eq!(errors, Vec::<String>::new());
    let [first, second] = questions.as_slice() else { panic!("{questions:?}") };
    assert_eq!((first.id.as_str(), first.grade.number(), first.topic.as_str()), ("s]1", 7, "Sums"));
    assert_eq!((first.question.as_str(), first.subtopic.as_str()), ("What is $1 + 1$?", "With [brackets]"));
    assert_eq!(first.options, ["2", "3", "<4>", "5=five"]);
    assert_eq!((first.answer.letter_or_number(), first.explanation.as_str()), ("A", "Count: it."));
    assert_eq!(second.question, "The sum of 1 and 1 is _____, is it not?");
    assert_eq!((second.answer.letter_or_number(), second.grade.number()), ("B", 5));
}

#[test]
fn numbers_are_read_with_their_tolerance() {
    let numbers = |gift: &str| {
        let (questions, errors) = read_all(gift);
        assert_eq!(errors, Vec::<String>::new(), "{gift}");
        let question = questions.into_iter().next().unwrap();
        assert!(question.is_number() && question.options.is_empty(), "{gift}");
        let key = question.answer.number().unwrap().clone();
        (key.answer, key.tolerance, question.explanation)
    };
    for (gift, answer, tolerance, explanation) in [
        ("Q{#3}", "3", "0", ""),
        ("Q{#-0.5:0.1}", "-0.5", "0.1", ""),
        ("Q{#1..5}", "3", "2", ""),
        ("Q{# 0.1 .. 0.2 #Right.}", "0.15", "0.05", "Right."),
        ("Q{#=3:0.5#Yes. =%0%4#Nearly. ~#No. ####Count\\: it.}", "3", "0.5", "Count: it."),
        ("Q{#=3 =3.0}", "3", "0", ""),
        ("Q{=7}", "7", "0", ""),
        ("Q{=%100%0.5#Half. =.5}", "0.5", "0", "Half."),
    ] {
        assert_eq!(numbers(gift), (answer.to_owned(), tolerance.to_owned(), explanation.to_owned()), "{gift}");
    }
    assert_eq!(read_all("Q{=0.5 =a half}").1, ["Line 1: it is no multiple choice: a short answer"]);
    let notes = notes_of("Q{#=3#Yes. =%0%4#Nearly. ~#No. ####All.}");
    assert_eq!(notes, ["Line 1: feedback to wrong answers is left out; feedback to 1 options is left out"]);
}

/// What an import of the file says that it left out.
fn notes_of(gift: &str) -> Vec<String> {
    let defaults = Defaults { grade: Grade::new(5), topic: None, difficulty: Difficulty::new(2) };
    let mut rows = QuestionRows::default();
    read(gift, &mut |place, question| {
        rows.take_item(place, question.and_then(|question| question.draft(&defaults)));
        Ok(())
    })
    .unwrap();
    std::mem::take(&mut rows.notes)
}

#[test]
fn line_breaks_are_those_of_the_format() {
    let (questions, errors) =
        read_all("a\\nb\nc{=1 ~2 ~3 ~4}\n\n[html]a\nb<br>c{=1 ~2 ~3 ~4}\n\n[plain]a\\nb <i>{=1 ~2 ~3 ~4}");
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(
        questions.iter().map(|one| one.question.as_str()).collect::<Vec<_>>(),
        ["a\nb\nc", "a b\nc", "a\nb <i>"]
    );
}

#[test]
fn each_fault_refuses_its_question_alone() {
    let braces = "a brace of a formula is not escaped: write \\{ and \\}, as in \\frac\\{1\\}\\{2\\}";
    let equals = "an = within an option begins another one: write \\=";
    for (gift, expected) in [
        ("Q{T}", "it is no multiple choice: true or false"),
        ("Q{FALSE#no#yes}", "it is no multiple choice: true or false"),
        ("Q{}", "it is no multiple choice: an essay"),
        ("Q{=a =b}", "it is no multiple choice: a short answer"),
        ("Q{=a -> b =c -> d}", "it is no multiple choice: matching"),
        ("Q{#x}", "answer must be a number in digits, such as 12, -3 or 0.5"),
        ("Q{#}", "no option is right"),
        ("Q{#5..1}", "5..1 is no range of numbers"),
        ("Q{#=5:-1}", "tolerance must be a number in digits that is not negative"),
        ("Q{#=5 =6}", "2 options give points: only one may be right"),
        ("Q{#=%50%5}", "its best option gives only 50 % of the points"),
        ("Q{=5 =6}", "2 options give points: only one may be right"),
        ("Only a text", "it is no multiple choice: it has no answers in braces"),
        ("Q{=1 ~2 ~3 ~4", "a brace is opened and not closed, or the other way round"),
        ("Q}=1 ~2{", "a brace is opened and not closed, or the other way round"),
        ("Q{=1 ~2 ~3}", "it has 3 options, but 4 are needed (or the tag options:3)"),
        ("Q{=1 ~2}", "it has 2 options, but 4 are needed (or the tag options:2)"),
        ("Q{=1 ~2 ~3 ~4 ~5}", "it has 5 options, but 4 are needed"),
        ("Q{~1 ~2 ~3 ~4}", "no option is right"),
        ("Q{~%50%1 ~%50%2 ~3 ~4}", "2 options give points: only one may be right"),
        ("Q{=1 =2 ~3 ~4}", "2 options give points: only one may be right"),
        ("Q{~%90%1 ~2 ~3 ~4}", "its best option gives only 90 % of the points"),
        ("Q{=1 ~%30%2 ~3 ~4}", "2 options give points: only one may be right"),
        ("Is \\\\(\\frac{1}{2}\\\\) it?{=1 ~2 ~3 ~4}", braces),
        ("x^{2}?{=1 ~2 ~3 ~4}", braces),
        ("Q{=\\frac{1}{2} ~2 ~3 ~4}", braces),
        ("Q{=1 ~\\sqrt{2} ~3 ~4}", braces),
        ("Q{~x=5 ~x=6 ~x=7 =x=8}", equals),
        ("Q{=x=5 ~2 ~3 ~4}", equals),
        ("1 \\neq 2?{=1 ~2 ~3 ~4}", "\\neq is a line break and \"eq\" in GIFT: write \\\\neq"),
        ("Q{=\\nabla ~2 ~3 ~4}", "\\nabla is a line break and \"abla\" in GIFT: write \\\\nabla"),
        ("\\\\(a \\nu b\\\\){=1 ~2 ~3 ~4}", "\\nu is a line break and \"u\" in GIFT: write \\\\nu"),
        ("$$a \\ne b$${=1 ~2 ~3 ~4}", "\\ne is a line break and \"e\" in GIFT: write \\\\ne"),
        ("[html]<script>x</script>{=1 ~2 ~3 ~4}", "it has a script, which a question here can't show"),
        ("[html]<img src\\='a.png'>{=1 ~2 ~3 ~4}", "the picture a.png is not in the file"),
        ("[html]<table>{=1 ~2 ~3 ~4}", "it has a table, which a question here can't show"),
        ("{=1 ~2 ~3 ~4}", "question required"),
        ("Q{=1 ~1 ~3 ~4}", "optionA and optionB are equal"),
        ("Q{=1 ~ ~3 ~4}", "optionB required"),
        (
            "Q{=1 ~2 ~[html]<img src\\='https\\://a.example/a'> ~4}",
            "option C has a picture: only the question may have one",
        ),
        ("// [tag:grade:12]\nQ{=1 ~2 ~3 ~4}", "tag grade:12: a grade is 1 to 10"),
        ("// [id:good]\nQ{=1 ~2 ~3 ~4}", "id good stands in line 2 already"),
        ("// [tag:grade:4] [tag:grade:5]\nQ{=1 ~2 ~3 ~4}", "it has several tags grade"),
        ("Q\u{7}{=1 ~2 ~3 ~4}", "question has control characters"),
    ] {
        let file = format!("// [id:good]\nGood{{=1 ~2 ~3 ~4}}\n\n{gift}\n\n// [id:last]\nLast{{=1 ~2 ~3 ~4}}\n");
        let (questions, errors) = read_all(&file);
        let line = if gift.starts_with("//") { 5 } else { 4 };
        assert_eq!(errors, [format!("Line {line}: {expected}")], "{gift}");
        assert_eq!(questions.iter().map(|question| question.id.as_str()).collect::<Vec<_>>(), ["good", "last"]);
    }
}

#[test]
fn words_after_a_line_break_are_words() {
    let (questions, errors) = read_all("First line\\nnot the second{=1 ~2 ~3 ~4}\n\n1 \\\\neq 2{=1 ~2 ~3 ~4}");
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(
        questions.iter().map(|one| one.question.as_str()).collect::<Vec<_>>(),
        ["First line\nnot the second", "1 \\neq 2"]
    );
}

#[test]
fn gift_is_told_from_other_texts() {
    for text in ["Q{=1 ~2}", "Q{#1:2}", "Q{# =1..2}", "::N::Q{}", "// c\n\nText\n\nQ{\n=1\n~2\n}"] {
        assert!(is_gift(text), "{text}");
    }
    for text in ["", "grade,question\n5,\"What is $\\frac{1}{2}$?\"", "Dear all,\nno exam today", "fn main() { }"] {
        assert!(!is_gift(text), "{text}");
    }
}

#[test]
fn many_signs_take_no_time() {
    for text in ["~".repeat(2_000_000), "\\n".repeat(1_000_000), "[tag:".repeat(300_000), "\\\\(\\nu".repeat(100_000)] {
        let (questions, _) = read_all(&format!("// {text}\n{text}{{=1 {text}}}"));
        assert!(questions.is_empty());
    }
}

#[test]
fn a_question_may_follow_its_category_at_once() {
    let (questions, errors) = read_all("$CATEGORY: a/Sums\nWhat is 1 + 1?{=2 ~3 ~4 ~5}");
    assert_eq!((questions.len(), errors), (1, Vec::new()));
    assert_eq!(questions.first().unwrap().topic, "Sums");
}
