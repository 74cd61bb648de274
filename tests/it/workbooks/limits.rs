//! Workbooks that are larger than they look, and the limits that meet them.

use std::io::Write;

use serde_json::{Value, json};

use super::{
    DRY, IMPORT, changed, empty_hall, form, good, import, packed, parts, post, post_form, questions, with_part,
    workbook, workbook_of, write_row, write_rows,
};
use crate::hall::{Caller, Hall};

const SHEET: &str = "xl/worksheets/sheet1.xml";
const TOO_LARGE: &str = "The workbook is too large when unpacked";
const MEBIBYTE: usize = 1_024 * 1_024;

/// Asserts that an import is refused, and that the next one is not.
async fn assert_refused(admin: &Caller, file: &[u8], message: &str) {
    post(admin, IMPORT, file).await.assert_error(400, message);
    let answer = post(admin, DRY, &workbook_of(&[good("after")])).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// An import whose file does not come.
fn begin_upload(hall: &Hall, token: &str) -> std::net::TcpStream {
    let mut stream = std::net::TcpStream::connect(hall.base().replace("http://", "")).unwrap();
    let head = format!(
        "POST {IMPORT} HTTP/1.1\r\nHost: exam.test\r\nAuthorization: Bearer {token}\r\nContent-Type: multipart/form-data; boundary=edge\r\nContent-Length: 100000\r\n\r\n--edge\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

mod either_provider {
    use super::*;

    #[tokio::test]
    async fn as_many_rows_as_there_may_be_are_imported() {
        let (_hall, admin) = empty_hall().await;
        let file = workbook(|sheet| {
            write_rows(sheet, &[]);
            (1..3_000).for_each(|number| write_row(sheet, number, &good(&format!("q-{number:05}"))));
        });
        assert_eq!(import(&admin, &file).await, json!({ "added": 2_999, "updated": 0, "errors": [] }));
        assert_eq!(import(&admin, &file).await, json!({ "added": 0, "updated": 2_999, "errors": [] }));
        assert_eq!(questions(&admin, 5).await.len(), 2_999);
    }

    #[tokio::test]
    async fn many_at_once_wait_for_their_turn() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let file = workbook_of(&[good("a")]);
        // More of each than have a turn, and no more, since all banks are packed for each.
        let imports = futures_util::future::join_all((0..5).map(|_| post(&admin, IMPORT, &file)));
        let exports = futures_util::future::join_all((0..5).map(|_| admin.get("/api/admin/export?grade=all")));
        let (imports, exports) = futures_util::future::join(imports, exports).await;
        for answer in imports.iter().chain(&exports) {
            assert_eq!(answer.status, 200, "{}", answer.text());
        }
        let added: u64 = imports.iter().map(|answer| answer.json()["added"].as_u64().unwrap()).sum();
        assert_eq!(added, 1, "one of them was the first");
    }
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn a_file_of_more_than_twenty_mebibytes_is_refused() {
        let (_hall, admin) = empty_hall().await;
        let largest = vec![0; 20 * MEBIBYTE];
        post(&admin, IMPORT, &largest).await.assert_error(400, "Not a spreadsheet workbook");
        let larger = vec![0; 20 * MEBIBYTE + 1];
        post(&admin, IMPORT, &larger).await.assert_error(413, "Request body too large");
        // Announced by its length alone, and not announced at all.
        post_form(&admin, IMPORT, form("other", &vec![0; 21 * MEBIBYTE]))
            .await
            .assert_error(413, "Request body too large");
        let chunks = form("file", &larger)
            .chunks(MEBIBYTE)
            .map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec()))
            .collect::<Vec<_>>();
        let request =
            admin.request(reqwest::Method::POST, IMPORT).header("content-type", "multipart/form-data; boundary=edge");
        let request = request.body(reqwest::Body::wrap_stream(futures_util::stream::iter(chunks)));
        crate::hall::Answer::to(request).await.assert_error(413, "Request body too large");
    }

    #[tokio::test]
    async fn what_stands_around_the_parts_of_a_form_is_counted() {
        let (_hall, admin) = empty_hall().await;
        let empty =
            |bytes| format!("--edge\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n\r\n", "x".repeat(bytes));
        // Without a length it is known only while it comes.
        let chunks = |count| (0..count).map(|_| Ok::<_, std::io::Error>(empty(8_000))).collect::<Vec<_>>();
        let send = async |count| {
            let request = admin
                .request(reqwest::Method::POST, IMPORT)
                .header("content-type", "multipart/form-data; boundary=edge");
            crate::hall::Answer::to(request.body(reqwest::Body::wrap_stream(futures_util::stream::iter(chunks(count)))))
                .await
        };
        send(3_000).await.assert_error(413, "Request body too large");
        send(10).await.assert_error(400, "Invalid file");
    }

    #[tokio::test]
    async fn zip_bombs_are_not_unpacked() {
        let (_hall, admin) = empty_hall().await;
        let good = workbook_of(&[good("a")]);
        let spaces = vec![b' '; 101 * MEBIBYTE];
        let bomb = with_part(&good, SHEET, |sheet| [sheet.as_bytes(), &spaces].concat());
        assert!(bomb.len() < MEBIBYTE, "it looks small");
        assert_refused(&admin, &bomb, TOO_LARGE).await;
        // The same with a header and a directory that say 1,000 bytes.
        let size =
            u32::try_from(parts(&bomb).iter().find(|(name, _)| name == SHEET).unwrap().1.len()).unwrap().to_le_bytes();
        let mut lying = bomb;
        let places: Vec<usize> =
            lying.windows(4).enumerate().filter(|(_, bytes)| *bytes == size).map(|(place, _)| place).collect();
        assert!(!places.is_empty());
        places.into_iter().for_each(|place| lying[place..place + 4].copy_from_slice(&1_000_u32.to_le_bytes()));
        let answer = post(&admin, IMPORT, &lying).await;
        assert_eq!(answer.status, 400, "{}", answer.text());
        // Many parts that are large together, and very many parts.
        let mut large = parts(&good);
        large.extend(
            (2..14).map(|number| (format!("xl/worksheets/sheet{number}.xml"), spaces[..9 * MEBIBYTE].to_vec())),
        );
        assert_refused(&admin, &packed(&large), TOO_LARGE).await;
        let mut many = parts(&good);
        many.extend((0..3_000).map(|number| (format!("xl/part{number}.xml"), Vec::new())));
        assert_refused(&admin, &packed(&many), TOO_LARGE).await;
    }

    #[tokio::test]
    async fn a_bomb_that_is_not_needed_is_no_harm() {
        let (_hall, admin) = empty_hall().await;
        let mut parts = parts(&workbook_of(&[good("a")]));
        parts.push(("xl/media/image1.png".to_owned(), vec![0; 150 * MEBIBYTE]));
        assert_eq!(import(&admin, &packed(&parts)).await["added"], 1);
    }

    #[tokio::test]
    async fn a_file_within_a_file_is_not_opened() {
        let (_hall, admin) = empty_hall().await;
        let inner = workbook_of(&[good("a")]);
        assert_refused(&admin, &packed(&[("questions.xlsx".to_owned(), inner)]), "Not a spreadsheet workbook").await;
    }

    #[tokio::test]
    async fn what_a_part_announces_is_not_believed() {
        let (_hall, admin) = empty_hall().await;
        let good = workbook_of(&[good("a")]);
        for count in ["1000001", "4000000000", "9999999999999999", "18446744073709551615"] {
            let file = with_part(&good, "xl/sharedStrings.xml", |table| {
                let place = table.find("uniqueCount=\"").unwrap() + 13;
                let end = place + table[place..].find('"').unwrap();
                format!("{}{count}{}", &table[..place], &table[end..]).into_bytes()
            });
            assert_refused(&admin, &file, TOO_LARGE).await;
        }
    }

    #[tokio::test]
    async fn formats_that_multiply_are_dropped() {
        let (_hall, admin) = empty_hall().await;
        let good = workbook_of(&[good("a")]);
        // A font's name of 1 MiB in each of 60,000 formats would be 60 GB.
        let styles = |count: usize| {
            let font = format!("<fonts><font><name val=\"{}\"/></font></fonts>", "x".repeat(MEBIBYTE));
            format!("<styleSheet>{font}<cellXfs>{}</cellXfs></styleSheet>", "<xf fontId=\"0\"/>".repeat(count))
                .into_bytes()
        };
        assert_eq!(import(&admin, &with_part(&good, "xl/styles.xml", |_| styles(60_000))).await["errors"], json!([]));
        assert_refused(&admin, &with_part(&good, "xl/styles.xml", |_| styles(70_000)), TOO_LARGE).await;
    }

    #[tokio::test]
    async fn far_cells_are_no_memory() {
        let (_hall, admin) = empty_hall().await;
        let far = |row, column| {
            workbook(|sheet| {
                write_rows(sheet, &[good("a")]);
                sheet.write_string(row, column, "far away").unwrap();
            })
        };
        assert_refused(&admin, &far(1_048_575, 16_383), "The sheet has more than 100 columns").await;
        assert_refused(&admin, &far(1_048_575, 0), "The sheet has more than 50,000 rows").await;
        assert_refused(&admin, &far(50_000, 0), "The sheet has more than 50,000 rows").await;
        assert_refused(&admin, &far(3, 100), "The sheet has more than 100 columns").await;
        // The last row and the last column that there may be.
        assert_eq!(import(&admin, &far(3, 99)).await, json!({ "added": 1, "updated": 0, "errors": [] }));
        assert_eq!(
            import(&admin, &far(49_999, 0)).await,
            json!({ "added": 0, "updated": 1, "errors": [
            "Row 50000: grade required; difficulty required; question required; answer must be one of A, B, C, D"
        ] })
        );
        let named_far = with_part(&workbook_of(&[good("a")]), SHEET, |sheet| {
            sheet.replace("r=\"A2\"", "r=\"ZZZZZZZZZ99999999999999\"").into_bytes()
        });
        assert_eq!(post(&admin, DRY, &named_far).await.status, 400);
    }

    #[tokio::test]
    async fn far_cells_without_anything_count_for_nothing() {
        let (_hall, admin) = empty_hall().await;
        let file = workbook(|sheet| {
            write_rows(sheet, &[good("a")]);
            let format = rust_xlsxwriter::Format::new().set_bold();
            sheet.write_blank(1_048_575, 16_383, &format).unwrap();
            sheet.write_string(60_000, 200, " ").unwrap();
        });
        assert_eq!(import(&admin, &file).await, json!({ "added": 1, "updated": 0, "errors": [] }));
    }

    #[tokio::test]
    async fn a_cell_holds_what_a_cell_holds() {
        let (_hall, admin) = empty_hall().await;
        let longest = "ß".repeat(32_767);
        let longer = |units| {
            let file = workbook_of(&[
                good("a"),
                changed("b", &json!({ "question": "LONG" })),
                super::changed("c", &json!({ "question": longest })),
            ]);
            with_part(&file, "xl/sharedStrings.xml", |table| {
                table.replace(">LONG<", &format!(">{}<", "x".repeat(units))).into_bytes()
            })
        };
        for units in [32_768, 200_000, 5_000_000] {
            let report = import(&admin, &longer(units)).await;
            assert_eq!(report["errors"], json!(["Row 3: question is longer than 32767 characters"]), "{units}");
        }
        let list = questions(&admin, 5).await;
        assert_eq!(list.iter().map(|question| question["id"].as_str().unwrap()).collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(list[1]["question"], longest);
    }

    #[tokio::test]
    async fn more_than_can_wait_are_told_so() {
        let hall = Hall::open().await;
        let (admin, token) = (hall.signed_in("admin").await, hall.token("admin").await);
        // An upload that meets the asking export on the last place is refused itself, so there is one more each time.
        let mut uploads: Vec<_> = (0..15).map(|_| begin_upload(&hall, &token)).collect();
        let all_taken = async || {
            uploads.push(begin_upload(&hall, &token));
            Some(admin.get("/api/admin/export?grade=1").await).filter(|answer| answer.status == 503)
        };
        crate::hall::eventually("all places are taken", all_taken).await.assert_error(503, "The server is busy");
        let refused = post(&admin, IMPORT, &workbook_of(&[good("a")])).await;
        refused.assert_error(503, "The server is busy");
        assert!(!refused.header("retry-after").is_empty());
        drop(uploads);
        crate::hall::eventually("a place is free again", async || {
            (admin.get("/api/admin/export?grade=1").await.status == 200).then_some(())
        })
        .await;
    }

    #[tokio::test]
    async fn an_upload_that_stands_still_is_ended() {
        let (hall, admin) = empty_hall().await;
        let token = hall.token("admin").await;
        let mut stream = begin_upload(&hall, &token);
        stream.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
        let answer = tokio::task::spawn_blocking(move || {
            let mut answer = [0; 64];
            std::io::Read::read(&mut stream, &mut answer)
                .map(|count| String::from_utf8_lossy(&answer[..count]).into_owned())
        });
        assert!(answer.await.unwrap().unwrap().starts_with("HTTP/1.1 408"));
        assert_eq!(import(&admin, &workbook_of(&[good("a")])).await["added"], 1);
    }

    #[tokio::test]
    async fn one_text_in_many_cells_is_counted_for_each() {
        let (_hall, admin) = empty_hall().await;
        let text = "x".repeat(32_000);
        let rows: Vec<Value> = (0..1_000)
            .map(|number| {
                changed(
                    &format!("q-{number}"),
                    &json!({ "question": text, "optionA": text, "topic": text, "explanation": text }),
                )
            })
            .collect();
        let file = workbook_of(&rows);
        assert!(file.len() < MEBIBYTE, "{}", file.len());
        assert_refused(&admin, &file, TOO_LARGE).await;
        assert_eq!(
            import(&admin, &workbook_of(&rows[..400])).await,
            json!({ "added": 400, "updated": 0, "errors": [] })
        );
    }
}
