//! `POST /api/admin/import`: what is added, overwritten and told.

use rust_xlsxwriter::Worksheet;
use serde_json::{Value, json};

use super::{
    DRY, IMPORT, changed, empty_hall, form, good, import, post, post_form, question_of, questions, workbook,
    workbook_of, write_row, write_rows,
};
use crate::hall::{Hall, plain};

#[tokio::test]
async fn rows_become_questions() {
    let (hall, admin) = empty_hall().await;
    let rows = [
        good("a"),
        changed("b", &json!({ "grade": 6 })),
        changed("c", &json!({ "optionC": null, "optionD": null, "answer": "A" })),
    ];
    assert_eq!(import(&admin, &workbook_of(&rows)).await, json!({ "added": 3, "updated": 0, "errors": [] }));
    let list = questions(&admin, 5).await;
    assert_eq!(list[0], question_of(&rows[0]));
    assert_eq!(list[1]["options"], json!(["1", "2"]));
    assert_eq!(questions(&admin, 6).await, [question_of(&rows[1])]);
    assert_eq!(hall.bank(5).await.questions, plain(list), "students get them at once");
}

#[tokio::test]
async fn an_empty_id_becomes_a_new_uuid() {
    let (_hall, admin) = empty_hall().await;
    let row = changed("", &json!({ "topic": null, "subtopic": "", "source": " ", "type": null, "explanation": null }));
    let file = workbook_of(&[row.clone(), row]);
    for round in 1..=2 {
        assert_eq!(import(&admin, &file).await, json!({ "added": 2, "updated": 0, "errors": [] }));
        let list = questions(&admin, 5).await;
        assert_eq!(list.len(), 2 * round);
        for question in list {
            let id: uuid::Uuid = question["id"].as_str().unwrap().parse().unwrap();
            assert_eq!(id.get_version_num(), 4);
            assert_eq!(
                (&question["topic"], &question["source"], &question["type"]),
                (&json!("General"), &json!("import"), &json!("multiple-choice"))
            );
            assert_eq!(
                (&question["subtopic"], &question["explanation"], &question["image"]),
                (&json!(""), &json!(""), &json!(""))
            );
        }
    }
}

#[tokio::test]
async fn a_topic_in_other_letters_or_the_other_language_is_no_second_one() {
    let (_hall, admin) = empty_hall().await;
    let row = |(id, topic): (&str, &str)| changed(id, &json!({ "topic": topic }));
    let first = workbook_of(&[("a", "Clocks"), ("b", "Phân số")].map(row));
    assert_eq!(import(&admin, &first).await, json!({ "added": 2, "updated": 0, "errors": [] }));
    let file = workbook_of(&[("c", "clocks"), ("d", "FRACTIONS")].map(row));
    for counts in [json!({ "added": 2, "updated": 0, "errors": [] }), json!({ "added": 0, "updated": 2, "errors": [] })]
    {
        assert_eq!(import(&admin, &file).await, counts);
        let stored: Vec<Value> = questions(&admin, 5).await.iter().map(|question| question["topic"].clone()).collect();
        assert_eq!(stored, ["Clocks", "Phân số", "Clocks", "Phân số"], "as the bank has them");
    }
    let dry = post(&admin, DRY, &file).await.json();
    assert_eq!(dry["changes"], Value::Null, "a second import changes nothing: {dry}");
    // Whoever sends all questions of a topic in another spelling has mended it.
    let mended = workbook_of(&[("a", "CLOCKS"), ("b", "Fractions"), ("c", "CLOCKS"), ("d", "Fractions")].map(row));
    assert_eq!(import(&admin, &mended).await, json!({ "added": 0, "updated": 4, "errors": [] }));
    let stored: Vec<Value> = questions(&admin, 5).await.iter().map(|question| question["topic"].clone()).collect();
    assert_eq!(stored, ["CLOCKS", "Fractions", "CLOCKS", "Fractions"]);
}

#[tokio::test]
async fn an_existing_id_overwrites_the_whole_question() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let rows = [
        changed("g5-001", &json!({ "explanation": null, "optionC": null, "optionD": null })),
        changed("unknown-1", &json!({ "grade": 5 })),
        changed("", &json!({ "grade": 5 })),
    ];
    assert_eq!(import(&admin, &workbook_of(&rows)).await, json!({ "added": 2, "updated": 1, "errors": [] }));
    let bank = hall.bank(5).await;
    assert_eq!(bank.questions.len(), 122);
    let question = bank.question("g5-001");
    assert_eq!(
        (&question["explanation"], &question["options"], &question["topic"]),
        (&json!(""), &json!(["1", "2"]), &json!("Sums"))
    );
    assert_eq!(bank.question("unknown-1")["question"], rows[1]["question"]);
}

#[tokio::test]
async fn a_row_may_ask_for_a_number() {
    let (_hall, admin) = empty_hall().await;
    let number = |id: &str, changes: Value| {
        let mut row = changed(
            id,
            &json!({ "type": "number", "optionA": null, "optionB": null, "optionC": null, "optionD": null, "answer": "0.5" }),
        );
        for (name, value) in changes.as_object().unwrap() {
            row[name] = value.clone();
        }
        row
    };
    let told =
        json!({ "answer": "−0,5", "tolerance": 0.05, "unit": "cm", "forms": "mixed; decimal", "language": "VI" });
    let rows = [
        number("a", told),
        number("b", json!({ "type": "Number", "answer": 12 })),
        number("c", json!({ "answer": "half", "optionA": "1" })),
        number("d", json!({ "optionB": "1", "tolerance": "-1", "unit": "5 cm", "forms": "roman", "language": "fr" })),
        number("e", json!({ "type": null })),
    ];
    assert_eq!(
        import(&admin, &workbook_of(&rows)).await,
        json!({ "added": 2, "updated": 0, "errors": [
            "Row 4: answer must be a number in digits, such as 12, -3 or 0.5",
            "Row 5: a question of the type number has no options; tolerance must be a number in digits that is not negative; unit must have at most 20 characters, and not begin like a number; forms must be some of decimal, fraction, mixed; language must be en or vi",
            "Row 6: optionA required",
        ] })
    );
    let list = questions(&admin, 5).await;
    let found = |question: &Value| {
        ["type", "options", "answer", "tolerance", "unit", "forms", "language"].map(|name| question[name].clone())
    };
    let all = json!(["decimal", "fraction", "mixed"]);
    assert_eq!(json!(found(&list[0])), json!(["number", [], "-0.5", "0.05", "cm", ["decimal", "mixed"], "vi"]));
    assert_eq!(json!(found(&list[1])), json!(["number", [], "12", "0", "", all, "en"]));
    // A sheet from before there were numbers leaves what it has no column for.
    let old = b"id,grade,difficulty,question,optionA,optionB,answer\na,5,1,Other?,,,0.75\n";
    assert_eq!(import(&admin, old).await, json!({ "added": 0, "updated": 1, "errors": [] }));
    let kept = questions(&admin, 5).await;
    assert_eq!(json!(found(&kept[0])), json!(["number", [], "0.75", "0.05", "cm", ["decimal", "mixed"], "vi"]));
}

#[tokio::test]
async fn a_question_can_move_to_another_grade() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    // Both banks are at hand before.
    assert_eq!((hall.bank(5).await.questions.len(), hall.bank(7).await.questions.len()), (120, 120));
    import(&admin, &workbook_of(&[changed("g5-001", &json!({ "grade": 7 }))])).await;
    let (left, joined) = (hall.bank(5).await, hall.bank(7).await);
    assert_eq!((left.questions.len(), joined.questions.len()), (119, 121));
    assert!(!left.ids().contains(&"g5-001".to_owned()));
    assert_eq!(joined.question("g5-001")["grade"], 7);
}

#[tokio::test]
async fn bad_rows_are_told_and_the_others_apply() {
    let (_hall, admin) = empty_hall().await;
    let rows = [
        good("a"),
        changed("b", &json!({ "answer": "E" })),
        changed("c", &json!({ "grade": null })),
        good("d"),
        changed("e", &json!({ "grade": 11 })),
        changed("f", &json!({ "difficulty": 0 })),
        changed("g", &json!({ "question": "  " })),
        changed("h", &json!({ "optionC": null })),
        changed("i", &json!({ "optionD": null, "answer": "D" })),
        good("a"),
        changed("j", &json!({ "topic": "a\u{7}b" })),
        changed(&"x".repeat(101), &json!({})),
        changed("k", &json!({ "difficulty": null })),
        changed("l", &json!({ "optionA": null })),
        good("m"),
    ];
    let errors = json!([
        "Row 3: answer must be one of A, B, C, D",
        "Row 4: grade required",
        "Row 6: grade must be 1 to 10",
        "Row 7: difficulty must be 1 to 5",
        "Row 8: question required",
        "Row 9: optionC is empty, but optionD is not",
        "Row 10: answer D has no option",
        "Row 11: id a stands in row 2 already",
        "Row 12: topic has control characters",
        "Row 13: id is longer than 100 characters",
        "Row 14: difficulty required",
        "Row 15: optionA required",
    ]);
    assert_eq!(import(&admin, &workbook_of(&rows)).await, json!({ "added": 3, "updated": 0, "errors": errors }));
    let ids: Vec<Value> = questions(&admin, 5).await.into_iter().map(|question| question["id"].clone()).collect();
    assert_eq!(ids, ["a", "d", "m"]);
}

#[tokio::test]
async fn a_dry_run_writes_nothing() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let before = hall.bank(5).await.questions;
    let file = workbook_of(&[
        changed("g5-001", &json!({ "grade": 6 })),
        good("new"),
        good(""),
        changed("bad", &json!({ "answer": "" })),
    ]);
    let expected = json!({ "added": 2, "updated": 1, "errors": ["Row 5: answer must be one of A, B, C, D"] });
    for path in [DRY, "/api/admin/import?dryRun=1"] {
        let answer = post(&admin, path, &file).await;
        let mut report = answer.json();
        let changes = report.as_object_mut().unwrap().remove("changes").unwrap();
        assert_eq!((answer.status, report), (200, expected.clone()));
        let fields = changes[0]["fields"].as_array().unwrap();
        assert!(fields.contains(&json!("grade")) && !fields.contains(&json!("id")), "{fields:?}");
        assert_eq!(changes, json!([{ "row": 2, "id": "g5-001", "fields": fields }]));
    }
    assert_eq!(plain(questions(&admin, 5).await), before);
    post(&admin, "/api/admin/import?dryRun=perhaps", &file).await.assert_error(400, "Invalid dryRun");
    assert_eq!(plain(questions(&admin, 5).await), before);
    for path in ["/api/admin/import?dryRun=false", "/api/admin/import?dryRun="] {
        assert_eq!(post(&admin, path, &file).await.json()["errors"], expected["errors"]);
    }
    assert_eq!(
        plain(questions(&admin, 5).await).len(),
        before.len() - 1 + 3,
        "one moved; one by its id, and one new at each import"
    );
}

fn write_texts(sheet: &mut Worksheet, row: u32, texts: &[&str]) {
    for (place, text) in (0..).zip(texts) {
        sheet.write_string(row, place, *text).unwrap();
    }
}

/// A sheet with these columns alone.
fn of_columns(columns: &[&str], rows: &[Value]) -> Vec<u8> {
    workbook(|sheet| {
        write_texts(sheet, 0, columns);
        for (number, row) in (1..).zip(rows) {
            let texts: Vec<String> = columns
                .iter()
                .map(|name| row[*name].as_str().map_or_else(|| row[*name].to_string(), str::to_owned))
                .collect();
            write_texts(sheet, number, &texts.iter().map(String::as_str).collect::<Vec<_>>());
        }
    })
}

const LEAST: [&str; 7] = ["id", "grade", "difficulty", "question", "optionA", "optionB", "answer"];

#[tokio::test]
async fn a_missing_column_keeps_what_is_stored() {
    let (hall, admin) = empty_hall().await;
    import(
        &admin,
        &workbook_of(&[
            changed(
                "a",
                &json!({ "answer": "D", "image": "https://exam.example/a.png", "imageDescription": "An apple" }),
            ),
            changed("b", &json!({ "optionD": null })),
        ]),
    )
    .await;
    let before = questions(&admin, 5).await;
    let row = |id: &str, answer: &str| {
        changed(id, &json!({ "question": "What is 2 + 2?", "difficulty": 4, "optionA": "one", "answer": answer }))
    };
    let rows =
        [row("b", "D"), row("a", "D"), row("new", "C"), row("newer", "A"), row("b", "A"), row("b", "B"), row("", "B")];
    // Its first good row takes an id.
    let errors =
        ["Row 2: answer D has no option", "Row 4: answer C has no option", "Row 7: id b stands in row 6 already"];
    let expected = json!({ "added": 2, "updated": 2, "errors": errors });
    let file = of_columns(&LEAST, &rows);
    let mut dry = post(&admin, DRY, &file).await.json();
    let changes = dry.as_object_mut().unwrap().remove("changes").unwrap();
    assert_eq!(dry, expected);
    assert_eq!(changes.as_array().unwrap().len(), 2, "{changes}");
    assert_eq!(questions(&admin, 5).await, before, "a dry run");
    assert_eq!(import(&admin, &file).await, expected);
    let bank = hall.bank(5).await;
    let before = plain(before);
    let mut kept = before[0].clone();
    (kept["question"], kept["difficulty"], kept["options"][0]) = (json!("What is 2 + 2?"), json!(4), json!("one"));
    let mut taken = before[1].clone();
    (taken["question"], taken["difficulty"], taken["options"][0], taken["answer"]) =
        (json!("What is 2 + 2?"), json!(4), json!("one"), json!("A"));
    assert_eq!((bank.question("a"), bank.question("b")), (&kept, &taken));
    assert_eq!(
        (&bank.question("newer")["topic"], &bank.question("newer")["options"]),
        (&json!("General"), &json!(["one", "2"]))
    );
    // An empty cell of a column that is there overwrites.
    let file = of_columns(
        &[&LEAST[..], &["optionD", "explanation"]].concat(),
        &[changed("a", &json!({ "optionD": "", "explanation": "", "answer": "C" }))],
    );
    assert_eq!(import(&admin, &file).await, json!({ "added": 0, "updated": 1, "errors": [] }));
    let bank = hall.bank(5).await;
    let question = bank.question("a");
    assert_eq!(
        (&question["options"], &question["explanation"], &question["image"]),
        (&json!(["1", "2", "3"]), &json!(""), &kept["image"])
    );
    assert_eq!(question["imageDescription"], "An apple");
    let file = of_columns(
        &[&LEAST[..], &["imageDescription"]].concat(),
        &[changed("a", &json!({ "optionD": "", "answer": "C", "imageDescription": "A pear" }))],
    );
    assert_eq!(import(&admin, &file).await, json!({ "added": 0, "updated": 1, "errors": [] }));
    assert_eq!(hall.bank(5).await.question("a")["imageDescription"], "A pear");
}

#[tokio::test]
async fn many_rows_without_some_column_are_all_completed() {
    let (_hall, admin) = empty_hall().await;
    let rows: Vec<Value> = (0..1_100)
        .map(|number| changed(&format!("q-{number:04}"), &json!({ "topic": format!("Topic {number}"), "answer": "D" })))
        .collect();
    import(&admin, &workbook_of(&rows)).await;
    let before = questions(&admin, 5).await;
    assert_eq!(import(&admin, &of_columns(&LEAST, &rows)).await, json!({ "added": 0, "updated": 1_100, "errors": [] }));
    assert_eq!(questions(&admin, 5).await, before);
}

#[tokio::test]
async fn what_an_import_changes_is_in_the_log_of_edits() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let log = async || {
        let log = admin.get("/api/admin/review/log?grade=5").await.json();
        log["editLog"].as_array().unwrap().clone()
    };
    assert_eq!(import(&admin, &workbook_of(&[good("a"), good("b")])).await["added"], 2);
    assert!(log().await.is_empty(), "new questions are no edits");
    let rows = [changed("a", &json!({ "answer": "C", "difficulty": 3 })), good("b"), good("c")];
    assert_eq!(import(&admin, &workbook_of(&rows)).await["updated"], 2);
    let edits = log().await;
    assert_eq!(edits.len(), 1, "{edits:?}");
    assert_eq!(edits[0]["editedBy"], "admin@exam.test");
    assert_eq!((&edits[0]["questionId"], &edits[0]["comment"]), (&json!("a"), &json!("Imported from a file")));
    assert_eq!(
        edits[0]["changes"],
        json!([
            { "field": "Answer", "before": "B", "after": "C" },
            { "field": "Difficulty", "before": "2", "after": "3" },
        ])
    );
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn a_form_without_the_file_is_invalid() {
        let (_hall, admin) = empty_hall().await;
        let file = workbook_of(&[good("a")]);
        post_form(&admin, IMPORT, form("workbook", &file)).await.assert_error(400, "Invalid file");
        for body in [
            "",
            "--edge--\r\n",
            "--edge\r\n",
            "nothing",
            "--edge\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\ncut short",
        ] {
            post_form(&admin, IMPORT, body.as_bytes().to_vec()).await.assert_error(400, "Invalid file");
        }
        admin.post_json(IMPORT, &json!({ "file": "q.xlsx" })).await.assert_error(400, "Invalid file");
        let request = admin.request(reqwest::Method::POST, IMPORT).body(file.clone());
        crate::hall::Answer::to(request).await.assert_error(400, "Invalid file");
        assert!(questions(&admin, 5).await.is_empty());
    }

    #[tokio::test]
    async fn other_parts_of_the_form_are_passed_over() {
        let (_hall, admin) = empty_hall().await;
        let other = "--edge\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nfrom the school\r\n";
        let body = [other.as_bytes(), &form("file", &workbook_of(&[good("a")]))].concat();
        let answer = post_form(&admin, IMPORT, body).await;
        assert_eq!((answer.status, answer.json()["added"].clone()), (200, json!(1)), "{}", answer.text());
    }

    #[tokio::test]
    async fn what_is_no_workbook_says_so() {
        let (_hall, admin) = empty_hall().await;
        let file = workbook_of(&[good("a")]);
        let no_workbooks: [Vec<u8>; 5] = [
            vec![],
            b"PK\x03\x04".to_vec(),
            b"%PDF-1.7".to_vec(),
            super::super::packed(&[("readme.txt".to_owned(), b"an archive of something else".to_vec())]),
            file[..file.len() / 2].to_vec(),
        ];
        for file in no_workbooks {
            post(&admin, IMPORT, &file).await.assert_error(400, "Not a spreadsheet workbook");
        }
    }

    #[tokio::test]
    async fn missing_columns_are_named() {
        let (_hall, admin) = empty_hall().await;
        let all = "Missing columns: grade, difficulty, question, optionA, optionB, answer";
        let headers: [(&[&str], &str); 4] = [
            (&[], all),
            (&["id", "topic", "text"], all),
            (&["id", "Grade", "question", "Option A", "optionb"], "Missing columns: difficulty, answer"),
            (&["grade", "difficulty", "question", "optionA", "optionB"], "Missing columns: answer"),
        ];
        for (header, message) in headers {
            let file = workbook(|sheet| write_texts(sheet, 0, header));
            post(&admin, IMPORT, &file).await.assert_error(400, message);
        }
    }

    #[tokio::test]
    async fn optional_columns_may_be_missing_and_others_are_passed_over() {
        let (_hall, admin) = empty_hall().await;
        let file = workbook(|sheet| {
            let rows = [
                ["remarks", " ANSWER", "Option B", "optiona\n", "QUESTION", "Difficulty ", "grade"],
                ["see below", "a", "two", "one", "Which?", "4", "9"],
            ];
            for (number, row) in (4..).zip(rows) {
                write_texts(sheet, number, &row);
            }
        });
        assert_eq!(import(&admin, &file).await["added"], 1);
        let question = questions(&admin, 9).await.remove(0);
        assert_eq!(
            (&question["options"], &question["answer"], &question["difficulty"]),
            (&json!(["one", "two"]), &json!("A"), &json!(4))
        );
    }

    #[tokio::test]
    async fn the_header_is_one_of_the_first_ten_rows() {
        let (_hall, admin) = empty_hall().await;
        let titled = |titles: u32| {
            workbook(|sheet| {
                (0..titles).for_each(|row| write_texts(sheet, row, &["Questions of grade 5", "grade"]));
                for (number, row) in (titles + 3..).zip([
                    &LEAST[..],
                    &["a", "5", "1", "What?", "one", "two", "X"],
                    &["b", "5", "1", "What?", "one", "two", "A"],
                ]) {
                    write_texts(sheet, number, row);
                }
            })
        };
        assert_eq!(
            import(&admin, &titled(9)).await,
            json!({ "added": 1, "updated": 0, "errors": ["Row 14: answer must be one of A, B, C, D"] })
        );
        post(&admin, IMPORT, &titled(10))
            .await
            .assert_error(400, "Missing columns: difficulty, question, optionA, optionB, answer");
    }

    #[tokio::test]
    async fn a_column_that_stands_twice_is_named() {
        let (_hall, admin) = empty_hall().await;
        let file = of_columns(&[&LEAST[..], &["remarks", " Answer", "remarks"]].concat(), &[good("a")]);
        post(&admin, IMPORT, &file).await.assert_error(400, "Column answer stands twice");
    }

    #[tokio::test]
    async fn an_empty_part_before_the_file_is_passed_over() {
        let (_hall, admin) = empty_hall().await;
        let empty = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n\r\n";
        let body = [empty.as_bytes(), &form("file", &workbook_of(&[good("a")]))].concat();
        let answer = post_form(&admin, IMPORT, body).await;
        assert_eq!((answer.status, answer.json()["added"].clone()), (200, json!(1)), "{}", answer.text());
    }

    #[tokio::test]
    async fn line_ends_are_of_one_kind() {
        let (_hall, admin) = empty_hall().await;
        let file = workbook_of(&[changed("a", &json!({ "question": "one\r\ntwo\rthree\n", "optionA": "\r1" }))]);
        import(&admin, &file).await;
        let question = questions(&admin, 5).await.remove(0);
        assert_eq!((&question["question"], &question["options"][0]), (&json!("one\ntwo\nthree"), &json!("1")));
        let same =
            json!({ "questionId": "a", "grade": 5, "comment": "", "updates": { "question": " one\rtwo\r\nthree" } });
        admin.post_json("/api/review/edit", &same).await.assert_error(400, "No changes");
    }

    #[tokio::test]
    async fn empty_rows_are_skipped_and_counted() {
        let (_hall, admin) = empty_hall().await;
        let file = workbook(|sheet| {
            write_rows(sheet, &[]);
            write_row(sheet, 3, &good("a"));
            write_row(sheet, 4, &json!({ "id": "", "question": "   ", "topic": "\n" }));
            write_row(sheet, 10, &changed("b", &json!({ "answer": "x" })));
            write_row(sheet, 999, &changed("c", &json!({ "grade": "none" })));
        });
        let errors = ["Row 11: answer must be one of A, B, C, D", "Row 1000: grade must be 1 to 10"];
        assert_eq!(import(&admin, &file).await, json!({ "added": 1, "updated": 0, "errors": errors }));
    }
}
