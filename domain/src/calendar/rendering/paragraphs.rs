//! Puts `<p>` around paragraphs, which blank lines separate, and `<br />` in place of single newlines. Blocks that are
//! already there stay as they are.

use super::markup::{Piece, Tag, pieces};

const BREAK: &str = "<br />";

/// Clean HTML with its paragraphs.
pub(super) fn of(html: &str) -> String {
    let mut page = Page::default();
    for piece in pieces(html) {
        match piece {
            Piece::Text(text) if page.open_blocks > 0 => page.current.push_str(text),
            Piece::Text(text) => page.text(text),
            Piece::Tag(tag) if tag.is_block() => page.block(tag),
            Piece::Tag(tag) => page.inline(tag),
        }
    }
    page.finish();
    page.done.join("\n")
}

#[derive(Default)]
struct Page {
    done: Vec<String>,
    /// The paragraph or the block that is being written.
    current: String,
    /// Open blocks around what comes next.
    open_blocks: usize,
    /// Other open elements, outside of blocks.
    open_inline: usize,
    /// Whether `current` contains a block. If so, it cannot become a paragraph.
    has_block: bool,
    /// Newlines since the last text.
    newlines: usize,
}

impl Page {
    fn text(&mut self, text: &str) {
        for (index, line) in text.split('\n').enumerate() {
            self.newlines += usize::from(index > 0);
            if self.newlines == 0 {
                self.current.push_str(line);
            } else if !line.trim().is_empty() {
                self.end_lines();
                self.current.push_str(line.trim_start());
            }
        }
    }

    fn inline(&mut self, tag: Tag<'_>) {
        if self.open_blocks == 0 && !tag.is_end {
            self.end_lines();
        }
        self.current.push_str(if tag.name == "br" { BREAK } else { tag.text });
        if self.open_blocks == 0 && !tag.is_void() {
            self.open_inline = if tag.is_end { self.open_inline.saturating_sub(1) } else { self.open_inline + 1 };
        }
    }

    fn block(&mut self, tag: Tag<'_>) {
        if self.open_blocks == 0 && self.open_inline == 0 && !tag.is_end {
            self.finish();
        }
        self.newlines = 0;
        self.has_block = true;
        self.current.push_str(tag.text);
        if !tag.is_void() {
            self.open_blocks = if tag.is_end { self.open_blocks.saturating_sub(1) } else { self.open_blocks + 1 };
        }
        if self.open_blocks == 0 && self.open_inline == 0 {
            self.finish();
        }
    }

    /// Ends the paragraph or the line, as the newlines before the next text require.
    fn end_lines(&mut self) {
        let newlines = std::mem::take(&mut self.newlines);
        if newlines >= 2 && self.open_inline == 0 {
            self.finish();
        } else if newlines > 0 && !self.current.trim().is_empty() {
            self.current.truncate(self.current.trim_end().len());
            self.current.push_str(if self.current.ends_with(BREAK) { "\n" } else { "<br />\n" });
        }
    }

    fn finish(&mut self) {
        let written = std::mem::take(&mut self.current);
        let has_block = std::mem::take(&mut self.has_block);
        self.newlines = 0;
        match written.trim() {
            "" => {}
            block if has_block => self.done.push(block.to_owned()),
            paragraph => self.done.push(format!("<p>{paragraph}</p>")),
        }
    }
}
