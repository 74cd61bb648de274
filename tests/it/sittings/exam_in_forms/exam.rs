//! An exam in forms: its template, two halls with seats, everybody's way from the slip to the end, and what the second
//! implementation says of it.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::StreamExt;
use futures_util::stream;
use regex::Regex;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

use super::super::{School, path, slips};
use super::student::{Road, SealedParts, Student, id};
use crate::hall::{Hall, eventually, oracle};

/// Who does something at once.
const AT_ONCE: usize = 24;
/// Seats of a row.
const COLUMNS: usize = 15;
/// Every so many go on with another device in the middle.
const MOVING: usize = 5;
/// Every so many leave it to the clock to hand in.
const LEFT_TO_THE_CLOCK: usize = 12;
/// Questions of the paper.
pub const QUESTIONS: usize = 12;
/// Pinned: a number, one whose options keep their order, and one of four options whose key is corrected later. So these
/// are in each form.
const PINNED_NUMBER: &str = "N013";
const PINNED_FIXED: &str = "L021";
pub const CORRECTED: &str = "L051";

/// What a template says of forms and options.
#[derive(Clone, Copy)]
pub struct Kind {
    pub forms: usize,
    pub has_parallel: bool,
    pub is_shuffled: bool,
}

impl Kind {
    pub const fn has_forms(self) -> bool {
        self.forms > 1
    }

    pub fn letters(self) -> impl Iterator<Item = String> {
        ('A'..='H').take(self.forms).map(String::from)
    }
}

/// A school whose bank is the mixed one, with a template of this kind.
pub async fn school(kind: Kind) -> (School, BTreeMap<String, Value>) {
    let hall = Hall::with(&[("SAMPLE_BANK", "off")]).await;
    // Before anybody asks for the bank, since the server doesn't hear of what is stored beside it.
    let bank = hall.store_mixed_bank().await;
    let admin = hall.signed_in("admin").await;
    let school = School { hall, admin, template: String::new() };
    let bank: BTreeMap<String, Value> = bank.into_iter().map(|question| (id(&question).to_owned(), question)).collect();
    let template = template(&school, kind).await["id"].as_str().unwrap().to_owned();
    (School { template, ..school }, bank)
}

/// A new template. What is left out says nothing of forms or options.
pub async fn template(school: &School, kind: Kind) -> Value {
    let mut config = json!({
        "name": "In forms", "grades": [5], "mode": "standard", "durationMinutes": 45, "types": "all",
        "standardTargets": { "1": 2, "2": 2, "3": 3, "4": 3, "5": 2 },
        "pinned": [PINNED_NUMBER, PINNED_FIXED, CORRECTED],
    });
    if kind.has_forms() {
        config["forms"] = json!(kind.forms);
        config["parallelForms"] = json!(kind.has_parallel);
    }
    if kind.is_shuffled {
        config["shuffleOptions"] = json!(true);
    }
    let made = school.admin.post_json("/api/admin/test-templates", &config).await;
    assert_eq!((made.status, &made.json()["shortfalls"]), (200, &json!({})), "{}", made.text());
    made.json()["template"].clone()
}

/// The seat of somebody in the first or the second hall, which write them in their own ways.
fn seat(hall: usize, place: usize) -> String {
    let (row, column) = (place / COLUMNS, place % COLUMNS + 1);
    if hall == 0 {
        format!("{}{column}", char::from(b'A' + u8::try_from(row).unwrap()))
    } else {
        format!("R{}S{column}", row + 1)
    }
}

/// An exam, and what was seen of it so far.
pub struct Exam {
    pub kind: Kind,
    pub school: School,
    pub sitting: Value,
    pub bank: BTreeMap<String, Value>,
    pub students: Vec<Student>,
    /// As staff read it before the exam.
    pub template: Value,
    /// The letters on the slips, in the order of `students`.
    pub on_slips: Vec<String>,
    /// The rows of proctors while all are at work, by name.
    pub watched: BTreeMap<String, Value>,
    /// The bank as it was exported before.
    pub exported: Vec<u8>,
    pub facts: Facts,
}

/// What the second implementation says.
pub struct Facts {
    /// In the order of `students`.
    pub students: Vec<Value>,
    pub items: Value,
    /// The key of the corrected question from then on.
    pub corrected: &'static str,
}

impl Exam {
    /// From the slips to the release.
    pub async fn sit(kind: Kind, count: usize) -> Self {
        let mut exam = Self::prepare(kind, count).await;
        exam.wait().await;
        exam.begin().await;
        exam.work_half().await;
        exam.work_on().await;
        exam.end().await;
        exam.ask();
        exam
    }

    /// Everybody has a slip with a code.
    pub async fn prepare(kind: Kind, count: usize) -> Self {
        let (school, bank) = school(kind).await;
        let exported = export(&school).await;
        let read = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await;
        let template = read.json()["template"].clone();
        let sitting = school.sitting(40, json!({})).await;
        let per_hall = count.div_ceil(2);
        let person = |index: usize| {
            let hall = index / per_hall;
            json!({
                "externalId": format!("s{index}"), "name": name(index), "room": (["Aula", "Gym"][hall]),
                "seat": seat(hall, index % per_hall),
            })
        };
        school.enrol(&sitting, (0..count).map(person).collect()).await;
        let text = slips::text(&slips::made(&school, &sitting, "?renew=true").await);
        let (codes, letters) = (slips::codes(&text), letters_on(&text));
        // They are printed by room and by name, as the students are numbered.
        assert_eq!(codes.len(), count, "{text}");
        let (base, http) = (school.hall.base(), school.hall.anonymous());
        let student = |(index, code): (usize, &String)| {
            let enter = json!({ "sittingId": sitting["id"], "access": code });
            let seat = person(index)["seat"].as_str().unwrap().to_owned();
            Student::new(index, &name(index), &seat, &base, &http, enter)
        };
        let students: Vec<Student> = codes.iter().enumerate().map(student).collect();
        let facts = Facts { students: Vec::new(), items: Value::Null, corrected: "" };
        let watched = BTreeMap::new();
        Self { kind, school, sitting, bank, students, template, on_slips: letters, watched, exported, facts }
    }

    /// Everybody enters; some say that the sealed paper is at hand.
    pub async fn wait(&mut self) {
        self.school.advance(11);
        stream::iter(&mut self.students).for_each_concurrent(AT_ONCE, Student::enter).await;
        let ready = self.students.iter_mut().filter(|student| student.road == Road::Socket);
        stream::iter(ready).for_each_concurrent(AT_ONCE, Student::get_ready).await;
    }

    /// The time begins to count.
    pub async fn begin(&mut self) {
        let sealed = &self.sealed().await;
        self.school.advance(30);
        let all = stream::iter(&mut self.students);
        all.for_each_concurrent(AT_ONCE, |student| student.begin(sealed)).await;
    }

    /// All work on the first half of the paper, and then some go on with another device.
    pub async fn work_half(&mut self) {
        let bank = &self.bank;
        let all = stream::iter(&mut self.students);
        let working = all.for_each_concurrent(AT_ONCE, |student| async move {
            student.work(0..QUESTIONS / 2, bank, false).await;
        });
        working.await;
        let moving = stream::iter(self.students.iter_mut().step_by(MOVING));
        moving.for_each_concurrent(AT_ONCE, Student::go_elsewhere).await;
        let listed = self.school.admin.get(&format!("/api/live/sessions?sittingId={}", id(&self.sitting))).await.json();
        let rows = listed["sessions"].as_array().unwrap();
        self.watched = rows.iter().map(|row| (row["student"].as_str().unwrap().to_owned(), row.clone())).collect();
    }

    /// All work on the rest, and most hand in.
    pub async fn work_on(&mut self) {
        let bank = &self.bank;
        let all = stream::iter(self.students.iter_mut().enumerate());
        let working = all.for_each_concurrent(AT_ONCE, |(index, student)| async move {
            let hands_in = index % LEFT_TO_THE_CLOCK != LEFT_TO_THE_CLOCK - 1;
            let submitted = student.work(QUESTIONS / 2..QUESTIONS, bank, hands_in).await;
            assert_eq!(submitted.is_null(), !hands_in);
            assert!(submitted.is_null() || submitted["held"] == true, "{submitted}");
            assert!(submitted.get("optionOrder").is_none() && submitted.get("result").is_none(), "{submitted}");
        });
        working.await;
    }

    /// The sealed parts that anybody was told of, one for each form.
    async fn sealed(&self) -> SealedParts {
        let parts: BTreeSet<(String, String, u64)> = self.students.iter().map(told_part).collect();
        assert_eq!(parts.len(), self.kind.forms, "one for each form: {parts:?}");
        let mut sealed = SealedParts::new();
        for (url, hash, bytes) in parts {
            let part = self.school.hall.anonymous().get(&url).await;
            assert_eq!((part.status, part.body.len() as u64), (200, bytes), "{url}");
            let found: String = digest(&SHA256, &part.body).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found, hash);
            sealed.insert(url, part.body);
        }
        sealed
    }

    /// The clock hands in for those who have not, and the results are released.
    pub async fn end(&mut self) {
        self.school.advance(46);
        let count = json!(self.students.len());
        eventually("everybody has handed in", async || {
            let counts = self.school.read(&self.sitting).await["counts"].clone();
            (counts["submitted"] == count).then_some(())
        })
        .await;
        let released = self.school.release(&self.sitting).await;
        assert_eq!(released.status, 200, "{}", released.text());
    }

    pub fn ask(&mut self) {
        let key = self.bank[CORRECTED]["answer"].as_str().unwrap();
        let corrected = ["A", "B", "C", "D"].into_iter().find(|letter| *letter != key).unwrap();
        let students: Vec<Value> = self.students.iter().map(Student::facts).collect();
        let asked = json!({
            "forms": self.kind.forms, "bank": self.bank.values().collect::<Vec<_>>(), "students": students,
            "corrected": { CORRECTED: corrected },
        });
        let told = oracle::ask("forms.py", &[asked]).remove(0);
        let mut students = told["students"].as_array().unwrap().clone();
        assert_eq!(students.len(), self.students.len());
        if self.kind.has_forms() {
            let per_hall = students.len().div_ceil(2);
            for (seen, hall) in self.students.chunks(per_hall).zip(students.chunks_mut(per_hall)) {
                let letters: Vec<&str> = hall.iter().map(|student| student["form"].as_str().unwrap()).collect();
                let first = seen[0].waiting["form"].as_str().unwrap();
                let letters = turned(&letters, first, self.kind.forms);
                for (student, letter) in hall.iter_mut().zip(letters) {
                    student["form"] = json!(letter);
                }
            }
        }
        self.facts = Facts { students, items: told["items"].clone(), corrected };
    }

    /// Each student with what the second implementation says of them.
    pub fn told(&self) -> impl Iterator<Item = (&Student, &Value)> {
        self.students.iter().zip(&self.facts.students)
    }

    /// A document for an admin.
    pub async fn read(&self, path: &str) -> Value {
        let answer = self.school.admin.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    pub async fn candidates(&self) -> BTreeMap<String, Value> {
        let candidates = self.school.candidates(&self.sitting).await;
        candidates.into_iter().map(|one| (one["name"].as_str().unwrap().to_owned(), one)).collect()
    }

    pub fn sitting_path(&self) -> String {
        path(&self.sitting)
    }
}

fn told_part(student: &Student) -> (String, String, u64) {
    let part = &student.waiting["sealed"][0];
    (student.part().to_owned(), part["sha256"].as_str().unwrap().to_owned(), part["bytes"].as_u64().unwrap())
}

/// The letters of a hall, so that the first seat has the one that it was given. What a hall calls its rows may add the
/// same to all seats: the rule says how they differ, and not which letter comes first.
pub fn turned(letters: &[&str], first: &str, forms: usize) -> Vec<String> {
    let place = |letter: &str| usize::from(letter.as_bytes()[0] - b'A');
    let turn = place(first) + forms - place(letters[0]);
    let letter = |letter: &&str| char::from(b'A' + u8::try_from((place(letter) + turn) % forms).unwrap()).to_string();
    letters.iter().map(letter).collect()
}

fn name(index: usize) -> String {
    format!("Student {index:03}")
}

fn letters_on(text: &str) -> Vec<String> {
    let letter = Regex::new(r"Form\s+([A-H])\b").unwrap();
    letter.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

pub async fn export(school: &School) -> Vec<u8> {
    let exported = school.admin.get("/api/admin/export?grade=5&format=gift").await;
    assert_eq!(exported.status, 200, "{}", exported.text());
    exported.body
}
