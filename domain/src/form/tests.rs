//! Tests of which form a seat and a candidate get.

use proptest::prelude::*;

use super::*;

/// How halls number their seats, from 1 on.
static WRITTEN: [fn(usize, usize) -> String; 13] = [
    |row, column| format!("{}{column}", letters(row)),
    |row, column| format!("{row}{}", letters(column)),
    |row, column| format!("R{row}S{column}"),
    |row, column| format!("r{row}s{column}"),
    |row, column| format!("{row}/{column}"),
    |row, column| format!("{row}-{column}"),
    |row, column| format!("{row}.{column:02}"),
    |row, column| format!("Row {row} Seat {column}"),
    |row, column| format!("Hàng {row} ghế {column}"),
    |row, column| format!("Dãy {} số {column}", letters(row)),
    |row, column| format!("P12-{}{column}", letters(row)),
    |row, column| format!("Hall 3, row {row}, seat {column}"),
    |row, column| format!("  {} {column} ", letters(row)),
];

/// A to Z, AA, AB and so on.
fn letters(number: usize) -> String {
    let letter = |place: usize| char::from(b'A' + u8::try_from(place).unwrap());
    let number = number - 1;
    if number < 26 { letter(number).into() } else { [letter(number / 26 - 1), letter(number % 26)].iter().collect() }
}

#[test]
fn forms_have_letters() {
    assert_eq!(FormLetter::all(3).map(|form| form.to_string()).collect::<String>(), "ABC");
    assert_eq!(FormLetter::all(FORMS_MAX + 5).count(), FORMS_MAX);
    for (place, form) in FormLetter::all(FORMS_MAX).enumerate() {
        assert_eq!((form.number(), FormLetter::at(place)), (place, Some(form)));
        assert_eq!(FormLetter::parse(&form.to_string()), Some(form));
        let json = serde_json::to_string(&form).unwrap();
        assert_eq!(serde_json::from_str::<FormLetter>(&json).unwrap(), form, "{json}");
    }
    assert!(FormLetter::A < FormLetter::parse("B").unwrap());
    assert_eq!([FORMS_MAX, 256, usize::MAX].map(FormLetter::at), [None; 3]);
    for text in ["", "a", "I", "AB", "1", "Đ", " A"] {
        assert_eq!(FormLetter::parse(text), None, "{text:?}");
        assert!(serde_json::from_value::<FormLetter>(text.into()).is_err());
    }
}

#[test]
fn seats_without_a_mark_have_no_form() {
    for seat in ["", " ", "window", "Front left", "Cửa sổ", "—", "?!"] {
        assert_eq!(of_seat(seat, 4), None, "{seat:?}");
    }
    for seat in ["7", "Seat 7", "Số 7", "No. 7", "B", "b", "Đ", "Bàn 3", "99999999999999999999999999999999"] {
        assert!(of_seat(seat, 4).is_some(), "{seat:?}");
    }
    assert_eq!(of_seat("B4", 1), Some(FormLetter::A));
    assert_eq!(of_seat("B4", 0), Some(FormLetter::A), "no test is without a form");
    // The remainder of a long number is its own.
    let long = 98_765_432_109_876_543_u64;
    for count in 1..=8 {
        let plain = usize::try_from(long % count as u64).unwrap();
        assert_eq!(of_seat(&long.to_string(), count), FormLetter::at(plain), "{count}");
    }
}

#[test]
fn as_is_written_in_the_documents() {
    let of = |seat: &str, count| of_seat(seat, count).unwrap().to_string();
    assert_eq!([of("A1", 2), of("1/1", 2), of("1-2", 2), of("2-1", 2)], ["B", "A", "B", "B"]);
    assert_eq!([of("B4", 4), of("B5", 4), of("C4", 4), of("C5", 4)], ["C", "D", "A", "B"]);
    for same in ["2-5", "2/05", "2.5", "R2S5", "r2 s5", "R2-S5", "Row 2 Seat 5", "C5"] {
        assert_eq!(of(same, 8), "B", "{same}");
    }
    assert_eq!([of("R5", 8), of("S5", 8)], ["H", "B"], "here they are rows");
    assert_eq!([1, 2, 3, 4, 5].map(|seat| of(&seat.to_string(), 3)), ["B", "C", "A", "B", "C"]);
    assert_eq!(of("2/5", 4), of("2-05", 4));
    assert_eq!(of("b4", 4), of("B4", 4));
    assert_eq!(of("B4", 4), of("Row B Seat 4", 4));
}

#[test]
fn the_row_between_d_and_e_differs_from_both() {
    let of = |seat: String, count| of_seat(&seat, count).unwrap();
    for column in 1..20 {
        for written in ["Đ", "đ", "Hàng Đ ghế "] {
            let own = |count| of(format!("{written}{column}"), count);
            assert_ne!(own(2), of(format!("E{column}"), 2), "D and E differ, so that it is as one of them");
            for count in 3..=FORMS_MAX {
                assert_ne!(own(count), of(format!("D{column}"), count), "{written}{column} of {count}");
                assert_ne!(own(count), of(format!("E{column}"), count), "{written}{column} of {count}");
                assert_ne!(own(count), of(format!("{written}{}", column + 1), count), "{written}{column} of {count}");
            }
        }
        // As a seat of a row.
        for count in 3..=FORMS_MAX {
            let [d, stroke, e] = ["D", "Đ", "E"].map(|letter| of(format!("{column}{letter}"), count));
            assert!(d != stroke && stroke != e, "{column} of {count}");
        }
    }
}

#[test]
fn the_seat_is_what_is_written_last() {
    assert_ne!(of_seat("Hall 2, A4", 4), of_seat("Hall 2, A5", 4));
    assert_eq!(of_seat("A5 (Hall 2)", 4), of_seat("B4 (Hall 2)", 4), "here the hall is taken for the seat");
}

#[test]
fn who_has_no_seat_gets_one_of_all_forms() {
    for count in 1..=FORMS_MAX {
        let mut counts = vec![0_u32; count];
        for number in 0..4_000_u128 {
            // As drawn at random, and as a counter would make them.
            let id =
                if number % 2 == 0 { Uuid::from_u128(number) } else { Uuid::from_u128((number.pow(3) << 64) | number) };
            let form = of_candidate(id, None, count);
            assert_eq!(form, of_candidate(id, Some("window"), count));
            counts[form.number()] += 1;
        }
        let even = 4_000 / u32::try_from(count).unwrap();
        assert!(counts.iter().all(|found| (even * 3 / 4..=even * 5 / 4).contains(found)), "{counts:?}");
    }
    assert_eq!(of_candidate(Uuid::max(), Some("B4"), 4), of_seat("B4", 4).unwrap(), "a seat decides");
}

proptest! {
    #[test]
    fn neighbours_differ(row in 1..60_usize, column in 1..60_usize, count in 2..=FORMS_MAX, written in prop::sample::select(&WRITTEN[..])) {
        let of = |row: usize, column: usize| of_seat(&written(row, column), count).unwrap();
        let own = of(row, column);
        prop_assert_ne!(own, of(row, column + 1), "{}", written(row, column));
        prop_assert_ne!(own, of(row + 1, column), "{}", written(row, column));
        if count >= DIAGONAL_MIN {
            prop_assert_ne!(own, of(row + 1, column + 1), "{}", written(row, column));
            prop_assert_ne!(of(row, column + 1), of(row + 1, column), "{}", written(row, column));
        }
    }

    #[test]
    fn who_sit_in_a_line_differ(seat in 1..2_000_usize, count in 2..=FORMS_MAX) {
        prop_assert_ne!(of_seat(&seat.to_string(), count), of_seat(&(seat + 1).to_string(), count));
        prop_assert_ne!(of_seat(&format!("Seat {seat}"), count), of_seat(&format!("Seat {}", seat + 1), count));
    }

    #[test]
    fn any_text_is_read(seat in "\\PC{0,40}", count in 0..20_usize) {
        if let Some(form) = of_seat(&seat, count) {
            prop_assert!(form.number() < count.clamp(1, FORMS_MAX));
        }
    }
}
