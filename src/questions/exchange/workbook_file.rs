//! Writes questions as an xlsx workbook that people edit and send back.

use domain::exchange::{Heading, PRACTICE, SECURE, yes_or_no};
use domain::question::{MULTIPLE_CHOICE, NUMBER};
use domain::sheet_cell::SheetCell;
use rust_xlsxwriter::{
    Color, DataValidation, DataValidationErrorStyle, Format, FormatAlign, FormatBorder, IgnoreError, Workbook,
    Worksheet, XlsxError,
};

use super::exported_bank::ExportedBank;
use super::workbook::QUESTIONS;
use crate::sheets::book::ROWS_MAX;

/// Rows between two reports of the progress.
const TOLD_EVERY: usize = 100;
/// The sheet that explains how to send the workbook back.
const INSTRUCTIONS: &str = "Instructions";
/// A text that begins with one of these might be taken for a formula by a spreadsheet.
const FORMULA_BEGINS: [char; 4] = ['=', '+', '-', '@'];
/// The column after those of the question's fields.
const SECURE_PLACE: u16 = Heading::COUNT as u16;
/// The column after that one.
const PRACTICE_PLACE: u16 = SECURE_PLACE + 1;
const YES: &str = yes_or_no(true);
const NO: &str = yes_or_no(false);
const SECURE_MEANING: &str =
    "yes: the question is for exams alone, in no public bank and no practice. no: it is for everyone. Empty: as it is.";
const PRACTICE_MEANING: &str = "yes: anyone may read the question with its answer. no: nobody but the staff of its grade reads the answer. Empty: as it is.";
/// Widths of the columns on the sheet of instructions.
const INSTRUCTION_WIDTHS: [u16; 3] = [16, 12, 100];

/// Writes the workbook. It fails if a text is longer than a cell may be, or if there are more questions than a sheet
/// has rows.
pub fn write(bank: &ExportedBank, progress: &mut dyn FnMut(usize)) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    write_questions(workbook.add_worksheet(), bank, progress)?;
    write_instructions(workbook.add_worksheet())?;
    workbook.save_to_buffer()
}

struct Formats {
    header: Format,
    number: Format,
    /// Formatted as text, so that a spreadsheet does not turn `1/2` into a date when someone types it.
    text: Format,
    /// The same, with the mark that says that the content is no formula.
    quoted: Format,
}

impl Formats {
    fn new() -> Self {
        let cell = Format::new().set_align(FormatAlign::Top);
        let text = cell.clone().set_num_format("@").set_text_wrap();
        let header = Format::new()
            .set_bold()
            .set_background_color(Color::RGB(0x00E7_E6E6))
            .set_border_bottom(FormatBorder::Thin);
        Self { header, number: cell, quoted: text.clone().set_quote_prefix(), text }
    }
}

fn write_questions(
    sheet: &mut Worksheet,
    bank: &ExportedBank,
    progress: &mut dyn FnMut(usize),
) -> Result<(), XlsxError> {
    let formats = Formats::new();
    let ExportedBank { questions, secure, practice, .. } = bank;
    sheet.set_name(QUESTIONS)?.set_freeze_panes(1, 0)?;
    for (place, column) in (0..).zip(Heading::ALL) {
        let is_number = matches!(column, Heading::Grade | Heading::Difficulty);
        sheet.set_column_width(place, width(column))?;
        sheet.set_column_format(place, if is_number { &formats.number } else { &formats.text })?;
        sheet.write_string_with_format(0, place, column.name(), &formats.header)?;
        if let Some(choices) = choices(column)? {
            sheet.add_data_validation(1, place, ROWS_MAX - 1, place, &choices)?;
        }
    }
    sheet.set_column_width(SECURE_PLACE, 9)?.set_column_format(SECURE_PLACE, &formats.text)?;
    sheet.write_string_with_format(0, SECURE_PLACE, SECURE, &formats.header)?;
    let choices = list(SECURE, &[YES, NO], "yes: for exams alone. no: for everyone.")?;
    sheet.add_data_validation(1, SECURE_PLACE, ROWS_MAX - 1, SECURE_PLACE, &choices)?;
    sheet.set_column_width(PRACTICE_PLACE, 9)?.set_column_format(PRACTICE_PLACE, &formats.text)?;
    sheet.write_string_with_format(0, PRACTICE_PLACE, PRACTICE, &formats.header)?;
    let choices = list(PRACTICE, &[YES, NO], "yes: anyone may read its answer. no: staff alone.")?;
    sheet.add_data_validation(1, PRACTICE_PLACE, ROWS_MAX - 1, PRACTICE_PLACE, &choices)?;
    let last_row = u32::try_from(questions.len()).unwrap_or(u32::MAX).max(1);
    sheet.ignore_error_range(1, 0, last_row, Heading::COUNT as u16 - 1, IgnoreError::NumberStoredAsText)?;
    for (index, (row, question)) in (1..).zip(questions).enumerate() {
        for (place, column) in (0..).zip(Heading::ALL) {
            write_cell(sheet, row, place, &column.of(question), &formats)?;
        }
        let is_secure = SheetCell::text(if secure.contains(&question.id) { YES } else { NO });
        write_cell(sheet, row, SECURE_PLACE, &is_secure, &formats)?;
        if let Some(is_practice) = practice.get(&question.id) {
            write_cell(sheet, row, PRACTICE_PLACE, &SheetCell::text(yes_or_no(*is_practice)), &formats)?;
        }
        if index % TOLD_EVERY == 0 {
            progress(index);
        }
    }
    Ok(())
}

fn write_cell(
    sheet: &mut Worksheet,
    row: u32,
    place: u16,
    cell: &SheetCell<'_>,
    formats: &Formats,
) -> Result<(), XlsxError> {
    match cell {
        SheetCell::Number(number) => sheet.write_number_with_format(row, place, *number, &formats.number)?,
        SheetCell::Text(text) if text.starts_with(FORMULA_BEGINS) => {
            sheet.write_string_with_format(row, place, &**text, &formats.quoted)?
        }
        SheetCell::Text(text) => sheet.write_string_with_format(row, place, &**text, &formats.text)?,
        _ => sheet,
    };
    Ok(())
}

fn width(column: Heading) -> u16 {
    match column {
        Heading::Grade | Heading::Difficulty | Heading::Answer | Heading::Tolerance | Heading::Language => 9,
        Heading::Source | Heading::Unit => 12,
        Heading::FixedOptions => 14,
        Heading::Id | Heading::Type | Heading::Image => 18,
        Heading::Forms
        | Heading::Topic
        | Heading::Subtopic
        | Heading::OptionA
        | Heading::OptionB
        | Heading::OptionC
        | Heading::OptionD => 22,
        Heading::Question | Heading::Explanation | Heading::ImageDescription => 60,
    }
}

/// The drop-down list of a column, if it has one.
fn choices(column: Heading) -> Result<Option<DataValidation>, XlsxError> {
    let (list, message): (&[&str], _) = match column {
        Heading::Grade => (&["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"], "A grade is 1 to 10."),
        Heading::Difficulty => (&["1", "2", "3", "4", "5"], "A difficulty is 1 (easy) to 5 (hard)."),
        Heading::Type => {
            (&[MULTIPLE_CHOICE, NUMBER], "multiple-choice: one of the options. number: a number is typed.")
        }
        Heading::Answer => {
            (&["A", "B", "C", "D"], "The letter of the right option, or the right number where the type is number.")
        }
        Heading::FixedOptions => (&[YES, NO], "yes: the options keep their order. no: they may be shuffled."),
        Heading::Language => (&["en", "vi"], "en: 1,234.5. vi: 1.234,5."),
        _ => return Ok(None),
    };
    let choices = self::list(column.name(), list, message)?;
    // A number is none of the letters, so this list only proposes them.
    Ok(Some(if column == Heading::Answer {
        choices.set_error_style(DataValidationErrorStyle::Information)
    } else {
        choices
    }))
}

fn list(column: &str, list: &[&str], message: &str) -> Result<DataValidation, XlsxError> {
    let choices =
        DataValidation::new().allow_list_strings(list)?.set_error_title(column)?.set_error_message(message)?;
    Ok(choices.set_error_style(DataValidationErrorStyle::Stop))
}

fn write_instructions(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let (bold, text) = (
        Format::new().set_bold().set_align(FormatAlign::Top),
        Format::new().set_text_wrap().set_align(FormatAlign::Top),
    );
    let plain = Format::new();
    sheet.set_name(INSTRUCTIONS)?;
    for (place, width) in (0..).zip(INSTRUCTION_WIDTHS) {
        sheet.set_column_width(place, width)?;
    }
    let mut row = 0;
    for (index, line) in STEPS.into_iter().enumerate() {
        sheet.write_string_with_format(row, 0, line, if index == 0 { &bold } else { &plain })?;
        row += 1;
    }
    row += 1;
    for (place, heading) in (0..).zip(["Column", "Required", "What to write"]) {
        sheet.write_string_with_format(row, place, heading, &bold)?;
    }
    for column in Heading::ALL {
        row += 1;
        sheet.write_string_with_format(row, 0, column.name(), &bold)?;
        sheet.write_string_with_format(
            row,
            1,
            if Heading::REQUIRED.contains(&column) { "yes" } else { "no" },
            &text,
        )?;
        sheet.write_string_with_format(row, 2, meaning(column), &text)?;
    }
    for (mark, meaning) in [(SECURE, SECURE_MEANING), (PRACTICE, PRACTICE_MEANING)] {
        row += 1;
        for (place, (told, format)) in (0..).zip([(mark, &bold), (NO, &text), (meaning, &text)]) {
            sheet.write_string_with_format(row, place, told, format)?;
        }
    }
    Ok(())
}

/// The instructions for sending the workbook back.
const STEPS: [&str; 12] = [
    "How to change questions and send them back",
    "1. Change, add or remove rows on the sheet Questions. Leave its first row, the header, as it is.",
    "2. A row with an id overwrites the whole question of that id. A row with an empty id becomes a new question.",
    "3. A row that is removed here changes nothing: its question stays in the bank.",
    "4. Save as an Excel workbook (.xlsx), and import the file: POST /api/admin/import, or: examhall questions import FILE",
    "5. With dryRun=true (or --dry-run) the import only tells what it would do.",
    "A column that the header does not have stays as it is in questions that exist. An empty cell of a column that it has empties it, except in the columns secure, practice and fixedOptions.",
    "A date or a time is refused as an option, since a spreadsheet makes one of 1/2 or 3:4 that is typed: format the cells of options as text first.",
    "A row that can't be taken is told with its number and the reason, as in: Row 7: answer must be one of A, B, C, D. All other rows are imported.",
    "Formulas are taken by the value that the spreadsheet has saved: open a workbook that a program has written with formulas once in a spreadsheet, and save it.",
    "Without a sheet called Questions every sheet with the header is read. Hidden sheets and columns with other names are passed over, and the names of these columns are told.",
    "One workbook has at most 50,000 rows and 20 MiB, and one cell 32,767 characters.",
];

/// What to write into a column, for the person who fills it in.
const fn meaning(column: Heading) -> &'static str {
    match column {
        Heading::Id => {
            "Leave it empty for a new question. Otherwise the id of the question that this row overwrites; an unknown id adds the question under that id."
        }
        Heading::Grade => "A whole number from 1 to 10.",
        Heading::Topic => "Such as Fractions. Reports show results by topic. Empty: General.",
        Heading::Subtopic => "Narrower than the topic. May be empty.",
        Heading::Difficulty => {
            "A whole number from 1 (easy) to 5 (hard), which is also the points of a correct answer."
        }
        Heading::Source => "Where the question comes from. Empty: import.",
        Heading::Type => {
            "multiple-choice, which is also the meaning of an empty cell, or number: the student types a number, and the columns of the options stay empty."
        }
        Heading::Question => "The text of the question.",
        Heading::OptionA | Heading::OptionB => "An answer choice. Empty where the type is number.",
        Heading::OptionC => "An answer choice. May be empty when optionD is empty too.",
        Heading::OptionD => "An answer choice. May be empty.",
        Heading::Answer => {
            "The letter of the right option: A, B, C or D. Where the type is number, the number in digits, such as 12, -3 or 0.5."
        }
        Heading::Tolerance => "Of a number: how far an answer may be from it, such as 0.05. Empty: not at all.",
        Heading::Unit => {
            "Of a number: what stands behind the box, such as cm. At most 20 characters. Empty: nothing does."
        }
        Heading::Forms => {
            "Of a number: the ways of writing it that count, some of decimal, fraction, mixed with commas between them. Empty: all."
        }
        Heading::Language => {
            "Of a number: how digits are read that could mean two things, en (1,234.5) or vi (1.234,5). Empty: en."
        }
        Heading::Explanation => "How the answer is found. May be empty.",
        Heading::Image => "The address of an image. May be empty.",
        Heading::FixedOptions => {
            "yes: the options keep their order where options are shuffled, as when one is All of the above. no: they may be shuffled. Empty: a rule decides."
        }
        Heading::ImageDescription => {
            "What the image shows, in words for those who can't see it, without giving the answer away. May be empty."
        }
    }
}
