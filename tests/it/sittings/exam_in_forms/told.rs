//! What the server tells of an exam that is over, road by road, beside what the second implementation says.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use super::super::super::reports::Report;
use super::exam::{CORRECTED, Exam, export};
use super::student::{Student, id, orders};
use crate::hall::{Answer, eventually};

const CORRECTIONS: &str = "/api/manager/corrections";
const LETTERS: [&str; 4] = ["A", "B", "C", "D"];
/// The cell of somebody who has left a question open.
const UNANSWERED: &str = "–";
/// Of so many students one is looked at where each costs several requests.
const SAMPLE: usize = 11;

/// The rows of a table by the names of students, as pairs of heading and cell.
type TableRows = BTreeMap<String, Vec<(String, String)>>;

/// The results with every answer, as data and as a table.
pub struct Results {
    data: Value,
    table: TableRows,
}

impl Results {
    pub async fn read(exam: &Exam) -> Self {
        let of = id(&exam.sitting);
        let data = exam.read(&format!("/api/manager/results?sittingId={of}")).await;
        let table = table(exam, &format!("/api/manager/results.csv?sittingId={of}"), "student").await;
        Self { data, table }
    }
}

/// The form is the same wherever it stands, and stands nowhere without forms.
pub async fn assert_forms(exam: &Exam, results: &Results) {
    let (listed, rows) = (exam.candidates().await, by_name(&results.data["rows"], "student"));
    let of_sitting = exam.read(&format!("{}/results", exam.sitting_path())).await;
    let of_sitting: BTreeMap<&str, &Value> = of_sitting["rows"].as_array().unwrap().iter().map(candidate).collect();
    let table_of_sitting = table(exam, &format!("{}/results.csv", exam.sitting_path()), "name").await;
    assert_eq!(exam.on_slips.len(), if exam.kind.has_forms() { exam.students.len() } else { 0 });
    let figures = exam.read(&format!("/api/manager/results/figures?sittingId={}", id(&exam.sitting))).await;
    let are_shuffled = exam.told().any(|(student, _)| !student.orders.is_empty());
    assert_eq!((&figures["forms"], &figures["shuffled"]), (&json!(exam.kind.has_forms()), &json!(are_shuffled)));
    for (place, (student, expected)) in exam.told().enumerate() {
        let name = student.name.as_str();
        let form = expected["form"].as_str();
        let told = [
            ("the first frame", &student.waiting),
            ("the roster", &listed[name]),
            ("proctors", &exam.watched[name]),
            ("the results", rows[name]),
            ("the results of the sitting", of_sitting[name]),
        ];
        for (road, told) in told {
            assert_eq!(form_of(told), form, "{road}: {told}");
        }
        assert_eq!(exam.on_slips.get(place).map(String::as_str), form, "the slip of {name}");
        for table in [&table_of_sitting, &results.table] {
            let cell = table[name].iter().find(|(heading, _)| heading.eq_ignore_ascii_case("form"));
            assert_eq!(cell.map(|(_, cell)| cell.as_str()), form, "{name}: {table:?}");
        }
    }
    let seen: BTreeSet<&str> = exam.facts.students.iter().filter_map(|student| student["form"].as_str()).collect();
    let all: Vec<String> = exam.kind.letters().collect();
    let all: BTreeSet<&str> = all.iter().map(String::as_str).filter(|_| exam.kind.has_forms()).collect();
    assert_eq!(seen, all, "somebody has each form");
}

fn candidate(row: &Value) -> (&str, &Value) {
    (row["candidate"]["name"].as_str().unwrap(), &row["candidate"])
}

fn form_of(told: &Value) -> Option<&str> {
    told.get("form").map(|form| form.as_str().unwrap())
}

/// Each has the paper and the order of their form, and only questions whose options may move have another one.
pub fn assert_papers(exam: &Exam) {
    let plain = exam.template["standardQuestions"].as_array().unwrap();
    let plain: Vec<&str> = plain.iter().map(id).collect();
    let lists = exam.template["formLists"].as_array().cloned().unwrap_or_default();
    assert_eq!(lists.len(), if exam.kind.has_forms() { exam.kind.forms } else { 0 });
    let (mut moved, mut different) = (BTreeSet::new(), BTreeSet::new());
    for (student, expected) in exam.told() {
        let paper: Vec<&str> = student.paper.iter().map(id).collect();
        let form = lists.iter().find(|list| list["form"] == expected["form"]);
        assert_eq!(form.is_some(), exam.kind.has_forms());
        let list =
            form.map(|form| form["questions"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect());
        assert_eq!(paper, list.unwrap_or_else(|| plain.clone()), "{}", student.name);
        if !exam.kind.is_shuffled {
            assert_eq!(student.orders, form.map(orders).unwrap_or_default(), "{}: as in the form", student.name);
        }
        moved.extend(student.orders.keys().map(String::as_str));
        different.insert(&student.orders);
    }
    let asked: BTreeSet<&str> = exam.students.iter().flat_map(|student| &student.paper).map(id).collect();
    let is_free = |question: &&Value| question["type"] != "number" && question["fixedOptions"] != true;
    let free: BTreeSet<&str> = asked.into_iter().map(|id| &exam.bank[id]).filter(is_free).map(id).collect();
    assert!(moved.is_subset(&free), "{:?}", moved.difference(&free));
    assert!(moved.len() * 4 > free.len(), "{moved:?} of {free:?}: many have moved in some form or for somebody");
    let orders = if exam.kind.is_shuffled { exam.students.len() / 2 } else { exam.kind.forms - 1 };
    assert!(different.len() >= orders, "{} orders, at least {orders} expected", different.len());
}

/// Everything that is graded by the key of a question follows it when it is corrected, and back.
pub async fn assert_corrected(exam: &Exam) {
    let body = json!({
        "questionId": CORRECTED, "kind": "key", "options": [exam.facts.corrected], "nobodyLoses": false,
        "scope": { "sittingId": exam.sitting["id"] },
    });
    let made = exam.school.admin.post_json(CORRECTIONS, &body).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let made = followed(exam, &made.json()).await;
    let changed = exam.facts.students.iter().filter(|student| student["before"] != student["after"]).count();
    assert!(changed > 0, "somebody gains or loses by it");
    assert_results(exam, &Results::read(exam).await, "after");
    let request = exam.school.admin.request(Method::DELETE, &format!("{CORRECTIONS}/{}", id(&made)));
    let reverted = Answer::to(request).await;
    assert_eq!(reverted.status, 200, "{}", reverted.text());
    followed(exam, &reverted.json()).await;
    assert_results(exam, &Results::read(exam).await, "before");
}

/// The correction, when all tests have followed.
async fn followed(exam: &Exam, correction: &Value) -> Value {
    eventually("all tests have followed", async || {
        let list = exam.read(CORRECTIONS).await;
        let is_it = |one: &&Value| one["id"] == correction["id"] && one["version"] == correction["version"];
        let found = list["corrections"].as_array().unwrap().iter().find(is_it).cloned()?;
        (found["progress"]["finished"] == true).then_some(found)
    })
    .await
}

/// What each student has answered, and what counts as right: `before` a key is corrected, or `after` that.
pub fn assert_results(exam: &Exam, results: &Results, when: &str) {
    let Results { data, table } = results;
    let (rows, questions) = (by_name(&data["rows"], "student"), data["questions"].as_array().unwrap());
    for (student, expected) in exam.told() {
        let (name, graded) = (student.name.as_str(), &expected[when]);
        let row = rows[name];
        let found = [&row["score"], &row["right"], &row["questions"]];
        assert_eq!(found, [&graded["score"], &graded["right"], &json!(student.paper.len())], "{name}");
        assert_eq!(orders(row), student.orders, "{name}: what stood where");
        let right = graded["isRight"].as_array().unwrap();
        let lines = expected["lines"].as_array().unwrap().iter().zip(right);
        let lines: Vec<Value> =
            lines.map(|(line, right)| json!([line["questionId"], line["selected"], right])).collect();
        let cell = |cell: &Value| {
            let question = &questions[usize::try_from(cell[0].as_u64().unwrap()).unwrap()];
            json!([question["id"], cell[1].as_str().unwrap_or_default(), cell[2] == 1])
        };
        let found: Vec<Value> = row["answers"].as_array().unwrap().iter().map(cell).collect();
        assert_eq!(found, lines, "{name}, in the order of the own paper");
        // The cell of a question is empty where it was not asked.
        let cells = table[name].iter().filter_map(|(heading, cell)| Some((asked_in(heading)?, cell.as_str())));
        let found: BTreeMap<&str, &str> = cells.filter(|(_, cell)| !cell.is_empty()).collect();
        let text = |line: &Value| match line[1].as_str().unwrap() {
            "" => UNANSWERED.to_owned(),
            text => text.to_owned(),
        };
        let texts: BTreeMap<&str, String> = lines.iter().map(|line| (line[0].as_str().unwrap(), text(line))).collect();
        assert_eq!(found, texts.iter().map(|(id, text)| (*id, text.as_str())).collect(), "{name}");
    }
    for question in questions {
        let known = &exam.bank[id(question)];
        let is_corrected = when == "after" && question["id"] == CORRECTED;
        let key = if is_corrected { exam.facts.corrected } else { known["answer"].as_str().unwrap() };
        assert_eq!(question["correct"], key, "{question}");
        for (letter, option) in LETTERS.iter().zip(known["options"].as_array().unwrap()) {
            assert_eq!(&question["options"][*letter], option, "{question}");
        }
    }
}

/// The question of a column, by its heading such as `3: L012 (B)`, or `B3: L012 (B)` where form A does not have it.
fn asked_in(heading: &str) -> Option<&str> {
    let (number, rest) = heading.split_once(": ")?;
    number.trim_start_matches(|letter| ('B'..='H').contains(&letter)).parse::<usize>().ok()?;
    Some(rest.split_once(" (")?.0)
}

/// The numbers of each question, whatever the letters were under which students saw its options.
pub async fn assert_statistics(exam: &Exam, results: &Results) {
    let shown = by_name(&results.data["questions"], "id");
    let figures = exam.read("/api/admin/items?grade=5").await;
    assert_eq!(figures["sessions"], exam.students.len());
    let figures = by_name(&figures["items"], "questionId");
    let expected = exam.facts.items.as_object().unwrap();
    assert_eq!((shown.len(), figures.len()), (expected.len(), expected.len()));
    for (id, expected) in expected {
        let (shown, figures, known) = (shown[id.as_str()], figures[id.as_str()], &exam.bank[id]);
        for name in ["asked", "answered", "right"] {
            assert_eq!(shown[name], expected[name], "{name}: {shown}");
        }
        assert_eq!(figures["attempts"], expected["asked"], "{figures}");
        assert_eq!(figures["gradedBy"][known["answer"].as_str().unwrap()], expected["asked"], "{figures}");
        let count = |share: &Value| (share.as_f64().unwrap() * expected["asked"].as_f64().unwrap()).round();
        assert_eq!(Some(count(&figures["pValue"])), expected["right"].as_f64(), "{figures}");
        if known["type"] == "number" {
            assert_eq!(shown["chosen"], json!({}));
            continue;
        }
        let options = known["options"].as_array().unwrap().len();
        for (place, letter) in LETTERS.into_iter().enumerate() {
            let chosen = expected["chosen"][letter].as_f64();
            assert_eq!(Some(count(&figures["options"][letter])), chosen, "{letter}: {figures}");
            let cell = shown["chosen"].get(letter).map(|count| count.as_f64());
            assert_eq!(cell, (place < options).then_some(chosen), "{letter}: {shown}");
        }
    }
}

/// The stored session, its payload, the receipt and the report of some, as the student and as staff.
pub async fn assert_sessions(exam: &Exam) {
    let anyone = exam.school.hall.anonymous();
    for (student, expected) in exam.told().step_by(SAMPLE) {
        let path = format!("/api/sessions/{}", student.session_id);
        let lines = lines(expected);
        for (who, caller) in [("the student", &anyone), ("staff", &exam.school.admin)] {
            let stored = caller.get(&path).await;
            assert_eq!(stored.status, 200, "{}", stored.text());
            let stored = stored.json();
            assert_eq!(stored["result"]["score"], expected["before"]["score"], "{who}");
            assert_eq!(told_lines(&stored), lines, "{who}, {}", student.name);
            if who == "staff" || stored.get("optionOrder").is_some() {
                assert_eq!(orders(&stored), student.orders, "{who}, {}", student.name);
            }
            if who == "staff" || stored.get("form").is_some() {
                assert_eq!(form_of(&stored), expected["form"].as_str(), "{who}");
            }
            let payload = caller.get(&format!("{path}?payload=1")).await.json();
            assert_eq!(told_lines(&payload), lines);
            assert!(["optionOrder", "form"].iter().all(|name| payload.get(name).is_none()), "as ever: {payload}");
            let report = caller.get(&format!("/api/report/{}/questions", student.session_id)).await.json();
            assert_report(exam, student, expected, &report);
        }
        let jws = exam.school.hall.receipt(&student.caller(), &student.session_id, "").await;
        let content = exam.school.hall.verified(&jws).await;
        let answers = content["answers"].as_array().unwrap().iter();
        let answers: Vec<Value> =
            answers.map(|answer| json!([answer[0], answer[1].as_str().unwrap_or_default()])).collect();
        let pressed: Vec<Value> = lines.iter().map(|line| json!([line[0], line[1]])).collect();
        assert_eq!(answers, pressed, "the receipt of {}", student.name);
    }
}

/// Lines of a result: the question, what was chosen, what is right, and whether it counts.
fn lines(expected: &Value) -> Vec<Value> {
    let right = expected["before"]["isRight"].as_array().unwrap();
    let lines = expected["lines"].as_array().unwrap().iter().zip(right);
    lines.map(|(line, right)| json!([line["questionId"], line["selected"], line["correct"], right])).collect()
}

fn told_lines(session: &Value) -> Vec<Value> {
    let lines = session["result"]["answers"].as_array().unwrap().iter();
    lines.map(|line| json!([line["questionId"], line["selected"], line["correct"], line["isCorrect"]])).collect()
}

/// The report has the letters and options of the bank, with the order that the student saw.
#[track_caller]
fn assert_report(exam: &Exam, student: &Student, expected: &Value, report: &Value) {
    assert_eq!(orders(report), student.orders, "{}", student.name);
    assert_eq!(form_of(report), expected["form"].as_str());
    let questions = report["questions"].as_array().unwrap();
    assert_eq!(questions.len(), student.paper.len());
    for (question, line) in questions.iter().zip(expected["lines"].as_array().unwrap()) {
        let known = &exam.bank[id(question)];
        assert_eq!((&question["id"], &question["options"]), (&line["questionId"], &known["options"]));
        assert_eq!(question["answer"], line["correct"]);
        // By the order that is told, whoever reads the report finds the text that the student pressed.
        let meant = student.meant.get(id(question)).map(String::as_str);
        assert_eq!(line["text"].as_str(), meant, "{}, {question}", student.name);
        if known["type"] != "number" {
            let page = student.page(question);
            let place = page.iter().position(|(own, _)| line["correct"] == own.as_str()).unwrap();
            assert_eq!(line["correctShown"], LETTERS[place]);
        }
    }
}

/// On paper the student finds the letters of their page, and staff those of the master copy beside them.
pub async fn assert_on_paper(exam: &Exam) {
    let (student, expected) = exam.told().max_by_key(|(student, _)| student.orders.len()).unwrap();
    let of_student = Report::of_session(&exam.school.hall.anonymous(), &student.session_id).await.text();
    let of_staff = Report::of_session(&exam.school.admin, &student.session_id).await.text();
    for line in expected["lines"].as_array().unwrap() {
        let Some(shown) = line["shown"].as_str() else { continue };
        let (letter, text) = (line["selected"].as_str().unwrap(), line["text"].as_str().unwrap());
        let in_both = if shown == letter { shown.to_owned() } else { format!("{shown} ({letter})") };
        for (paper, written) in [(&of_student, shown), (&of_staff, in_both.as_str())] {
            assert!(paper.contains(&format!("{written}: {text}")), "{written}: {text}\n{paper}");
        }
    }
    if let Some(form) = expected["form"].as_str() {
        let form = format!("form {}", form.to_lowercase());
        assert!(of_student.to_lowercase().contains(&form), "{of_student}");
    }
}

/// The bank is exported as it was.
pub async fn assert_bank(exam: &Exam) {
    assert!(export(&exam.school).await == exam.exported, "no order of an exam is in the bank");
}

fn by_name<'a>(rows: &'a Value, name: &str) -> BTreeMap<&'a str, &'a Value> {
    rows.as_array().unwrap().iter().map(|row| (row[name].as_str().unwrap(), row)).collect()
}

/// The rows of a table of which this column has the names.
async fn table(exam: &Exam, path: &str, key: &str) -> TableRows {
    let answer = exam.school.admin.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    let text = answer.text();
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(cells);
    let headings = lines.next().unwrap();
    let at = headings.iter().position(|heading| heading == key).unwrap_or_else(|| panic!("{headings:?}"));
    lines.map(|line| (line[at].clone(), headings.iter().cloned().zip(line).collect())).collect()
}

/// The cells of a line of CSV. None of these tables has a line end within a cell.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            other => cells.last_mut().unwrap().push(other),
        }
    }
    cells
}
