//! Bars: cut into equal parts, and as a chart.

use super::Figure;
use super::canvas::{Canvas, Side, WIDTH, real};

/// A bar of equal parts, of which the first ones are shaded.
pub(crate) fn fraction_bar(parts: i64, shaded: i64) -> Figure {
    let mut canvas = Canvas::new(90.0);
    let width = 288.0 / real(parts);
    for part in 0..parts {
        let fill = if part < shaded { "#7ea6f5" } else { "#fff" };
        canvas.rectangle((16.0 + width * real(part), 20.0), (width, 50.0), fill);
    }
    let shading = if shaded == 1 { "1 of them is shaded".to_owned() } else { format!("{shaded} of them are shaded") };
    canvas.finish(format!("A bar cut into {parts} equal parts; {shading}."))
}

/// A chart with one bar for each name and number.
pub(crate) fn bar_chart(bars: &[(&str, i64)]) -> Figure {
    let mut canvas = Canvas::new(210.0);
    let step = (WIDTH - 24.0) / bars.len() as f64;
    let highest = bars.iter().map(|(_, value)| *value).max().unwrap_or(1).max(1);
    for (index, (name, value)) in bars.iter().enumerate() {
        let center = 12.0 + step * (index as f64 + 0.5);
        let height = 140.0 * real(*value) / real(highest);
        canvas.rectangle((center - step * 0.3, 180.0 - height), (step * 0.6, height), "#7ea6f5");
        canvas.label((center, 180.0 - height), Side::Above, &value.to_string());
        canvas.mark((center, 178.0), Side::Below, name);
    }
    canvas.line((12.0, 180.0), (308.0, 180.0));
    let told: Vec<String> = bars.iter().map(|(name, value)| format!("{name} {value}")).collect();
    canvas.finish(format!("A bar chart. The bars from left to right: {}.", told.join(", ")))
}
