//! What a drawing may have: elements and attributes that only draw, and values that lead nowhere else.

/// Elements. Pictures within a drawing are not among them: they could load, or carry what their cameras wrote. Nor are
/// filters, of which a part alone would hide what it is for.
const ELEMENTS: [&str; 27] = [
    "svg",
    "g",
    "defs",
    "symbol",
    "use",
    "title",
    "desc",
    "style",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "textPath",
    "marker",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "mask",
    "pattern",
    "switch",
    "view",
];

/// Attributes without a prefix, and those of which the prefix is left out or kept.
const ATTRIBUTES: [&str; 122] = [
    "id",
    "class",
    "style",
    "href",
    "lang",
    "role",
    "xml:space",
    "transform",
    "viewBox",
    "preserveAspectRatio",
    "width",
    "height",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "fx",
    "fy",
    "fr",
    "d",
    "points",
    "pathLength",
    "dx",
    "dy",
    "rotate",
    "textLength",
    "lengthAdjust",
    "startOffset",
    "method",
    "spacing",
    "side",
    "offset",
    "gradientUnits",
    "gradientTransform",
    "spreadMethod",
    "patternUnits",
    "patternContentUnits",
    "patternTransform",
    "clipPathUnits",
    "maskUnits",
    "maskContentUnits",
    "markerWidth",
    "markerHeight",
    "markerUnits",
    "refX",
    "refY",
    "orient",
    "fill",
    "fill-opacity",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-dasharray",
    "stroke-dashoffset",
    "opacity",
    "color",
    "display",
    "visibility",
    "overflow",
    "clip",
    "clip-path",
    "clip-rule",
    "mask",
    "mask-type",
    "marker",
    "marker-start",
    "marker-mid",
    "marker-end",
    "font",
    "font-family",
    "font-size",
    "font-size-adjust",
    "font-style",
    "font-weight",
    "font-variant",
    "font-stretch",
    "font-feature-settings",
    "kerning",
    "letter-spacing",
    "word-spacing",
    "line-height",
    "white-space",
    "text-anchor",
    "text-align",
    "text-decoration",
    "text-indent",
    "text-transform",
    "text-rendering",
    "text-overflow",
    "dominant-baseline",
    "alignment-baseline",
    "baseline-shift",
    "direction",
    "writing-mode",
    "glyph-orientation-horizontal",
    "glyph-orientation-vertical",
    "unicode-bidi",
    "stop-color",
    "stop-opacity",
    "paint-order",
    "vector-effect",
    "shape-rendering",
    "image-rendering",
    "color-rendering",
    "color-interpolation",
    "isolation",
    "mix-blend-mode",
    "transform-origin",
    "transform-box",
    "version",
    "baseProfile",
];

/// Words by which a style loads or runs something, or hides such a word.
const HARMFUL: [&str; 11] =
    ["\\", "@", "<", "javascript:", "data:", "expression", "behavior", "-moz-binding", "image(", "image-set(", "src("];

/// The element of that name, if a drawing may have it.
pub(super) fn element(name: &str) -> Option<&'static str> {
    ELEMENTS.into_iter().find(|allowed| *allowed == name)
}

/// The name under which an attribute is copied, if it is. A reference has a prefix in older drawings.
pub(super) fn attribute(name: &str) -> Option<&'static str> {
    let name = match name.split_once(':') {
        Some((_, "href")) => "href",
        _ => name,
    };
    ATTRIBUTES.into_iter().find(|allowed| *allowed == name)
}

/// Returns whether a style or a value loads nothing, and refers to nothing outside its drawing.
pub(super) fn is_harmless(value: &str) -> bool {
    let plain: String = value.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().to_lowercase();
    let is_local = |after: &str| {
        let target = after.split(')').next().unwrap_or_default();
        target.trim_start_matches(['"', '\'']).starts_with('#') && !target.contains('%')
    };
    HARMFUL.iter().all(|word| !plain.contains(word)) && plain.split("url(").skip(1).all(is_local)
}

/// The ids to which a value refers by `url(#id)`.
pub(super) fn local_targets(value: &str) -> impl Iterator<Item = &str> {
    value.split('#').skip(1).zip(value.split('#')).filter_map(|(after, before)| {
        let before = before.trim_end_matches(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\''));
        let is_reference = before.to_ascii_lowercase().ends_with("url(");
        is_reference.then(|| after.split([')', '"', '\'']).next().unwrap_or_default().trim())
    })
}
