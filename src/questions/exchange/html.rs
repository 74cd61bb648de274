//! Texts of other systems, which are HTML, as texts of ours, and the other way round. What a question here can't show
//! is a reason to refuse it, not to show something else.

mod marks;
mod reader;
mod writer;

use domain::exchange::foreign::{ForeignPicture, PictureSource, Refusal, Rich};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};

use super::latex::to_ours;
use reader::HtmlReader;
pub use writer::{image, rich_to_html};

/// Bytes of the HTML of one text, with its markup and without pictures in other files.
const HTML_BYTES_MAX: usize = 1_024 * 1_024;
/// Bytes of the text that HTML may give: no field is longer, and the search for formulas stays short.
const TEXT_BYTES_MAX: usize = 4 * domain::question::TEXT_UNITS_MAX;

/// A text of ours from HTML. `pictures` finds the picture that the HTML names.
pub fn html_to_rich(html: &str, pictures: &dyn Fn(&str) -> Option<PictureSource>) -> Result<Rich, Refusal> {
    if html.len() > HTML_BYTES_MAX {
        return Err(Refusal::TooLarge);
    }
    // Without marks and references the tokenizer has nothing to find.
    if !html.contains(['<', '&', '\0']) {
        return Ok(Rich { text: to_ours(&collapsed(html)?), ..Rich::default() });
    }
    let tokenizer = Tokenizer::new(HtmlReader::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.finish(pictures)
}

/// A text of ours from plain text, in which only formulas mean something.
pub fn plain_to_rich(text: &str) -> Result<Rich, Refusal> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Refusal::TooLarge);
    }
    Ok(Rich { text: to_ours(&domain::question::normal_text(text)), ..Rich::default() })
}

/// A text in which line breaks count and marks of HTML may stand, as Moodle reads one that says no format. A line break
/// beside a mark means nothing.
pub fn lines_to_rich(text: &str, pictures: &dyn Fn(&str) -> Option<PictureSource>) -> Result<Rich, Refusal> {
    let text = domain::question::normal_text(text);
    let lines: Vec<&str> = text.split('\n').map(str::trim).collect();
    let mut html = String::with_capacity(text.len());
    for (place, line) in lines.iter().enumerate() {
        let next = lines.get(place + 1);
        html.push_str(line);
        let is_beside_mark = line.ends_with('>') || next.is_some_and(|next| next.starts_with('<'));
        html.push_str(match next {
            None => "",
            Some(_) if is_beside_mark => " ",
            Some(_) => "<br>",
        });
    }
    html_to_rich(&html, pictures)
}

/// HTML without marks: white space counts once.
fn collapsed(html: &str) -> Result<String, Refusal> {
    let text = html.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    if text.len() > TEXT_BYTES_MAX { Err(Refusal::TooLarge) } else { Ok(text) }
}

/// The picture with that name, whose file a text may name with its signs in code.
fn picture(
    source: &str,
    description: &str,
    pictures: &dyn Fn(&str) -> Option<PictureSource>,
) -> Result<ForeignPicture, Refusal> {
    let source = source.trim();
    let is_address = |text: &str| {
        let start: String = text.chars().take(6).collect::<String>().to_ascii_lowercase();
        start.starts_with("https:") || start.starts_with("data:")
    };
    let found = pictures(source)
        .or_else(|| is_address(source).then(|| PictureSource::Address(source.to_owned())))
        .ok_or_else(|| Refusal::MissingPicture(source.chars().take(80).collect()))?;
    Ok(ForeignPicture { source: found, description: domain::question::normal_text(description) })
}

#[cfg(test)]
mod tests;
