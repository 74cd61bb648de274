//! Single files of QTI as systems write them, and as nobody should.

mod broken;
mod choice_faults;
mod choices;
mod numbers;
mod scored;
mod scored_faults;

use domain::exchange::foreign::Defaults;
use domain::grade::Grade;
use domain::question::{Difficulty, Question};

use super::*;

/// What became of a file's questions: each as the bank would have it and its notes, or why it is refused.
pub type Outcomes = Vec<Result<(Question, Vec<String>), String>>;

fn defaults() -> Defaults {
    Defaults { grade: Grade::new(5), topic: None, difficulty: Difficulty::new(3) }
}

/// Reads questions with whatever reads them, and makes them ours.
pub fn outcomes_of(read: impl FnOnce(EachQuestion<'_>) -> Result<(), FormatFault>) -> Result<Outcomes, String> {
    let mut outcomes = Vec::new();
    let read = read(&mut |place, question| {
        assert_eq!(place.number as usize, outcomes.len() + 1);
        let drafted = question.and_then(|question| {
            assert_eq!(question.place, place);
            question.draft(&defaults())
        });
        outcomes.push(match drafted {
            Ok(drafted) => {
                let question = drafted.draft.complete(drafted.given, None).map_err(|faults| faults.to_string());
                question.map(|question| (question, drafted.notes))
            }
            Err(refusal) => Err(refusal.to_string()),
        });
        Ok(())
    });
    read.map(|()| outcomes).map_err(|fault| fault.to_string())
}

fn read_text(file: &str) -> Result<Outcomes, String> {
    outcomes_of(|each| read(file.as_bytes(), each))
}

/// The only question of a file, with its notes.
fn only(file: &str) -> (Question, Vec<String>) {
    let mut outcomes = read_text(file).unwrap();
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    outcomes.remove(0).unwrap()
}

/// Why the only question of a file, or the file, is refused.
fn refused(file: &str) -> String {
    match read_text(file) {
        Err(fault) => fault,
        Ok(outcomes) => {
            assert_eq!(outcomes.len(), 1, "{outcomes:?}");
            outcomes.into_iter().next().unwrap().unwrap_err()
        }
    }
}
