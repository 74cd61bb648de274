//! A student who sees a page: what stands on it decides what is pressed, and its letters are never looked at.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::super::entrant::{knock, opened};
use crate::hall::{Answer, Caller, Heard, LiveSocket, ids};

const LETTERS: [&str; 4] = ["A", "B", "C", "D"];
/// Of so many questions a student leaves one open, and answers so many of ten rightly.
const LEAVES_ONE_OF: u32 = 12;
const RIGHT_OF_TEN: u32 = 6;
/// Every so many students cross options out.
const CROSSING: usize = 3;
/// Every so many read the paper in the clear, as a browser that opens nothing.
const IN_THE_CLEAR: usize = 10;

/// The road of a device, with its socket if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Road {
    Socket,
    Https,
}

impl Road {
    pub const fn other(self) -> Self {
        match self {
            Self::Socket => Self::Https,
            Self::Https => Self::Socket,
        }
    }
}

/// The sealed parts, by their addresses.
pub type SealedParts = BTreeMap<String, Vec<u8>>;

/// Somebody on the roster who has an access code.
pub struct Student {
    index: usize,
    pub name: String,
    pub seat: String,
    pub road: Road,
    base: String,
    http: Caller,
    /// The frame `enter`, without its type.
    enter: Value,
    /// How many devices there have been.
    devices: usize,
    socket: Option<LiveSocket>,
    pub session_id: String,
    pub token: String,
    line: Value,
    seq: u64,
    /// The first `waiting`.
    pub waiting: Value,
    /// What the beginning has told: `begin`, or `resumed` over HTTPS.
    pub begun: Value,
    /// The paper as it was opened.
    pub paper: Vec<Value>,
    pub orders: BTreeMap<String, String>,
    /// What was pressed or typed, and crossed out, by the places on the page.
    pressed: Map<String, Value>,
    crossed: Map<String, Value>,
    /// What stood on the page where it was pressed.
    pub meant: BTreeMap<String, String>,
    random: StdRng,
}

impl Student {
    pub fn new(index: usize, name: &str, seat: &str, base: &str, http: &Caller, enter: Value) -> Self {
        Self {
            index,
            name: name.to_owned(),
            seat: seat.to_owned(),
            road: if index.is_multiple_of(2) { Road::Socket } else { Road::Https },
            base: base.to_owned(),
            http: http.clone(),
            enter,
            devices: 0,
            socket: None,
            session_id: String::new(),
            token: String::new(),
            line: Value::Null,
            seq: 0,
            waiting: Value::Null,
            begun: Value::Null,
            paper: Vec::new(),
            orders: BTreeMap::new(),
            pressed: Map::new(),
            crossed: Map::new(),
            meant: BTreeMap::new(),
            random: StdRng::seed_from_u64(index as u64),
        }
    }

    /// Comes to the server with a new device, over this road; returns the first answer.
    async fn come(&mut self, road: Road) -> Value {
        self.devices += 1;
        let mut enter = self.enter.clone();
        enter["key"] = json!(format!("device {} of {:010}", self.devices, self.index));
        (self.road, self.socket) = (road, None);
        let answer = match road {
            Road::Socket => {
                let mut socket = knock(&self.base, &[], enter).await;
                let Heard::Frame(frame) = socket.hear().await else { panic!("{} is not let in", self.name) };
                self.socket = Some(socket);
                frame
            }
            Road::Https => {
                enter["type"] = json!("enter");
                let answer = self.http.post_json("/api/live", &enter).await;
                assert_eq!(answer.status, 200, "{}", answer.text());
                answer.json()
            }
        };
        self.note_device(&answer);
        answer
    }

    fn note_device(&mut self, frame: &Value) {
        assert!(frame["token"].is_string(), "{frame}");
        let text = |name: &str| frame[name].as_str().unwrap().to_owned();
        (self.session_id, self.token, self.line) = (text("sessionId"), text("token"), frame["line"].clone());
    }

    pub async fn enter(&mut self) {
        self.waiting = self.come(self.road).await;
        assert_eq!(self.waiting["type"], "waiting", "{}", self.waiting);
        for early in ["optionOrder", "questionIds", "keys"] {
            assert!(self.waiting.get(early).is_none(), "before the beginning: {}", self.waiting);
        }
    }

    /// The address of the own part, the only one that is told.
    pub fn part(&self) -> &str {
        let parts = self.waiting["sealed"].as_array().unwrap();
        assert_eq!((parts.len(), &parts[0]["part"]), (1, &json!("1")), "{}", self.waiting);
        parts[0]["url"].as_str().unwrap()
    }

    /// Says that the paper is at hand.
    pub async fn get_ready(&mut self) {
        let hash = self.waiting["sealed"][0]["sha256"].clone();
        let replies = self.send(vec![json!({ "type": "ready", "sha256": hash })]).await;
        assert_eq!(replies, Vec::<Value>::new());
    }

    /// Learns that the time counts, and opens the paper.
    pub async fn begin(&mut self, sealed: &SealedParts) {
        self.begun = match &mut self.socket {
            Some(socket) => socket.until("begin").await,
            None => self.state().await,
        };
        assert_eq!(self.begun["keys"].as_object().unwrap().len(), 1, "the own key alone: {}", self.begun);
        self.orders = orders(&self.begun);
        self.paper = if self.index.is_multiple_of(IN_THE_CLEAR) {
            let path = self.part().split_once('?').unwrap().0.to_owned();
            let clear = self.get(&format!("{path}?open")).await;
            assert_eq!(clear.status, 200, "{}", clear.text());
            clear.json().as_array().unwrap().clone()
        } else {
            opened(&sealed[self.part()], &self.begun["keys"]["1"]).expect("the own part opens with the own key")
        };
    }

    /// `resumed` over HTTPS, as soon as the time counts.
    async fn state(&mut self) -> Value {
        loop {
            let answer = self.get(&format!("/api/live/{}?wait=begin&line={}", self.session_id, self.line)).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            let frame = answer.json();
            if frame["type"] == "resumed" {
                self.note_device(&frame);
                return frame;
            }
        }
    }

    async fn get(&self, path: &str) -> Answer {
        Answer::to(self.http.request(Method::GET, path).bearer_auth(&self.token)).await
    }

    /// Goes on with another device and over the other road. It shows what the first one has shown.
    pub async fn go_elsewhere(&mut self) {
        let before = (self.session_id.clone(), self.token.clone());
        let resumed = self.come(self.road.other()).await;
        assert_eq!((&resumed["type"], &self.session_id), (&json!("resumed"), &before.0), "{resumed}");
        assert_ne!(self.token, before.1);
        self.assert_shown(&resumed);
    }

    /// Asserts that a `resumed` shows the same page, and all that was pressed and crossed out at its place.
    #[track_caller]
    pub fn assert_shown(&self, resumed: &Value) {
        assert_eq!(orders(resumed), self.orders, "{}", self.name);
        assert_eq!(resumed["keys"], self.begun["keys"]);
        assert_eq!(resumed["sealed"], self.waiting["sealed"]);
        assert_eq!(resumed.get("form"), self.waiting.get("form"));
        let paper: Vec<&str> = self.paper.iter().map(id).collect();
        assert_eq!(ids(&resumed["questionIds"]), paper);
        let rows = resumed["answers"].as_array().unwrap();
        let row = |question: &Value| rows.iter().find(|row| row["questionId"] == question["id"]);
        for question in &self.paper {
            let page = self.page(question);
            let place = |letter: &Value| page.iter().position(|(own, _)| letter == own);
            let selected = row(question).map(|row| &row["selected"]).filter(|selected| !selected.is_null());
            let shown = selected.map(|selected| match place(selected) {
                Some(place) if question["type"] != "number" => json!({ "place": place }),
                _ => json!({ "typed": selected }),
            });
            assert_eq!(shown.as_ref(), self.pressed.get(id(question)), "{}, {question}", self.name);
            let crossed = row(question).and_then(|row| row.get("eliminated"));
            let mut crossed: Vec<usize> =
                crossed.iter().flat_map(|list| list.as_array().unwrap()).map(|one| place(one).unwrap()).collect();
            crossed.sort_unstable();
            let expected = self.crossed.get(id(question)).cloned().unwrap_or_else(|| json!([]));
            assert_eq!(json!(crossed), expected, "{}, {question}", self.name);
        }
    }

    /// The options as the page shows them, from top to bottom: the letter of the bank, which the page sends and does
    /// not show, and the text.
    pub fn page(&self, question: &Value) -> Vec<(String, String)> {
        let texts: Vec<&str> =
            question["options"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        let in_bank: String = LETTERS[..texts.len()].concat();
        let order = self.orders.get(id(question)).unwrap_or(&in_bank);
        let line = |letter: char| {
            let place = in_bank.find(letter).unwrap_or_else(|| panic!("{order} of {question}"));
            (letter.to_string(), texts[place].to_owned())
        };
        order.chars().map(line).collect()
    }

    /// Acts on a part of the paper, and hands in with the last of it if that is wanted. Returns what came of the end.
    pub async fn work(
        &mut self,
        part: std::ops::Range<usize>,
        bank: &BTreeMap<String, Value>,
        hands_in: bool,
    ) -> Value {
        let mut commands = Vec::new();
        for question in self.paper.clone().into_iter().take(part.end).skip(part.start) {
            let known = &bank[id(&question)];
            commands.extend(self.answer(&question, known));
            if self.index.is_multiple_of(CROSSING) {
                commands.extend(self.cross_out(&question));
            }
        }
        let by_https = hands_in && self.socket.is_none();
        commands.extend(by_https.then(|| json!({ "type": "submit" })));
        let mut replies = self.send(commands).await;
        if !hands_in {
            assert_eq!(replies, Vec::<Value>::new());
            return Value::Null;
        }
        if let Some(socket) = &mut self.socket {
            self.seq += 1;
            socket.send(&json!({ "type": "submit", "seq": self.seq, "line": self.line })).await;
            return socket.until("submitted").await;
        }
        assert_eq!((replies.len(), &replies[0]["type"]), (1, &json!("submitted")), "{replies:?}");
        replies.remove(0)
    }

    fn answer(&mut self, question: &Value, known: &Value) -> Option<Value> {
        if self.random.random_ratio(1, LEAVES_ONE_OF) {
            return None;
        }
        let is_right = self.random.random_ratio(RIGHT_OF_TEN, 10);
        let id = id(question).to_owned();
        let selected = if question["type"] == "number" {
            let typed = self.typed(known["answer"].as_str().unwrap(), is_right);
            self.pressed.insert(id.clone(), json!({ "typed": typed }));
            typed
        } else {
            let right = known["answer"].as_str().unwrap();
            let key = LETTERS.iter().position(|letter| *letter == right).unwrap();
            let texts = question["options"].as_array().unwrap();
            let wanted: Vec<&Value> = texts
                .iter()
                .enumerate()
                .filter(|(place, _)| (*place == key) == is_right)
                .map(|(_, text)| text)
                .collect();
            let wanted = wanted.choose(&mut self.random).unwrap().as_str().unwrap().to_owned();
            // Where that text stands on the page.
            let page = self.page(question);
            let place = page.iter().position(|(_, text)| *text == wanted).unwrap();
            self.pressed.insert(id.clone(), json!({ "place": place }));
            self.meant.insert(id.clone(), wanted);
            page[place].0.clone()
        };
        Some(json!({ "type": "answer", "questionId": id, "selected": selected }))
    }

    fn typed(&mut self, right: &str, is_right: bool) -> String {
        let whole: u32 = right.strip_suffix(".5").unwrap().parse().unwrap();
        let ways = if is_right {
            [right.to_owned(), format!("{right}0"), format!("{}/2", 2 * whole + 1)]
        } else {
            ["0.25".to_owned(), format!("{whole}"), format!("{}/4", 2 * whole + 1)]
        };
        ways.choose(&mut self.random).unwrap().clone()
    }

    /// Crosses out what stands on some places of the page, except what was pressed.
    fn cross_out(&mut self, question: &Value) -> Option<Value> {
        let page = self.page(question);
        let pressed = self.pressed.get(id(question)).map(|pressed| pressed["place"].clone());
        let mut places: Vec<usize> = (0..page.len()).filter(|place| Some(json!(place)) != pressed).collect();
        places.retain(|_| self.random.random_ratio(1, 3));
        if places.is_empty() {
            return None;
        }
        self.crossed.insert(id(question).to_owned(), json!(places));
        let mut letters: Vec<&str> = places.iter().map(|place| page[*place].0.as_str()).collect();
        letters.sort_unstable();
        Some(json!({ "type": "eliminate", "questionId": question["id"], "eliminated": letters }))
    }

    /// Sends commands at once and waits until they are saved. Returns what else is answered over HTTPS.
    async fn send(&mut self, mut commands: Vec<Value>) -> Vec<Value> {
        for command in &mut commands {
            self.seq += 1;
            (command["seq"], command["line"]) = (json!(self.seq), self.line.clone());
        }
        if commands.is_empty() {
            return commands;
        }
        if let Some(socket) = &mut self.socket {
            for command in &commands {
                socket.send(command).await;
            }
            socket.expect_saved(self.seq).await;
            return Vec::new();
        }
        let path = format!("/api/live/{}/commands", self.session_id);
        let body = json!({ "commands": commands });
        let posting = self.http.request(Method::POST, &path).bearer_auth(&self.token).json(&body);
        let answer = Answer::to(posting).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let answer = answer.json();
        assert_eq!(answer["saved"], self.seq, "{answer}");
        answer["replies"].as_array().unwrap().clone()
    }

    /// What the second implementation is told.
    pub fn facts(&self) -> Value {
        json!({
            "seat": self.seat, "questions": self.paper, "optionOrder": self.orders, "pressed": self.pressed,
            "crossed": self.crossed,
        })
    }

    /// Who has the token of the last device.
    pub fn caller(&self) -> Caller {
        Caller::new(&self.base, Some(&self.token))
    }

    /// Comes back with the same device, also to a server at another address; returns the answer, which is of this kind.
    pub async fn come_back(&mut self, base: &str, http: &Caller, kind: &str) -> Value {
        (self.base, self.http, self.socket) = (base.to_owned(), http.clone(), None);
        let frame = match self.road {
            Road::Https => self.get(&format!("/api/live/{}?line={}", self.session_id, self.line)).await.json(),
            Road::Socket => {
                let mut socket = LiveSocket::connect(base, &[]).await.unwrap();
                let (session_id, token, line) = (&self.session_id, &self.token, &self.line);
                let resume = json!({ "type": "resume", "sessionId": session_id, "token": token, "line": line });
                socket.send(&resume).await;
                let Heard::Frame(frame) = socket.hear().await else { panic!("{} is not let in", self.name) };
                self.socket = Some(socket);
                frame
            }
        };
        assert_eq!(frame["type"], kind, "{frame}");
        self.note_device(&frame);
        frame
    }
}

/// The orders of options that a frame or a document tells. Nothing stands there where there are none.
#[track_caller]
pub fn orders(told: &Value) -> BTreeMap<String, String> {
    let Some(orders) = told.get("optionOrder") else { return BTreeMap::new() };
    let orders = orders.as_object().unwrap_or_else(|| panic!("{told}"));
    assert!(!orders.is_empty(), "absent if there is none: {told}");
    orders.iter().map(|(id, order)| (id.clone(), order.as_str().unwrap().to_owned())).collect()
}

pub fn id(question: &Value) -> &str {
    question["id"].as_str().unwrap()
}
