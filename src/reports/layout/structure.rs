//! The structure of a report: its parts and their reading order, for programs that read it aloud or reflow it.

/// What a part is. The names are those of PDF's standard structure types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartRole {
    Document,
    Title,
    Heading,
    Paragraph,
    Link,
    /// A picture, with what it shows in words.
    Figure(String),
    Table,
    Row,
    HeaderCell,
    /// A cell, with the number of columns that it covers.
    Cell(u8),
}

impl PartRole {
    /// The name of the structure type.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Document => "Document",
            Self::Title => "H1",
            Self::Heading => "H2",
            Self::Paragraph => "P",
            Self::Link => "Link",
            Self::Figure(_) => "Figure",
            Self::Table => "Table",
            Self::Row => "TR",
            Self::HeaderCell => "TH",
            Self::Cell(_) => "TD",
        }
    }
}

/// An element, by its place among all elements of a report.
pub type ElementIndex = usize;

/// A part of the report. Elements stand in the order in which they are read, each after its parent.
#[derive(Clone, Debug)]
pub struct Element {
    pub role: PartRole,
    /// `None` for the document itself, which is the first.
    pub parent: Option<ElementIndex>,
}

/// The elements so far, and those that are open: what is put on paper belongs to the innermost of them.
pub(super) struct Outline {
    pub elements: Vec<Element>,
    /// `None` for what is not part of the text, such as a repeated table head.
    open: Vec<Option<ElementIndex>>,
}

impl Outline {
    pub fn new() -> Self {
        Self { elements: vec![Element { role: PartRole::Document, parent: None }], open: vec![Some(0)] }
    }

    pub fn open(&mut self, role: PartRole) {
        // What lies within a decoration is decoration too.
        let element = self.current().map(|parent| {
            self.elements.push(Element { role, parent: Some(parent) });
            self.elements.len() - 1
        });
        self.open.push(element);
    }

    pub fn open_decoration(&mut self) {
        self.open.push(None);
    }

    pub fn close(&mut self) {
        self.open.pop();
    }

    pub fn current(&self) -> Option<ElementIndex> {
        self.open.last().copied().flatten()
    }

    pub fn is_in_figure(&self) -> bool {
        let role = self.current().and_then(|element| self.elements.get(element)).map(|element| &element.role);
        matches!(role, Some(PartRole::Figure(_)))
    }
}
