//! Finds what is secret in an answer, whatever its form.

use std::io::Cursor;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use calamine::{Reader, Xlsx};
use regex::Regex;
use serde_json::{Map, Value};

use super::super::super::entrant::opened;
use super::rule::Kind;
use crate::hall::Answer;

/// Fields by which an object tells whether somebody was right.
const GRADED: [&str; 2] = ["isCorrect", "right"];
/// Fields by which an object that names a question tells its key.
const KEYS: [&str; 3] = ["answer", "correct", "key"];
/// An answer that a report marks as right or wrong, with its points.
static TICKED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[✓✗]\s+\d+/\d+").unwrap());
const SPREADSHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// What is searched for.
pub struct Secrets {
    pub template: String,
    /// Ids of the questions.
    ids: Regex,
    /// Texts of the questions that no other question of the bank has.
    texts: Regex,
    explanations: Regex,
    /// What names the candidate: a line of a table or a printed page with one of these and the score tells it.
    pub names: Vec<String>,
    /// The scores that the candidate has, has had or would have by their late work, as words.
    scores: Option<Regex>,
    /// The sealed paper: whoever gets its key is told the texts.
    pub sealed: Option<Vec<u8>>,
}

impl Secrets {
    /// Of a template with these questions, in a bank of these.
    pub fn of(template: &str, paper: &[Value], bank: &[Value]) -> Self {
        let is_own = |question: &Value| paper.iter().any(|own| own["id"] == question["id"]);
        let others: Vec<&Value> = bank.iter().filter(|question| !is_own(question)).collect();
        let own = |name: &str| -> Vec<&str> {
            let texts = paper.iter().filter(|question| others.iter().all(|other| other[name] != question[name]));
            texts.filter_map(|question| question[name].as_str()).filter(|text| !text.is_empty()).collect()
        };
        let (texts, explanations) = (own("question"), own("explanation"));
        assert!(texts.len() > 1 && explanations.len() > 1, "{texts:?} {explanations:?}");
        let any = |list: &[&str]| list.iter().map(|text| regex::escape(&folded(text))).collect::<Vec<_>>().join("|");
        let ids: Vec<&str> = paper.iter().map(|question| question["id"].as_str().unwrap()).collect();
        Self {
            template: template.to_owned(),
            ids: Regex::new(&format!(r"\b(?:{})\b", any(&ids))).unwrap(),
            texts: Regex::new(&any(&texts)).unwrap(),
            explanations: Regex::new(&any(&explanations)).unwrap(),
            names: Vec::new(),
            scores: None,
            sealed: None,
        }
    }

    /// From now on there are these scores.
    pub fn know_scores(&mut self, scores: &[u64]) {
        let any = scores.iter().map(u64::to_string).collect::<Vec<_>>().join("|");
        assert!(scores.iter().all(|score| (201..800).contains(score)), "{any}: other numbers look like these");
        self.scores = Some(Regex::new(&format!(r"\b(?:{any})\b")).unwrap());
    }

    /// What an answer tells.
    pub fn told_by(&self, answer: &Answer) -> Vec<Kind> {
        let heads = answer.headers.values().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let mut lines: Vec<String> = heads.collect();
        let kind = answer.header("content-type");
        if answer.body.is_empty() {
            return self.told_by_lines(&lines);
        }
        let body = serde_json::from_slice::<Value>(&answer.body).ok();
        match &body {
            Some(json) => return self.told_by_json(json, &lines),
            None if kind == SPREADSHEET => lines.extend(cells(&answer.body)),
            // A printed page is one line: what names the candidate and the score stand apart.
            None if kind == "application/pdf" => {
                let text = printed(&answer.body);
                let mut told = self.told_by_lines(std::slice::from_ref(&text));
                told.extend(TICKED.is_match(&text).then_some(Kind::Keys));
                return told;
            }
            None if kind.starts_with("text/html") => lines.push(answer.text()),
            None => {
                lines.extend(answer.text().lines().map(str::to_owned));
                lines.extend(payload(&answer.text()));
            }
        }
        self.told_by_lines(&lines)
    }

    /// What JSON tells.
    pub fn told_by_json(&self, json: &Value, heads: &[String]) -> Vec<Kind> {
        let mut lines = heads.to_vec();
        texts_of(json, &mut lines);
        let mut told = self.told_by_lines(&lines);
        told.extend(self.graded_by(json));
        told.sort_unstable();
        told.dedup();
        told
    }

    fn told_by_lines(&self, lines: &[String]) -> Vec<Kind> {
        let lines: Vec<String> = lines.iter().map(|line| folded(line)).collect();
        let any = |pattern: &Regex| lines.iter().any(|line| pattern.is_match(line));
        let names = |line: &str| self.names.iter().any(|name| line.contains(name.as_str()));
        let scored = |line: &&String| self.scores.as_ref().is_some_and(|scores| scores.is_match(line));
        [
            (Kind::Template, lines.iter().any(|line| line.contains(&self.template))),
            // A text names its question as well as an id.
            (Kind::Ids, any(&self.ids) || any(&self.texts)),
            (Kind::Texts, any(&self.texts)),
            (Kind::Keys, any(&self.explanations)),
            (Kind::Result, lines.iter().filter(scored).any(|line| names(line))),
        ]
        .into_iter()
        .filter_map(|(kind, is_told)| is_told.then_some(kind))
        .collect()
    }

    /// Keys, orders and results that are not texts of their own: letters beside a question's id, and numbers by their
    /// names.
    fn graded_by(&self, json: &Value) -> Vec<Kind> {
        let mut told = Vec::new();
        match json {
            Value::Array(list) => told.extend(list.iter().flat_map(|item| self.graded_by(item))),
            Value::Object(fields) => {
                told.extend(fields.values().flat_map(|value| self.graded_by(value)));
                let opens = |key: &Value| self.sealed.as_ref().is_some_and(|sealed| opened(sealed, key).is_some());
                if fields.get("keys").is_some_and(|keys| opens(&keys["1"])) {
                    told.push(Kind::Texts);
                }
                let orders = fields.get("optionOrder").and_then(Value::as_object);
                if orders.is_some_and(|orders| orders.keys().any(|id| self.ids.is_match(id))) {
                    told.push(Kind::Orders);
                }
                let names_question = ["id", "questionId"].iter().any(|name| self.is_question(fields.get(*name)));
                let is_letter =
                    |name: &&str| fields.get(*name).and_then(Value::as_str).is_some_and(|key| key.len() == 1);
                let is_right = fields.get("isCorrect") == Some(&Value::Bool(true)) && is_letter(&"selected");
                if names_question && (is_right || KEYS.iter().any(is_letter) || is_corrected(fields)) {
                    told.push(Kind::Keys);
                }
                let is_document = ["openapi", "asyncapi"].iter().any(|name| fields.contains_key(*name));
                if is_document {
                    // Its examples are graded.
                    return Vec::new();
                }
                if fields.get("score").is_some_and(is_score) || names_question && has_graded(fields) {
                    told.push(Kind::Result);
                }
            }
            _ => {}
        }
        told
    }

    fn is_question(&self, id: Option<&Value>) -> bool {
        id.and_then(Value::as_str).is_some_and(|id| self.ids.is_match(id))
    }
}

/// Whether it is a score, or what becomes of one.
fn is_score(value: &Value) -> bool {
    value.is_number() || ["before", "after"].iter().any(|name| value[*name].is_number())
}

/// Whether an answer, or a correction itself, names the options that a corrected key has made right.
fn is_corrected(fields: &Map<String, Value>) -> bool {
    let has_any = |name: &str| fields.get(name).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    has_any("alsoCorrect") || fields.contains_key("nobodyLoses") && has_any("options")
}

fn has_graded(fields: &Map<String, Value>) -> bool {
    GRADED.iter().any(|name| fields.get(*name).is_some_and(Value::is_boolean))
}

/// All texts of JSON; fields too, since some are ids.
fn texts_of(json: &Value, texts: &mut Vec<String>) {
    match json {
        Value::String(text) => {
            texts.push(text.clone());
            texts.extend(payload(text));
        }
        Value::Array(list) => list.iter().for_each(|item| texts_of(item, texts)),
        Value::Object(fields) => {
            texts.extend(fields.keys().cloned());
            fields.values().for_each(|value| texts_of(value, texts));
        }
        _ => {}
    }
}

/// What a receipt says, which is written in letters that nobody reads.
fn payload(text: &str) -> Option<String> {
    let mut parts = text.split('.');
    let (Some(header), Some(payload), Some(_), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return None;
    };
    let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    decoded(header).filter(|header| header.starts_with('{')).and_then(|_| decoded(payload))
}

/// With single spaces, as line breaks of printed pages and tables differ.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of all sheets.
fn cells(file: &[u8]) -> Vec<String> {
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file)).unwrap();
    let sheets = book.worksheets();
    let rows = sheets.iter().flat_map(|(_, sheet)| sheet.rows());
    rows.map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")).collect()
}

/// The text of a printed file, which other programs must be able to read.
fn printed(file: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("printed.pdf");
    std::fs::write(&path, file).unwrap();
    let output = Command::new("pdftotext").arg("-raw").arg(&path).arg("-").stderr(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("pdftotext: {error}; scripts/test installs it"));
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}
