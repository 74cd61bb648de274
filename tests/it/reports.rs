//! Reports: the questions on their page, and PDF files, checked by other programs that read and render PDF.

mod asked;
mod stages;

#[path = "reports"]
mod edge {
    use super::*;

    mod load;
    mod paper;
    mod pixels;
    pub(super) mod words;
}

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::hall::{Answer, Bank, Caller, Hall};

/// Points of A4 across.
const WIDTH: f64 = 595.28;
/// Points of A4 down.
const HEIGHT: f64 = 841.89;

/// A report, stored as a file for other programs to read.
pub struct Report {
    answer: Answer,
    session_id: String,
    folder: TempDir,
}

impl Report {
    /// Stores a test and asks for its report.
    async fn of(caller: &Caller, body: &Value) -> Self {
        let created = caller.post_json("/api/sessions", body).await;
        assert_eq!(created.status, 200, "{}", created.text());
        Self::of_session(caller, created.json()["sessionId"].as_str().unwrap()).await
    }

    pub async fn of_session(caller: &Caller, session_id: &str) -> Self {
        Self::in_language(caller, session_id, "").await
    }

    /// With this query, such as `?language=vi`.
    async fn in_language(caller: &Caller, session_id: &str, query: &str) -> Self {
        let answer = caller.get(&format!("/api/report/{session_id}/pdf{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("report.pdf"), &answer.body).unwrap();
        let report = Self { answer, session_id: session_id.to_owned(), folder };
        report.run("qpdf", &["--check", "report.pdf"]);
        report
    }

    /// The output of a program that reads it; the program must not report an error.
    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).current_dir(self.folder.path()).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}; scripts/test installs it"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{program} {arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Its text, line by line as it is laid out; blanks in a row are one.
    pub fn text(&self) -> String {
        let text = self.run("pdftotext", &["-layout", "report.pdf", "-"]);
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("\n")
    }

    fn parsed(&self) -> lopdf::Document {
        lopdf::Document::load_mem(&self.answer.body).unwrap()
    }

    fn pages(&self) -> usize {
        self.parsed().get_pages().len()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// A test of the first questions of a bank: every third answer is wrong, every seventh is missing.
fn test(bank: &Bank, questions: usize, annotations: impl Into<Value>) -> Value {
    let annotations = annotations.into();
    let ids = bank.ids();
    let lines: Vec<Value> = ids[..questions].iter().enumerate().map(|(index, id)| line(bank, index, id)).collect();
    json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example", "annotations": annotations,
        "result": {
            "score": 500, "correctAnswers": 0, "totalQuestions": questions, "timeTaken": 2052,
            "topicBreakdown": [], "difficultyBreakdown": [], "answers": lines,
        },
    })
}

fn line(bank: &Bank, index: usize, id: &str) -> Value {
    let selected = match index {
        index if index % 7 == 6 => "",
        index if index % 3 == 2 => bank.wrong(id),
        _ => bank.key(id),
    };
    json!({ "questionId": id, "selected": selected, "correct": bank.key(id), "isCorrect": false, "timeTaken": 60 + index })
}

/// The same drawing for each of these questions.
fn drawings(ids: &[String]) -> Value {
    let curve: Vec<Value> = (0..200).map(|step| json!([step, 50.0 + 40.0 * (f64::from(step) / 9.0).sin()])).collect();
    let drawing = json!({ "width": 300, "height": 160, "strokes": [{ "points": curve, "color": "#c00", "width": 4 }], "unknown": [1] });
    Value::Object(ids.iter().map(|id| (id.clone(), drawing.clone())).collect::<Map<_, _>>())
}

async fn open() -> (Hall, Bank) {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    (hall, bank)
}

mod either_provider {
    use super::*;

    #[tokio::test]
    async fn the_questions_are_explained_after_submission_even_where_banks_keep_their_keys() {
        let hall = Hall::with(&[("PUBLIC_ANSWERS", "false")]).await;
        let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
        let caller = hall.anonymous();
        let path = format!("/api/report/{}/questions", candidate.session_id);
        caller.get(&path).await.assert_error(404, "Session not found");
        candidate.submit().await;
        let answer = caller.get(&path).await;
        assert_eq!(
            (answer.status, answer.header("cache-control"), answer.header("x-robots-tag")),
            (200, "no-store", "noindex")
        );
        let shown = answer.json()["questions"].as_array().unwrap().clone();
        let ids: Vec<&str> = shown.iter().map(|question| question["id"].as_str().unwrap()).collect();
        assert_eq!(ids, candidate.paper, "those of the test, in its order");
        assert!(
        shown
            .iter()
            .all(|question| question["answer"].is_string() && !question["explanation"].as_str().unwrap().is_empty())
    );
    }
}
