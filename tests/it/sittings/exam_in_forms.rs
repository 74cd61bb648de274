//! Exams in forms, and with options in an order of one's own: what students see is what they press, and everything that
//! the server tells of it has the letters of the bank, as a second implementation finds.

mod exam;
mod hostile;
mod restart;
mod seats;
mod student;
mod told;
mod unchanged;

use exam::{Exam, Kind};
use told::Results;

/// Students of the other exams.
const FEW: usize = 44;

/// An exam of this kind, compared on every road.
async fn assert_exam(kind: Kind, count: usize) {
    let exam = Exam::sit(kind, count).await;
    let results = Results::read(&exam).await;
    told::assert_papers(&exam);
    told::assert_forms(&exam, &results).await;
    told::assert_results(&exam, &results, "before");
    told::assert_statistics(&exam, &results).await;
    told::assert_sessions(&exam).await;
    told::assert_on_paper(&exam).await;
    told::assert_corrected(&exam).await;
    told::assert_bank(&exam).await;
}

// By its nature longer than a second: three hundred students come, work and hand in. Some twelve seconds on one core.
#[tokio::test]
async fn three_hundred_students_in_four_forms() {
    assert_exam(Kind { forms: 4, has_parallel: true, is_shuffled: false }, 300).await;
}

// The others take about two seconds each.
#[tokio::test]
async fn the_same_questions_in_four_forms() {
    assert_exam(Kind { forms: 4, has_parallel: false, is_shuffled: false }, FEW).await;
}

#[tokio::test]
async fn four_forms_and_an_order_for_each_student() {
    assert_exam(Kind { forms: 4, has_parallel: true, is_shuffled: true }, FEW).await;
}

#[tokio::test]
async fn an_order_for_each_student_of_one_form() {
    assert_exam(Kind { forms: 1, has_parallel: false, is_shuffled: true }, FEW).await;
}

#[tokio::test]
async fn two_forms_without_parallel_questions_and_an_order_for_each_student() {
    assert_exam(Kind { forms: 2, has_parallel: false, is_shuffled: true }, FEW).await;
}
