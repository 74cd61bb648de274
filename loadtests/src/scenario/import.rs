//! The import scenario: an admin imports one file with a whole school's questions, a workbook or Moodle XML. It
//! measures how long that takes and how much memory the server needs.

use crate::failure::Failure;
use crate::output;
use crate::server::Server;
use crate::table::{count, figure, row};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use rust_xlsxwriter::{Workbook, XlsxError};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Instant;

/// Errors of an import that are printed; one is often enough to see the cause of all.
const ERRORS_SHOWN_MAX: usize = 5;
/// The sides of a picture, which has as many bytes as points: with 1,000 of them and 10,000 questions the file is
/// nearly as large as one may be.
const PICTURE_SIDE: u16 = 77;
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const COLUMNS: [&str; 13] = [
    "id",
    "grade",
    "topic",
    "subtopic",
    "difficulty",
    "source",
    "question",
    "optionA",
    "optionB",
    "optionC",
    "optionD",
    "answer",
    "explanation",
];

#[derive(Args)]
pub struct ImportOptions {
    /// API token of an admin, as `examhall token create` prints it.
    #[arg(long, env = "EXAMHALL_TOKEN", hide_env_values = true)]
    token: String,
    /// Rows of the workbook.
    #[arg(long, default_value_t = 12_000, value_parser = clap::value_parser!(u32).range(1..50_000))]
    questions: u32,
    /// Import Moodle XML instead of a workbook, with so many pictures.
    #[arg(long)]
    moodle_pictures: Option<u32>,
    /// Process id of the server on this machine; without it the server's memory is n/a.
    #[arg(long)]
    server_pid: Option<u32>,
}

/// Imports new questions, then the same ones again. It passes when every row was accepted both times.
pub async fn run(server: &Server, options: &ImportOptions) -> Result<bool, Failure> {
    let file = match options.moodle_pictures {
        Some(pictures) => moodle_xml(options.questions, pictures)?.into_bytes(),
        None => workbook(options.questions)?,
    };
    let mut rows = vec![
        count("questions", options.questions.into()),
        figure("file", Some(file.len() as f64 / 1024.0), " KiB"),
        peak("memory before", options),
    ];
    let mut passed = true;
    for times in ["first", "again"] {
        output::progress(&format!("Importing: {times}"));
        let begun = Instant::now();
        let imported = server.import(&options.token, &file).await?;
        rows.push(row(&format!("{times}: took"), format!("{:.2} s", begun.elapsed().as_secs_f64())));
        rows.push(count(&format!("{times}: added"), imported.added));
        rows.push(count(&format!("{times}: updated"), imported.updated));
        rows.push(count(&format!("{times}: errors"), imported.errors.len() as u64));
        rows.push(peak(&format!("{times}: most memory so far"), options));
        imported.errors.iter().take(ERRORS_SHOWN_MAX).for_each(|error| output::progress(error));
        passed &= imported.errors.is_empty() && imported.added + imported.updated == u64::from(options.questions);
    }
    output::print_rows(&rows, passed);
    Ok(passed)
}

fn peak(label: &str, options: &ImportOptions) -> (String, String) {
    let status = options.server_pid.and_then(|id| std::fs::read_to_string(format!("/proc/{id}/status")).ok());
    figure(label, status.and_then(|status| peak_mebibytes(&status)), " MiB")
}

/// The peak of a process's resident memory.
fn peak_mebibytes(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? / 1024.0)
}

/// The questions of the first numbers have pictures, each another one.
fn moodle_xml(questions: u32, pictures: u32) -> io::Result<String> {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n".to_owned();
    for number in 1..=questions {
        let (left, right) = (number * 7 % 1_000, number * 13 % 900);
        let (image, file) = if number <= pictures { picture(number)? } else { Default::default() };
        let _ = writeln!(
            xml,
            "<question type=\"multichoice\"><name><text>load {number}</text></name><questiontext format=\"html\"><text>\
             <![CDATA[<p>A class of school <b>{number}</b> collects \\({left}\\) leaves and then {right}. How many has it?</p>{image}]]>\
             </text>{file}</questiontext><generalfeedback format=\"html\"><text>Both are added.</text></generalfeedback>\
             <idnumber>load-{number:05}</idnumber><single>true</single>"
        );
        for (place, option) in [left + right, left + right + 1, left + right + 10, left + 2 * right].iter().enumerate()
        {
            let fraction = if place == 0 { 100 } else { 0 };
            let _ = writeln!(
                xml,
                "<answer fraction=\"{fraction}\" format=\"html\"><text>{option} leaves {place}</text></answer>"
            );
        }
        let _ = writeln!(
            xml,
            "<tags><tag><text>grade:{}</text></tag><tag><text>difficulty:{}</text></tag></tags></question>",
            number % 10 + 1,
            number % 5 + 1
        );
    }
    xml.push_str("</quiz>\n");
    Ok(xml)
}

/// A picture in the text, and its file.
fn picture(number: u32) -> io::Result<(String, String)> {
    let encoded = BASE64_STANDARD.encode(png(number)?);
    Ok((
        "<img src=\"@@PLUGINFILE@@/leaves.png\" alt=\"Leaves\">".to_owned(),
        format!("<file name=\"leaves.png\" path=\"/\" encoding=\"base64\">{encoded}</file>"),
    ))
}

/// A PNG of random greys, which nothing makes smaller.
fn png(number: u32) -> io::Result<Vec<u8>> {
    let mut random = fastrand::Rng::with_seed(number.into());
    let mut points = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..PICTURE_SIDE {
        // The filter of the row: none.
        points.write_all(&[0])?;
        let row: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(PICTURE_SIDE.into()).collect();
        points.write_all(&row)?;
    }
    let side = u32::from(PICTURE_SIDE).to_be_bytes();
    // Eight bits a point, grey, with the usual compression and filters, and not interlaced.
    let head = [&side[..], &side, &[8, 0, 0, 0, 0]].concat();
    let chunks = [chunk(b"IHDR", &head)?, chunk(b"IDAT", &points.finish()?)?, chunk(b"IEND", &[])?];
    Ok([PNG_SIGNATURE, &chunks.concat()].concat())
}

fn chunk(kind: &[u8], data: &[u8]) -> io::Result<Vec<u8>> {
    let length = u32::try_from(data.len()).map_err(io::Error::other)?;
    let mut checksum = Crc::new();
    checksum.update(kind);
    checksum.update(data);
    Ok([&length.to_be_bytes(), kind, data, &checksum.sum().to_be_bytes()].concat())
}

/// No two rows share a long text, so that the file is as large as one of real questions.
fn workbook(questions: u32) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("Questions")?;
    sheet.write_row(0, 0, COLUMNS)?;
    for number in 1..=questions {
        let (left, right) = (number * 7 % 1_000, number * 13 % 900);
        sheet.write_string(number, 0, format!("load-{number:05}"))?;
        sheet.write_number(number, 1, number % 10 + 1)?;
        sheet.write_string(number, 2, format!("Topic {}", number % 12))?;
        sheet.write_string(number, 3, format!("Subtopic {}", number % 48))?;
        sheet.write_number(number, 4, number % 5 + 1)?;
        sheet.write_string(number, 5, "load test")?;
        let question = format!(
            "A class of school {number} collects {left} leaves in the morning and {right} in the afternoon. \
             How many leaves does it have in the evening?"
        );
        sheet.write_string(number, 6, question)?;
        for (column, option) in (7..).zip([left + right, left + right + 1, left + right + 10, left + 2 * right]) {
            sheet.write_string(number, column, format!("{option} leaves"))?;
        }
        sheet.write_string(number, 11, "A")?;
        sheet.write_string(
            number,
            12,
            format!(
                "Both are added: {left} + {right} = {}; nothing is lost on the way of class {number}.",
                left + right
            ),
        )?;
    }
    book.save_to_buffer()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_the_status() {
        assert_eq!(
            peak_mebibytes("Name:\texamhall\nVmPeak:\t  900000 kB\nVmHWM:\t  204800 kB\nVmRSS:\t 1 kB\n"),
            Some(200.0)
        );
        assert_eq!(peak_mebibytes("Name:\texamhall\n"), None);
    }
}
