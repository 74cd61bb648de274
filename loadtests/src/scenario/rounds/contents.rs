//! Whether what is stored of a test has everything that its student was given a receipt for, and nothing that they have
//! not done. Pure; each fault is a sentence.

use crate::round_student::{SentChange, SetValue, StudentRecord};
use crate::signed_receipts::{ReceiptKeys, ReceiptProof, SignedReceipt};
use std::collections::BTreeMap;

/// A version as the server stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredVersion {
    pub number: u32,
    pub reason: String,
    pub score: i64,
    pub digest: String,
    /// Each question and what was chosen, empty for nothing, from the result.
    pub answers: Vec<(String, String)>,
    pub jws: String,
    /// In a sitting.
    pub proof: Option<ReceiptProof>,
}

/// What is wrong with the versions of a test.
pub fn faults(keys: &ReceiptKeys, student: &StudentRecord, versions: &[StoredVersion]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut opened = Vec::new();
    for (version, number) in versions.iter().zip(1..) {
        if version.number != number {
            faults.push(format!("version {number} is missing"));
        }
        match keys.open(&version.jws).filter(|receipt| receipt.session_id == student.session_id) {
            Some(receipt) => {
                faults.extend(faults_of_version(student, version, &receipt));
                opened.push(receipt);
            }
            None => faults.push(format!("the receipt of version {number} is not signed, or of another test")),
        }
    }
    for given in &student.given {
        let Some(receipt) = keys.open(&given.jws).filter(|receipt| receipt.session_id == student.session_id) else {
            faults.push("a receipt that was handed out is not signed, or of another test".to_owned());
            continue;
        };
        if let Some(number) = receipt.version {
            if !versions.iter().any(|version| version.number == number && version.jws == given.jws) {
                faults.push(format!("the receipt that was handed out at the end is not that of version {number}"));
            }
            continue;
        }
        faults.extend(unsent(student, &receipt, "a receipt that was handed out"));
        faults.extend(below(&receipt, &given.saved, "a receipt that was handed out"));
        if !opened.iter().any(|version| contains(student, version, &receipt)) {
            faults.push(format!("no version contains the receipt that was handed out: {receipt:?}"));
        }
    }
    match opened.last() {
        Some(newest) => faults.extend(lacking_in_the_end(student, newest)),
        None => faults.push("nothing is stored".to_owned()),
    }
    faults.into_iter().map(|fault| format!("{}: {fault}", student.session_id)).collect()
}

fn faults_of_version(student: &StudentRecord, version: &StoredVersion, receipt: &SignedReceipt) -> Vec<String> {
    let name = format!("version {} ({})", version.number, version.reason);
    let mut faults = unsent(student, receipt, &name);
    if receipt.version != Some(version.number) {
        faults.push(format!("the receipt of {name} is of {:?}", receipt.version));
    }
    let signed: Vec<(String, String)> =
        receipt.answers.iter().map(|(id, choice, _)| (id.clone(), choice.clone().unwrap_or_default())).collect();
    if signed != version.answers {
        faults.push(format!("the receipt of {name} has other answers than its result"));
    }
    faults
}

/// Values of a receipt that the student has never set.
fn unsent(student: &StudentRecord, receipt: &SignedReceipt, name: &str) -> Vec<String> {
    let mut faults = Vec::new();
    // A receipt that is made once the test has gone on has no numbers, which would be those of the later run.
    let is_without_numbers = receipt.version.is_some() && receipt.answers.iter().all(|(_, _, seq)| *seq == 0);
    for (id, choice, seq) in &receipt.answers {
        let was_sent = match student.sent.get(seq) {
            Some(SentChange { question, value: SetValue::Choice(sent) }) => {
                question == id && sent.map(String::from) == *choice
            }
            Some(_) => false,
            None => *seq == 0 && (choice.is_none() || is_without_numbers && was_chosen(student, id, choice)),
        };
        if !was_sent {
            faults.push(format!("{name} has {choice:?} by command {seq} for {id}, which was not sent so"));
        }
    }
    for (id, hash) in &receipt.drawings {
        if drawn_by(student, id, hash).is_none() {
            faults.push(format!("{name} has a drawing for {id} that was not sent"));
        }
    }
    faults
}

/// Whether the student has ever chosen this.
fn was_chosen(student: &StudentRecord, id: &str, choice: &Option<String>) -> bool {
    let is_it = |sent: &SentChange| match &sent.value {
        SetValue::Choice(sent_choice) => sent.question == id && sent_choice.map(String::from) == *choice,
        SetValue::Drawing(_) => false,
    };
    student.sent.values().any(is_it)
}

/// Questions of which a receipt lacks what was known to be saved.
fn below(receipt: &SignedReceipt, known: &BTreeMap<String, u64>, name: &str) -> Vec<String> {
    let lacks = |(id, _, seq): &&(String, Option<String>, u64)| known.get(id).is_some_and(|known| known > seq);
    let lacking = receipt.answers.iter().filter(lacks);
    lacking
        .map(|(id, _, seq)| format!("{name} has command {seq} for {id}, and {:?} was saved", known.get(id)))
        .collect()
}

/// What the newest version lacks of all that counts in the end.
fn lacking_in_the_end(student: &StudentRecord, newest: &SignedReceipt) -> Vec<String> {
    const NAME: &str = "the newest version";
    let in_time = || student.saved.iter().copied();
    if !student.is_late_accepted {
        return below(newest, &student.highest_choices(in_time()), NAME);
    }
    let all = student.highest_choices(in_time().chain(student.late.iter().copied()));
    // A decision that changes nothing makes no version (`docs/decisions/0072-late-work.md`). So where all that came
    // late was chosen before, the newest version is one without it, and names the earlier commands.
    let counted = if is_same_work(student, newest, &all) { student.highest_choices(in_time()) } else { all };
    below(newest, &counted, NAME)
}

/// Whether late work has no drawing, and each question of a version the choice that the commands with these numbers
/// have set.
fn is_same_work(student: &StudentRecord, version: &SignedReceipt, highest: &BTreeMap<String, u64>) -> bool {
    let is_drawn = |number: &u64| student.sent.get(number).is_some_and(SentChange::is_drawing);
    let is_as_set = |(id, choice, _): &(String, Option<String>, u64)| {
        let set = match highest.get(id).and_then(|number| student.sent.get(number)) {
            Some(SentChange { value: SetValue::Choice(set), .. }) => set.map(String::from),
            _ => None,
        };
        set == *choice
    };
    !student.late.iter().any(is_drawn) && version.answers.iter().all(is_as_set)
}

/// Whether a version has everything that a receipt has, or what the student has set later.
fn contains(student: &StudentRecord, version: &SignedReceipt, receipt: &SignedReceipt) -> bool {
    let chosen = |(id, choice, seq): &(String, Option<String>, u64)| {
        let found = version.answers.iter().find(|(known, ..)| known == id);
        found.is_some_and(|(_, now, at)| at > seq || at == seq && now == choice)
    };
    let drawn = |(id, hash): &(String, String)| {
        let found = version.drawings.iter().find(|(known, _)| known == id);
        found.is_some_and(|(_, now)| drawn_by(student, id, now) >= drawn_by(student, id, hash))
    };
    receipt.answers.iter().all(chosen) && receipt.drawings.iter().all(drawn)
}

/// The number of the command that has set a drawing.
fn drawn_by(student: &StudentRecord, id: &str, hash: &str) -> Option<u64> {
    let is_it = |(_, sent): &(&u64, &SentChange)| {
        sent.question == id && matches!(&sent.value, SetValue::Drawing(drawn) if drawn == hash)
    };
    student.sent.iter().find(is_it).map(|(seq, _)| *seq)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn student() -> StudentRecord {
        let sent = |question: &str, value| SentChange { question: question.to_owned(), value };
        let changes = [
            (1, sent("a", SetValue::Choice(Some('B')))),
            (2, sent("a", SetValue::Choice(None))),
            (3, sent("b", SetValue::Drawing("x".to_owned()))),
            (4, sent("b", SetValue::Drawing("y".to_owned()))),
        ];
        StudentRecord { sent: changes.into(), saved: [1, 2, 3, 4].into(), ..StudentRecord::default() }
    }

    fn receipt(choice: Option<&str>, seq: u64, hash: &str) -> SignedReceipt {
        SignedReceipt {
            session_id: String::new(),
            version: None,
            answers: vec![("a".to_owned(), choice.map(str::to_owned), seq), ("b".to_owned(), None, 0)],
            drawings: vec![("b".to_owned(), hash.to_owned())],
        }
    }

    #[test]
    fn a_version_contains_what_it_has_and_what_came_before() {
        let (student, first) = (student(), receipt(Some("B"), 1, "x"));
        for (version, expected) in [
            (receipt(Some("B"), 1, "x"), true),
            (receipt(None, 2, "y"), true),
            (receipt(None, 1, "x"), false),
            (receipt(None, 0, "x"), false),
            (receipt(Some("B"), 1, "z"), false),
            (SignedReceipt { drawings: Vec::new(), ..receipt(Some("B"), 1, "x") }, false),
            (SignedReceipt { answers: Vec::new(), ..receipt(Some("B"), 1, "x") }, false),
        ] {
            assert_eq!(contains(&student, &version, &first), expected, "{version:?}");
        }
        assert!(!contains(&student, &first, &receipt(Some("B"), 1, "y")), "an older drawing");
    }

    #[test]
    fn values_that_were_not_sent_are_named() {
        let student = student();
        assert_eq!(unsent(&student, &receipt(None, 2, "y"), "it"), Vec::<String>::new());
        for wrong in [receipt(Some("C"), 1, "x"), receipt(Some("B"), 0, "x"), receipt(Some("B"), 1, "z")] {
            assert_eq!(unsent(&student, &wrong, "it").len(), 1, "{wrong:?}");
        }
        assert_eq!(unsent(&student, &receipt(Some("B"), 3, "x"), "it").len(), 1, "a drawing is no choice");
        let of_version = |choice| SignedReceipt { version: Some(1), ..receipt(Some(choice), 0, "x") };
        assert!(unsent(&student, &of_version("B"), "it").is_empty(), "made later, without numbers");
        assert_eq!(unsent(&student, &of_version("C"), "it").len(), 1, "never chosen");
    }

    /// A student whose second and third commands came late and were accepted.
    fn late_student(second: Option<char>, third: SetValue) -> StudentRecord {
        let sent = |value| SentChange { question: "a".to_owned(), value };
        let first = SetValue::Choice(Some('B'));
        let changes = [(1, sent(first)), (2, sent(SetValue::Choice(second))), (3, sent(third))];
        let (saved, late) = ([1].into(), [2, 3].into());
        StudentRecord { sent: changes.into(), saved, late, is_late_accepted: true, ..StudentRecord::default() }
    }

    #[test]
    fn accepted_work_may_be_missing_only_if_it_changes_nothing() {
        let newest = receipt(Some("B"), 1, "x");
        for (second, third, faults) in [
            (Some('C'), SetValue::Choice(Some('B')), 0),
            (None, SetValue::Choice(Some('B')), 0),
            (Some('B'), SetValue::Choice(Some('C')), 1),
            (Some('B'), SetValue::Choice(None), 1),
            (Some('B'), SetValue::Drawing("z".to_owned()), 1),
        ] {
            let student = late_student(second, third);
            assert_eq!(lacking_in_the_end(&student, &newest).len(), faults, "{:?}", student.sent);
            let declined = StudentRecord { is_late_accepted: false, ..student };
            assert!(lacking_in_the_end(&declined, &newest).is_empty());
        }
        let student = late_student(Some('B'), SetValue::Choice(Some('C')));
        assert!(lacking_in_the_end(&student, &receipt(Some("C"), 3, "x")).is_empty());
        let student = late_student(Some('C'), SetValue::Choice(Some('B')));
        let saved = StudentRecord { saved: [1, 2].into(), late: [3].into(), ..student };
        assert_eq!(lacking_in_the_end(&saved, &newest).len(), 1, "what was saved in time is never missing");
    }

    #[test]
    fn what_was_saved_may_not_be_missing() {
        let student = student();
        let known = student.highest_choices([1, 2, 3]);
        assert_eq!(known, [("a".to_owned(), 2)].into());
        assert_eq!(below(&receipt(Some("B"), 1, "x"), &known, "it").len(), 1);
        assert!(below(&receipt(None, 2, "x"), &known, "it").is_empty());
    }
}
