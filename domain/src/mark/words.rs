//! A scale in words, for the record of a sitting and for the audit.

use std::fmt;

use super::{MarkBasis, MarkLabel, MarkRounding, MarkScale};

impl MarkBasis {
    /// `percent`, `points` or `score`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Percent => "percent",
            Self::Points => "points",
            Self::Score => "score",
        }
    }
}

impl MarkRounding {
    /// `nearest`, `up` or `down`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nearest => "nearest",
            Self::Up => "up",
            Self::Down => "down",
        }
    }
}

/// Such as `0 to 10 by percent in steps of 0.5, nearest, pass 5` and `A 90, B 50, F 0 by percent, pass B`.
impl fmt::Display for MarkScale {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers { basis, worst, best, step, rounding, pass } => {
                let (worst, best, step) = (worst.text(0), best.text(0), step.text(0));
                let (basis, rounding) = (basis.name(), rounding.name());
                write!(formatter, "{worst} to {best} by {basis} in steps of {step}, {rounding}")?;
                pass.as_ref().map_or(Ok(()), |pass| write!(formatter, ", pass {}", pass.text(0)))
            }
            Self::Labels { basis, labels, pass } => {
                let label = |MarkLabel { label, from }: &MarkLabel| format!("{label} {}", from.text(0));
                let labels = labels.iter().map(label).collect::<Vec<_>>().join(", ");
                write!(formatter, "{labels} by {}", basis.name())?;
                pass.as_ref().map_or(Ok(()), |pass| write!(formatter, ", pass {pass}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_scale_is_told_in_one_line() {
        let told = |scale| MarkScale::read(&scale).unwrap().to_string();
        let numbers = json!({
            "type": "numbers", "basis": "points", "worst": 6, "best": 1, "step": 0.5, "rounding": "up", "pass": 4,
        });
        assert_eq!(told(numbers), "6 to 1 by points in steps of 0.5, up, pass 4");
        let mut labels = json!({
            "type": "labels", "basis": "score",
            "labels": [{ "label": "A", "from": 650 }, { "label": "B", "from": 200 }], "pass": "A",
        });
        assert_eq!(told(labels.clone()), "A 650, B 200 by score, pass A");
        labels["pass"] = json!(null);
        assert_eq!(told(labels), "A 650, B 200 by score");
    }
}
