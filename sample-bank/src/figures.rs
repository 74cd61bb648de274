//! Figures of the sample questions: each is an SVG in the address of a picture, drawn by code from the question's
//! numbers, with a description for those who can't see it. A figure shows what the question says, and not its answer.

mod angles;
mod areas;
mod bars;
mod canvas;
mod circles;
mod clocks;
mod labels;
mod lines;
mod planes;
mod quadrilaterals;
mod solids;
mod triangles;

pub(super) use angles::{AngleTotal, angles};
pub(super) use bars::{bar_chart, fraction_bar};
pub(super) use canvas::{ADDRESS_START, address};
pub(super) use circles::{Told, chord, circle, spinner, tangents};
pub(super) use clocks::clock;
pub(super) use lines::equal_steps;
pub(super) use planes::{Drawn, plane};
pub(super) use quadrilaterals::{crossed_rectangle, parallelogram, rectangle, rectangle_with_hole};
pub(super) use solids::{cuboid, cuboid_with_diagonal};
pub(super) use triangles::{RightTriangle, triangle_with_height};

/// A picture and what it shows.
pub struct Figure {
    /// A `data:image/svg+xml` address.
    pub image: String,
    /// The description in words.
    pub description: String,
}

/// What is written at a side or an angle that is asked for.
pub(super) const UNKNOWN: &str = "?";
