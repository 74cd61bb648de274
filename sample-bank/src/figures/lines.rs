//! Lines with equal steps.

use super::Figure;
use super::canvas::{Canvas, Side};

/// A line with these numbers at equal distances, an arc over each step, and an empty box at the end for the next one.
pub(crate) fn equal_steps(numbers: &[i64]) -> Figure {
    let mut canvas = Canvas::new(110.0);
    canvas.line((12.0, 62.0), (308.0, 62.0));
    let place = |index: usize| (40.0 + 60.0 * index as f64, 62.0);
    for (index, number) in numbers.iter().enumerate() {
        let (x, y) = place(index);
        canvas.shape(&format!("<path stroke='#2456c5' d='M{x} {}q30 -46 60 0'/>", y - 8.0));
        canvas.line((x, y - 6.0), (x, y + 6.0));
        canvas.label((x, y + 4.0), Side::Below, &number.to_string());
    }
    let (x, y) = place(numbers.len());
    canvas.line((x, y - 6.0), (x, y + 6.0));
    canvas.rectangle((x - 15.0, y + 11.0), (30.0, 26.0), "none");
    let shown: Vec<String> = numbers.iter().map(i64::to_string).collect();
    canvas.finish(format!(
        "A number line with the marks {}, all the same distance apart, and one more mark with an empty box.",
        shown.join(", ")
    ))
}
