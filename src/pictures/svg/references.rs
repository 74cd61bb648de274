//! How much a drawing draws: an element that is used ten times within one that is used ten times is drawn a hundred
//! times, and a few lines more would keep a browser busy for ever.

use std::collections::{HashMap, HashSet};

/// Elements that a drawing may draw, with each use of one counted.
const DRAWN_MAX: u64 = 200_000;
/// Uses within each other.
const USES_DEPTH_MAX: usize = 32;
/// Elements that refer to each other, and draw nothing by themselves.
const GRADIENTS: [&str; 2] = ["linearGradient", "radialGradient"];

/// The elements of a drawing by their ids, and what each uses.
#[derive(Default)]
pub(super) struct References {
    /// Of each open element, its place among the named ones; `None` for one without an id.
    open: Vec<Option<usize>>,
    named: Vec<Named>,
    by_id: HashMap<String, usize>,
    gradients: HashSet<String>,
    /// What style sheets refer to, for whatever elements they are.
    of_styles: Vec<String>,
    all: Named,
    /// How many references have been noted, each for every open element with an id.
    noted: u64,
}

/// An element with an id, or the whole drawing.
#[derive(Default)]
struct Named {
    elements: u64,
    targets: Vec<String>,
}

impl References {
    /// An element begins that refers to these.
    pub(super) fn begin(&mut self, name: &str, id: Option<&str>, targets: Vec<&str>) {
        let is_gradient = GRADIENTS.contains(&name);
        let place = id.map(|id| {
            if is_gradient {
                self.gradients.insert(id.to_owned());
            }
            self.named.push(Named::default());
            let place = self.named.len() - 1;
            // Of several elements with one id, browsers use the first.
            *self.by_id.entry(id.to_owned()).or_insert(place)
        });
        self.open.push(place);
        let targets = if is_gradient { Vec::new() } else { targets };
        let places: HashSet<usize> = self.open.iter().copied().flatten().collect();
        self.noted = self.noted.saturating_add((targets.len() * (places.len() + 1)) as u64);
        if self.noted > DRAWN_MAX {
            // A file of two megabytes would else fill hundreds.
            return;
        }
        for place in places {
            if let Some(named) = self.named.get_mut(place) {
                named.add(&targets);
            }
        }
        self.all.add(&targets);
    }

    /// The element that began last ends.
    pub(super) fn end(&mut self) {
        self.open.pop();
    }

    /// A style sheet refers to these.
    pub(super) fn of_style<'a>(&mut self, targets: impl Iterator<Item = &'a str>) {
        self.of_styles.extend(targets.map(str::to_owned));
    }

    /// Returns whether the drawing ends. Style sheets may refer to gradients alone, since it is not known what else
    /// would use them.
    pub(super) fn are_drawable(&self) -> bool {
        if self.noted > DRAWN_MAX {
            return false;
        }
        let is_flat = self.of_styles.iter().all(|id| self.gradients.contains(id) || !self.by_id.contains_key(id));
        is_flat && self.drawn(&self.all, &mut HashMap::new(), 0).is_some()
    }

    /// How many elements are drawn for one; `None` if there are too many, or uses within each other without end.
    fn drawn(&self, named: &Named, known: &mut HashMap<usize, u64>, depth: usize) -> Option<u64> {
        let mut drawn = named.elements;
        for target in named.targets.iter().filter(|target| !self.gradients.contains(*target)) {
            let Some(place) = self.by_id.get(target).copied() else { continue };
            let of_target = match known.get(&place) {
                Some(drawn) => *drawn,
                None if depth >= USES_DEPTH_MAX => return None,
                None => self.drawn(self.named.get(place)?, known, depth + 1)?,
            };
            known.insert(place, of_target);
            drawn += of_target;
            if drawn > DRAWN_MAX {
                return None;
            }
        }
        Some(drawn)
    }
}

impl Named {
    fn add(&mut self, targets: &[&str]) {
        self.elements += 1;
        self.targets.extend(targets.iter().map(|target| (*target).to_owned()));
    }
}
