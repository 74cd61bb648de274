//! Tests of costs in all the forms in which clients send them.

use super::*;
use serde_json::json;

/// What was sent, then the expected text, symbol, position and values.
type Row = (Value, &'static str, &'static str, SymbolPosition, &'static [&'static str]);

fn assert_rows(rows: &[Row]) {
    for (sent, text, symbol, position, values) in rows {
        let cost = Cost::read(sent).unwrap_or_else(|| panic!("{sent}"));
        assert_eq!(
            (cost.text.as_str(), cost.symbol.as_str(), cost.position, cost.values),
            (*text, *symbol, *position, values.iter().map(|value| (*value).to_owned()).collect()),
            "{sent}"
        );
    }
}

#[test]
fn the_table_of_the_contract() {
    use SymbolPosition::{None, Postfix, Prefix};
    assert_rows(&[
        (json!("$10"), "$10", "$", Prefix, &["10"]),
        (json!("10$"), "10$", "$", Postfix, &["10"]),
        (json!("10"), "$10", "", None, &["10"]),
        (json!(10), "$10", "", None, &["10"]),
        (json!(10.0), "$10", "", None, &["10"]),
        (json!("25.00"), "$25.00", "", None, &["25.00"]),
        (json!("€15.50"), "€15.50", "€", Prefix, &["15.50"]),
        (json!("15,50"), "$15,50", "", None, &["15.50"]),
        (json!("1,000"), "$1,000", "", None, &["1000"]),
        (json!("USD 5"), "USD5", "USD", Prefix, &["5"]),
        (json!("10 USD"), "10USD", "USD", Postfix, &["10"]),
        (json!("10-20"), "$10 – $20", "", None, &["10", "20"]),
        (json!("20 10"), "$10 – $20", "", None, &["10", "20"]),
        (json!("$10 - $20"), "$10 – $20", "", None, &["10", "20"]),
        (json!(["10", "20"]), "$10 – $20", "", None, &["10", "20"]),
        (json!("$0"), "Free", "$", Prefix, &["0"]),
        (json!("0.00"), "Free", "", None, &["0.00"]),
        (json!("10 - 0"), "Free – $10", "", None, &["0", "10"]),
        (json!("Free"), "Free", "", None, &["free"]),
        (json!("free"), "free", "", None, &["free"]),
        (json!("donation"), "donation", "", None, &["donation"]),
        (json!("0"), "", "", None, &[]),
        (json!(""), "", "", None, &[]),
        (json!(null), "", "", None, &[]),
    ]);
    assert_eq!(Cost::default(), Cost::read(&json!("")).unwrap());
}

#[test]
fn numbers_and_symbols_of_other_kinds() {
    use SymbolPosition::{None, Postfix, Prefix};
    assert_rows(&[
        (json!(0), "", "", None, &[]),
        (json!([]), "", "", None, &[]),
        (json!([""]), "", "", None, &[]),
        (json!(25.5), "$25.5", "", None, &["25.5"]),
        (json!(10.0), "$10", "", None, &["10"]),
        (json!("1,234.56"), "$1,234.56", "", None, &["1234.56"]),
        (json!("1.234,56"), "$1.234,56", "", None, &["1234.56"]),
        (json!("1,000,000"), "$1,000,000", "", None, &["1000000"]),
        (json!("0,500"), "$0,500", "", None, &["0.500"]),
        (json!("$10, $20"), "$10 – $20", "$", Prefix, &["10", "20"]),
        (json!(["€10", "€20"]), "€10 – €20", "€", Prefix, &["10", "20"]),
        (json!("€10 - €20"), "€10 – €20", "", None, &["10", "20"]),
        (json!("€10-20"), "€10 – €20", "", None, &["10", "20"]),
        (json!("10€ - 20€"), "10€ – 20€", "", None, &["10", "20"]),
        (json!("10 USD - 20 USD"), "10USD – 20USD", "", None, &["10", "20"]),
        (json!("10 USD 20 USD"), "10USD – 20USD", "", None, &["10", "20"]),
        (json!("$10 $20"), "$10 – $20", "", None, &["10", "20"]),
        (json!("10, 15, 5"), "$5 – $15", "", None, &["5", "10", "15"]),
        (json!("10,20,30"), "$10 – $30", "", None, &["10", "20", "30"]),
        (json!("9 10 100"), "$9 – $100", "", None, &["9", "10", "100"]),
        (json!("10-10"), "$10", "", None, &["10"]),
        (json!("10 per person"), "10 per person", "per person", Postfix, &["10"]),
        (json!("from 10"), "from 10", "from", Prefix, &["10"]),
        (json!("$10 each"), "$10 each", "$", Prefix, &["10"]),
        (json!("Free – $10"), "Free – $10", "$", Prefix, &["0", "10"]),
        (json!("$10, free"), "Free – $10", "$", Prefix, &["0", "10"]),
        (json!("Pay what you can"), "Pay what you can", "", None, &["pay-what-you-can"]),
        (json!("???"), "???", "", None, &["???"]),
        (json!(" <b>$10</b> "), "$10", "$", Prefix, &["10"]),
        (json!("10."), "$10", "", None, &["10"]),
    ]);
}

#[test]
fn what_is_shown_may_be_sent_again() {
    for sent in [
        "$10",
        "10$",
        "10",
        "€15.50",
        "15,50",
        "1,000",
        "USD 5",
        "10 USD",
        "10-20",
        "€10-20",
        "$0",
        "10 - 0",
        "donation",
        "10 per person",
        "$10 each",
    ] {
        let once = Cost::read(&json!(sent)).unwrap();
        let twice = Cost::read(&json!(once.text)).unwrap();
        assert_eq!((&twice.text, &twice.text), (&once.text, &Cost::read(&json!(twice.text)).unwrap().text), "{sent}");
    }
}

#[test]
fn what_is_no_cost() {
    let many: Vec<u32> = (0..21).collect();
    for sent in [
        json!({}),
        json!(true),
        json!([{}]),
        json!([["10"]]),
        json!(many),
        json!("1".repeat(COST_CHARACTERS_MAX + 1)),
        json!(" ".repeat(COST_CHARACTERS_MAX + 1)),
        json!(1e300),
    ] {
        assert_eq!(Cost::read(&sent), None, "{sent}");
    }
}

#[test]
fn a_cost_is_kept_as_json() {
    let cost = Cost::read(&json!("€10, €20")).unwrap();
    let kept = serde_json::to_string(&cost).unwrap();
    assert_eq!(kept, r#"{"text":"€10 – €20","symbol":"€","position":"prefix","values":["10","20"]}"#);
    assert_eq!(serde_json::from_str::<Cost>(&kept).unwrap(), cost);
}

#[test]
fn thousands_after_a_blank_are_not_another_price() {
    use SymbolPosition::{None, Postfix};
    assert_rows(&[
        (json!("1 000"), "$1 000", "", None, &["1000"]),
        (json!("10 000,50 EUR"), "10 000,50EUR", "EUR", Postfix, &["10000.50"]),
        (json!("100 200"), "$100 – $200", "", None, &["100", "200"]),
        (json!("10 0"), "Free – $10", "", None, &["0", "10"]),
    ]);
}
