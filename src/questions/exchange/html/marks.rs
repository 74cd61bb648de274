//! What the marks of HTML mean for a text here, and the formulas that hide in them.

/// What a text here can't show, with the words for it.
pub(super) const UNSHOWABLE: [(&str, &str); 19] = [
    ("script", "a script"),
    ("style", "a style sheet"),
    ("iframe", "another page"),
    ("object", "an embedded object"),
    ("embed", "an embedded object"),
    ("applet", "an embedded object"),
    ("video", "a video"),
    ("audio", "a sound"),
    ("canvas", "a drawing"),
    ("svg", "a drawing within the text"),
    ("table", "a table"),
    ("form", "a form"),
    ("input", "a field to fill in"),
    ("textarea", "a field to fill in"),
    ("select", "a field to fill in"),
    ("button", "a button"),
    // What is struck out means something else than what is not.
    ("s", "text that is struck out"),
    ("strike", "text that is struck out"),
    ("del", "text that is struck out"),
];
/// What stands in lines of its own.
pub(super) const BLOCKS: [&str; 23] = [
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "pre",
    "section",
    "article",
    "header",
    "footer",
    "figure",
    "figcaption",
    "center",
];
/// Marks that are never closed.
pub(super) const VOID: [&str; 10] =
    ["area", "base", "col", "embed", "input", "link", "meta", "param", "source", "track"];
/// Styles, without spaces, that change what a text says, and what they make of it.
pub(super) const STYLES: [(&str, &str); 4] = [
    ("vertical-align:su", "text that a style raises or lowers"),
    ("line-through", "text that is struck out"),
    ("display:none", "text that is hidden"),
    ("visibility:hidden", "text that is hidden"),
];
/// Attributes of a list by which it is numbered in a way of its own.
pub(super) const NUMBERING: [&str; 4] = ["start", "type", "reversed", "value"];
/// Emphasis, which our texts do not have.
pub(super) const EMPHASIS: [&str; 8] = ["b", "strong", "i", "em", "mark", "tt", "kbd", "code"];
/// Styles that do the same.
const EMPHATIC: [&str; 7] = [
    "font-weight:bold",
    "font-weight:600",
    "font-weight:700",
    "font-weight:800",
    "font-weight:900",
    "font-style:italic",
    "font-style:oblique",
];
/// Colours that a text has anyway.
const USUAL_COLOURS: [&str; 8] =
    ["black", "#000", "#000000", "rgb(0,0,0)", "windowtext", "inherit", "initial", "currentcolor"];
/// Colours that the ground of a text has anyway.
const USUAL_GROUNDS: [&str; 8] =
    ["white", "#fff", "#ffffff", "rgb(255,255,255)", "transparent", "none", "inherit", "initial"];
/// The class of Canvas' pictures of formulas.
pub(super) const EQUATION: &str = "equation_image";

/// A style in small letters, without white space.
pub(super) fn plain_style(style: &str) -> String {
    style.to_lowercase().split_whitespace().collect()
}

/// The names and values in such a style.
fn declarations(style: &str) -> impl Iterator<Item = (&str, &str)> {
    let declared = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    declared.map(|(name, value)| (name, value.trim_end_matches("!important")))
}

/// Returns whether such a style emphasises a text.
pub(super) fn is_emphatic(style: &str) -> bool {
    EMPHATIC.iter().any(|known| style.contains(known))
}

/// Returns whether such a style gives a text or its ground another colour than usual.
pub(super) fn is_coloured(style: &str) -> bool {
    declarations(style).any(|(name, value)| match name {
        "color" => !USUAL_COLOURS.contains(&value),
        "background-color" | "background" => !USUAL_GROUNDS.contains(&value),
        _ => false,
    })
}

/// Returns whether such a style draws this line, `underline` or `overline`.
pub(super) fn draws(style: &str, line: &str) -> bool {
    declarations(style).any(|(name, value)| name.starts_with("text-decoration") && value.contains(line))
}

/// A text within a formula: what means something in LaTeX is escaped.
pub(super) fn in_formula(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || " +-*/=<>(),.'!:".contains(character);
    text.trim().chars().fold(String::new(), |mut latex, character| {
        match character {
            '\u{2212}' => latex.push('-'),
            '%' | '#' | '&' | '_' | '$' | '{' | '}' => latex.extend(['\\', character]),
            '\\' => latex.push_str("\\backslash "),
            '^' => latex.push_str("\\hat{}"),
            '~' => latex.push_str("\\sim "),
            character if is_plain(character) || !character.is_ascii() => latex.push(character),
            _ => latex.push(' '),
        }
        latex
    })
}

/// The LaTeX of Canvas' picture of a formula: its attribute, or its description, or its address, which has it in code
/// twice.
pub(super) fn equation(content: &str, description: &str, source: &str) -> Option<String> {
    let described = || description.trim().strip_prefix("LaTeX:").map(str::trim).filter(|latex| !latex.is_empty());
    let decode = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8().ok().map(String::from);
    let named = || {
        let (_, path) = source.split_once("/equation_images/")?;
        decode(&decode(path.split(['?', '#']).next()?)?)
    };
    let given = Some(content.trim()).filter(|latex| !latex.is_empty());
    given.or_else(described).map(str::to_owned).or_else(named).filter(|latex| !latex.trim().is_empty())
}
