//! The numbers in the rows of tables, of several runs. Pure.

use crate::table::Row;
use serde_json::{Map, Value, json};

/// Rows of several runs with the same labels, in the order of the first.
#[derive(Default)]
pub struct Figures(Vec<FigureRow>);

struct FigureRow {
    label: String,
    texts: Vec<String>,
}

impl Figures {
    pub fn add(&mut self, rows: &[Row]) {
        for (label, text) in rows {
            match self.0.iter_mut().find(|row| row.label == *label) {
                Some(row) => row.texts.push(text.clone()),
                None => self.0.push(FigureRow { label: label.clone(), texts: vec![text.clone()] }),
            }
        }
    }

    /// The first text of each row with the median of each number.
    pub fn medians(&self) -> Vec<Row> {
        self.0.iter().map(|row| (row.label.clone(), row.median())).collect()
    }

    /// All numbers of all runs by the label of their row.
    pub fn json(&self, scenario: &[String], passed: bool) -> Result<Vec<u8>, serde_json::Error> {
        let rows: Map<String, Value> = self.0.iter().map(|row| (row.label.clone(), row.json())).collect();
        serde_json::to_vec_pretty(&json!({ "scenario": scenario, "passed": passed, "figures": rows }))
    }
}

impl FigureRow {
    fn median(&self) -> String {
        let runs: Vec<Vec<&str>> = self.texts.iter().map(|text| text.split(' ').collect()).collect();
        let Some(first) = runs.first() else { return String::new() };
        let word = |(place, word): (usize, &&str)| {
            let mut numbers: Vec<(f64, &str)> = runs
                .iter()
                .filter_map(|words| words.get(place).and_then(|word| Some((word.parse().ok()?, *word))))
                .collect();
            numbers.sort_by(|one, other| one.0.total_cmp(&other.0));
            match numbers.get(numbers.len() / 2) {
                Some((_, median)) if numbers.len() == runs.len() => (*median).to_owned(),
                _ => (*word).to_owned(),
            }
        };
        first.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
    }

    fn json(&self) -> Value {
        let runs: Vec<Value> =
            self.texts.iter().map(|text| json!({ "text": text, "numbers": numbers(text) })).collect();
        json!(runs)
    }
}

/// The numbers of a text by the word before each, such as `p50`; the first word has none.
fn numbers(text: &str) -> Map<String, Value> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Map::new();
    for (place, word) in words.iter().enumerate() {
        let name = place.checked_sub(1).and_then(|before| words.get(before)).copied().unwrap_or("value");
        if let Ok(number) = word.parse::<f64>() {
            found.insert(name.to_owned(), json!(number));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_keeps_the_words_of_a_row() {
        let mut figures = Figures::default();
        for (p50, count) in [("1.5", "7 of 9"), ("0.5", "9 of 9"), ("10.0", "8 of 9")] {
            figures.add(&[("a".to_owned(), format!("p50 {p50}  max 3 ms")), ("b".to_owned(), count.to_owned())]);
        }
        let expected = [("a".to_owned(), "p50 1.5  max 3 ms".to_owned()), ("b".to_owned(), "8 of 9".to_owned())];
        assert_eq!(figures.medians(), expected);
        let document: Value = serde_json::from_slice(&figures.json(&["x".to_owned()], true).unwrap()).unwrap();
        assert_eq!(document["figures"]["a"][2]["numbers"], json!({ "p50": 10.0, "max": 3.0 }));
        assert_eq!(document["figures"]["b"][0]["numbers"], json!({ "value": 7.0, "of": 9.0 }));
    }
}
