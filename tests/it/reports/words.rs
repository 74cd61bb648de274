//! What the files say: the numbers of the session, names in every script, and all of long texts.

use std::collections::BTreeMap;

use regex::Regex;
use reqwest::Method;
use serde_json::{Value, json};

use super::{HEIGHT, Report, WIDTH, open, test};
use crate::hall::{Answer, Hall, Receiver};

/// What of a report's text must be found, from a stored session or a webhook's payload.
pub(in crate::either_database::reports) fn assert_numbers(text: &str, session: &Value) {
    let result = &session["result"];
    let (correct, total) = (&result["correctAnswers"], &result["totalQuestions"]);
    let contains = |wanted: String| assert!(text.contains(&wanted), "{wanted} is not in:\n{text}");
    contains(result["score"].to_string());
    contains(format!("{correct} of {total}"));
    contains(format!("{:.1} %", result["accuracy"].as_f64().unwrap()));
    for line in result["topicBreakdown"].as_array().unwrap() {
        contains(format!("{} of {} · {} %", line["correct"], line["total"], line["percentage"]));
        contains(line["topic"].as_str().unwrap().to_owned());
    }
    for (index, line) in result["answers"].as_array().unwrap().iter().enumerate() {
        let letter = |name: &str| line[name].as_str().filter(|letter| !letter.is_empty()).unwrap_or("–").to_owned();
        let sign = if line["isCorrect"] == true { "✓" } else { ["✗", "○"][usize::from(line["selected"] == "")] };
        let time = line["timeTaken"]
            .as_u64()
            .map_or("–".to_owned(), |seconds| format!("{}:{:02}", seconds / 60, seconds % 60));
        let number = index + 1;
        let pattern = format!(
            r"(?m)^{number} .* {}(: .*)? {}(: .*)? {sign} (\d/\d|–) {time}$",
            letter("selected"),
            letter("correct")
        );
        assert!(Regex::new(&pattern).unwrap().is_match(text), "{pattern} is not in:\n{text}");
        contains(line["topic"].as_str().unwrap_or_default().to_owned());
    }
}

#[tokio::test]
async fn questions_are_told_by_their_texts() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let bank = hall.bank(5).await;
    let ids = bank.ids();
    let edit = |id: &str, updates: Value| json!({ "questionId": id, "grade": 5, "comment": "", "updates": updates });
    let formula = edit(
        &ids[0],
        json!({ "question": "What is $\\frac{3}{4} \\times 2^{2}$?", "options": ["$\\sqrt{9}$", "4", "5", "6"], "answer": "A" }),
    );
    assert_eq!(admin.post_json("/api/review/edit", &formula).await.status, 200);
    let bank = hall.bank(5).await;
    let body = test(&bank, 10, json!({ "name": "Ada" }));
    let report = Report::of(&hall.anonymous(), &body).await;
    let text = report.text();
    assert!(text.contains("What is 3/4 × 2²?") && text.contains("A: √9"), "{text}");
    assert!(ids.iter().take(10).all(|id| !text.contains(id.as_str())), "{text}");
    // A letter stands for what the student saw, whatever the bank has become.
    let reworded = edit(&ids[0], json!({ "options": ["$\\sqrt{9}$", "4", "five", "6"] }));
    assert_eq!(admin.post_json("/api/review/edit", &reworded).await.status, 200);
    let key = json!({ "options": ["one", "two", "three", "four"], "answer": bank.wrong(&ids[1]) });
    assert_eq!(admin.post_json("/api/review/edit", &edit(&ids[1], key)).await.status, 200);
    // This server has the report in its cache for a minute.
    let other = hall.beside().await;
    let text = Report::of_session(&other.anonymous(), &report.session_id).await.text();
    assert!(text.contains("What is 3/4 × 2²?") && text.contains("A: √9"), "{text}");
    assert!(text.contains("The bank has changed questions 1 and 2 since the test."), "{text}");
    assert!(!text.contains("five") && !text.contains("three") && !text.contains(&ids[1]), "{text}");
}

#[tokio::test]
async fn times_are_those_of_the_school() {
    for (zone, shown) in
        [("Europe/Zurich", "5 January 2026, 10:00 to"), ("Asia/Ho_Chi_Minh", "5 January 2026, 16:00 to")]
    {
        let hall = Hall::with(&[("TIME_ZONE", zone)]).await;
        let report = Report::of(&hall.anonymous(), &test(&hall.bank(5).await, 10, json!({}))).await;
        assert!(report.text().contains(shown), "{}", report.text());
    }
}

#[tokio::test]
async fn a_report_is_in_the_language_of_the_school_or_in_the_one_that_is_asked_for() {
    let hall = Hall::open().await;
    let (bank, admin) = (hall.bank(5).await, hall.signed_in("admin").await);
    let report = Report::of(&hall.anonymous(), &test(&bank, 40, json!({ "name": "Ánh", "class": "5 b" }))).await;
    let of = async |query: &str| Report::in_language(&hall.anonymous(), &report.session_id, query).await.text();
    let english = of("").await;
    assert!(english.contains("Mathematics test report") && english.contains("By topic"), "{english}");
    for query in ["?language=vi", ""] {
        if query.is_empty() {
            let set = json!({ "languages": ["vi", "en"], "timeZone": "Asia/Ho_Chi_Minh" });
            let patch = admin.request(Method::PATCH, "/api/admin/school").json(&set);
            assert_eq!(Answer::to(patch).await.status, 200);
        }
        // Lines are broken where the paper ends.
        let text = of(query).await.split_whitespace().collect::<Vec<_>>().join(" ");
        for wanted in [
            "Kết quả bài kiểm tra Toán",
            "Lớp 5",
            "ngày 5/1/2026",
            "thời gian làm bài 34 phút 12 giây",
            "Số câu đúng",
            "Theo chủ đề",
            "Phân số",
            "Số thập phân",
            "Theo độ khó",
            "Dễ đến vừa",
            "Từng câu một",
            "Đáp án",
            "✗ chưa đúng",
            "Trang 1/",
        ] {
            assert!(text.contains(wanted), "{wanted} is not in:\n{text}");
        }
        for other in ["Mathematics", "Fractions", "Decimals", "Score", "Page ", "Chosen", "Graded"] {
            assert!(!text.contains(other), "{other} is in:\n{text}");
        }
    }
    let text = of("?language=en").await;
    assert!(text.contains("By topic") && text.contains("5 January 2026, 16:00 to"), "{text}");
    for language in ["fr", "EN", "vi,en"] {
        let answer = hall.anonymous().get(&format!("/api/report/{}/pdf?language={language}", report.session_id)).await;
        answer.assert_error(400, "Invalid language");
    }
}

#[tokio::test]
async fn a_vietnamese_report_says_so_to_programs_and_its_words_stand_apart() {
    let (hall, bank) = open().await;
    let report = Report::of(&hall.anonymous(), &test(&bank, 40, json!({ "name": "Nguyễn Thị Ánh" }))).await;
    let report = Report::in_language(&hall.anonymous(), &report.session_id, "?language=vi").await;
    assert_eq!(report.parsed().catalog().unwrap().get(b"Lang").unwrap().as_str().unwrap(), b"vi");
    assert!(report.run("pdfinfo", &["report.pdf"]).contains("Kết quả bài kiểm tra Toán lớp 5: Nguyễn Thị Ánh"));
    assert_apart(&report);
}

#[tokio::test]
async fn json_webhook_and_paper_have_the_same_numbers() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let (bank, receiver) = (hall.bank(5).await, Receiver::open().await);
    let mut body = test(&bank, 40, json!({ "name": "Ada" }));
    body["webhookUrl"] = json!(receiver.url());
    let report = Report::of(&hall.anonymous(), &body).await;
    let text = report.text();
    assert_numbers(&text, &hall.stored_session(&report.session_id).await);
    assert_numbers(&text, &receiver.wait_for(1).await.remove(0).json());
    assert!(text.contains("time taken 34 min 12 s") && text.contains("Graded by the server."), "{text}");
}

#[tokio::test]
async fn a_report_says_that_nobody_saw_the_test_being_taken() {
    const SENT: &str = "Sent by a client: this server has not seen the test being taken.";
    let hall = Hall::open().await;
    let report = Report::of(&hall.anonymous(), &test(&hall.bank(5).await, 10, json!({}))).await;
    assert!(report.text().contains(SENT), "{}", report.text());
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    candidate.submit().await;
    let report = Report::of_session(&hall.anonymous(), &candidate.session_id).await;
    assert!(!report.text().contains(SENT), "{}", report.text());
}

#[tokio::test]
async fn names_of_many_scripts_can_be_read_again() {
    let (hall, bank) = open().await;
    let names = [
        "Zoë Müller-Łukasiewicz",
        "Ğül Şahin Iıİi",
        "Αθηνά Παπαδοπούλου",
        "Юлия Ёлкина",
        "Nguyễn Thị Ánh Tuyết",
        "محمد عبد الرحيم",
        "דנה כהן",
        "Դավիթ",
        "x² ≤ √2 × π − ½",
        "3/4 ≥ ¾ ÷ ∞",
        "王小明",
        "田中さくら",
        "김민준",
    ];
    for name in names {
        let report = Report::of(&hall.anonymous(), &test(&bank, 10, json!({ "name": name }))).await;
        // Direction marks, which the reader puts in, are not part of the name.
        let text: String = report
            .text()
            .chars()
            .filter(|character| !matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'))
            .collect();
        assert!(text.contains(name), "{name} is not in:\n{text}");
    }
    let decomposed = Report::of(&hall.anonymous(), &test(&bank, 10, json!({ "name": "Zoe\u{308}" }))).await;
    assert!(decomposed.text().contains("Zoë"));
    let without_glyph = Report::of(&hall.anonymous(), &test(&bank, 10, json!({ "name": "Ada 王 \u{1F9D1}" }))).await;
    assert!(without_glyph.text().contains("Ada 王 [U+1F9D1]"), "{}", without_glyph.text());
}

#[tokio::test]
async fn long_texts_are_neither_lost_nor_laid_over_each_other() {
    let (hall, bank) = open().await;
    let many: serde_json::Map<String, Value> =
        (0..40).map(|number| (format!("key{number}"), json!("value ".repeat(200)))).collect();
    let mut body = test(&bank, 40, Value::Object(many));
    for (index, line) in body["result"]["answers"].as_array_mut().unwrap().iter_mut().enumerate() {
        line["questionId"] = json!(format!("q{index}-{}-end", "Wide".repeat(120)));
        line["selected"] = json!(format!("{}{index}stop", "W W ".repeat(120)));
        line["timeTaken"] = json!(u32::MAX);
    }
    let topics: Vec<Value> = (0..30)
        .map(|number| json!({ "topic": format!("{} T{number}", "long topic ".repeat(40)), "correct": u32::MAX, "total": u32::MAX, "percentage": 100 }))
        .collect();
    body["result"]["topicBreakdown"] = json!(topics);
    body["result"]["correctAnswers"] = json!(u32::MAX);
    body["result"]["totalQuestions"] = json!(u32::MAX);
    let report = Report::of(&hall.anonymous(), &body).await;
    let text = report.text();
    let joined: String = text.split_whitespace().collect();
    for index in 0..40 {
        assert!(joined.contains(&format!("{index}stop")), "the end of answer {index}");
    }
    assert_eq!(joined.matches("-end").count(), 0, "ids of questions say nothing to a reader");
    assert_eq!(text.matches("see below").count(), 40, "no text is there twice");
    for number in 0..30 {
        assert!(joined.contains(&format!("topicT{number}")), "topic {number}");
    }
    assert!(text.contains("28 more annotations are left out here."), "{text}");
    assert!(text.contains("This result was sent by a client and was not graded by the server."));
    assert_apart(&report);
}

#[tokio::test]
async fn words_stand_apart() {
    let (hall, bank) = open().await;
    let report = Report::of(
        &hall.anonymous(),
        &test(&bank, 40, json!({ "name": "Nguyễn Thị Ánh", "teacher": "محمد", "class": "5 b" })),
    )
    .await;
    assert_apart(&report);
}

/// No word lies over another one, and none stands outside of the margins.
fn assert_apart(report: &Report) {
    let page = Regex::new(r"(?s)<page .*?</page>").unwrap();
    let word =
        Regex::new(r#"<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>"#).unwrap();
    let boxes = report.run("pdftotext", &["-bbox", "report.pdf", "-"]);
    let mut pages = 0;
    for page in page.find_iter(&boxes) {
        pages += 1;
        let mut by_line: BTreeMap<i64, Vec<(f64, f64, String)>> = BTreeMap::new();
        for found in word.captures_iter(page.as_str()) {
            let [left, top, right, bottom] = [1, 2, 3, 4].map(|index| found[index].parse::<f64>().unwrap());
            assert!(
                left >= 46.0 && right <= WIDTH - 46.0 && top >= 40.0 && bottom <= HEIGHT - 30.0,
                "outside: {}",
                &found[0]
            );
            #[allow(clippy::cast_possible_truncation, reason = "half points of a page")]
            by_line.entry((bottom * 2.0).round() as i64).or_default().push((left, right, found[5].to_owned()));
        }
        assert!(by_line.len() > 2, "a page that says nothing");
        for words in by_line.values_mut() {
            words.sort_by(|one, other| one.0.total_cmp(&other.0));
            for pair in words.windows(2) {
                assert!(pair[0].1 <= pair[1].0 + 0.6, "{:?} lies over {:?}", pair[0], pair[1]);
            }
        }
    }
    assert_eq!(pages, report.pages());
}
