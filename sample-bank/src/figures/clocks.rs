//! Faces of clocks.

use std::f64::consts::TAU;

use super::Figure;
use super::canvas::{Canvas, Side, Spot, around, real};

const CENTER: Spot = (160.0, 105.0);

/// A clock at so many minutes after twelve.
pub(crate) fn clock(minutes: i64) -> Figure {
    let mut canvas = Canvas::new(210.0);
    canvas.circle(CENTER, 95.0, true);
    // A broken line around the face has a dash for each minute.
    let dash = 0.8;
    let gap = TAU * 92.5 / 60.0 - dash;
    let ring = format!("stroke-dasharray='{dash} {gap:.3}' stroke-dashoffset='{}'", dash / 2.0);
    canvas.shape(&format!("<circle stroke-width='5' {ring} cx='160' cy='105' r='92.5'/>"));
    for hour in 1..=12 {
        let degrees = 90.0 - 30.0 * real(hour);
        canvas.line(around(CENTER, 95.0, degrees), around(CENTER, 86.0, degrees));
        canvas.mark(around(CENTER, 75.0, degrees), Side::Middle, &hour.to_string());
    }
    let (hour, minute) = (minutes / 60 % 12, minutes % 60);
    let (hour_x, hour_y) = around(CENTER, 44.0, 90.0 - real(minutes) / 2.0);
    let (center_x, center_y) = CENTER;
    let thick = format!("M{center_x} {center_y}L{hour_x:.1} {hour_y:.1}");
    canvas.shape(&format!("<path stroke-width='6' stroke-linecap='round' d='{thick}'/>"));
    let (minute_x, minute_y) = around(CENTER, 63.0, 90.0 - 6.0 * real(minute));
    let thin = format!("M{center_x} {center_y}L{minute_x:.1} {minute_y:.1}");
    canvas.shape(&format!("<path stroke='#2456c5' stroke-width='3' stroke-linecap='round' d='{thin}'/>"));
    canvas.dot(CENTER);
    let (from, to) = (named(hour), named(hour + 1));
    canvas.finish(format!(
        "A clock. Its short hour hand is between {from} and {to}, and its long minute hand points to {}.",
        named(minute / 5)
    ))
}

/// The number on the face, where 0 is 12.
fn named(number: i64) -> i64 {
    if number == 0 { 12 } else { number }
}
