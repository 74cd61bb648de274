//! Tests of what is left of drawings: all that draws, and nothing that acts.

use super::*;

fn read(inner: &str) -> Option<String> {
    let text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 30\">{inner}</svg>");
    HarmlessDrawing::read(text.as_bytes()).map(|drawing| {
        let inner =
            drawing.text.strip_prefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 30\">").unwrap();
        inner.strip_suffix("</svg>").unwrap().to_owned()
    })
}

#[test]
fn what_draws_stays() {
    for same in [
        "<path d=\"M0 0L9 9\" stroke=\"#000\" stroke-width=\"2\"/>",
        "<g id=\"a\" transform=\"rotate(45)\"><text x=\"1\" font-size=\"4\">3 &lt; 4 &amp; 5 cm²</text></g>",
        "<defs><linearGradient id=\"g\"><stop offset=\"0\"/></linearGradient></defs><rect fill=\"url(#g)\"/>",
        "<style>.a{fill:red}</style><circle class=\"a\" r=\"4\"/>",
        "<symbol id=\"s\"><line x2=\"4\"/></symbol><use href=\"#s\"/><use href=\"#s\" x=\"5\"/>",
        "<title>Đồng hồ</title>",
    ] {
        assert_eq!(read(same).as_deref(), Some(same));
    }
    let with_prefixes = "<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
        width=\"40px\" height=\"30.4\"><svg:path id=\"p\" d=\"M0 0\"/><svg:use xlink:href=\"#p\"/></svg:svg>";
    let drawing = HarmlessDrawing::read(with_prefixes.as_bytes()).unwrap();
    assert_eq!((drawing.width, drawing.height), (40, 30));
    assert_eq!(
        drawing.text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40px\" height=\"30.4\"><path id=\"p\" d=\"M0 0\"/><use href=\"#p\"/></svg>"
    );
}

#[test]
fn what_acts_or_loads_is_left_out() {
    for harmful in [
        "<script>alert(1)</script>",
        "<SCRIPT>alert(1)</SCRIPT>",
        "<svg:script>alert(1)</svg:script>",
        "<script href=\"https://evil.test/a.js\"/>",
        "<foreignObject><body xmlns=\"http://www.w3.org/1999/xhtml\"><script>1</script></body></foreignObject>",
        "<image href=\"https://evil.test/a.png\"/>",
        "<image xlink:href=\"data:image/png;base64,AAAA\"/>",
        "<a href=\"javascript:alert(1)\"><text>click</text></a>",
        "<animate attributeName=\"href\" values=\"javascript:alert(1)\"/>",
        "<set attributeName=\"onload\" to=\"alert(1)\"/>",
        "<iframe src=\"https://evil.test\"/>",
        "<feImage href=\"https://evil.test/a.png\"/>",
        "<metadata><location>10.76,106.66</location></metadata>",
        "<style>@import url(https://evil.test/a.css)</style>",
        "<style>rect{fill:url(https://evil.test/a.svg#g)}</style>",
        "<style>rect{fill:u\\72l(https://evil.test/a.svg#g)}</style>",
        "<style><![CDATA[@import 'https://evil.test/a.css';]]></style>",
        "<style>@font-face{src:url(data:font/woff;base64,AA)}</style>",
        "<svg onload=\"alert(1)\"><rect/></svg>",
        "<!-- made at home by An --><?xml-stylesheet href=\"https://evil.test/a.css\"?>",
        "<handler type=\"text/javascript\">alert(1)</handler>",
    ] {
        assert_eq!(read(harmful).as_deref(), Some(""), "{harmful}");
    }
    for attribute in [
        "onload=\"alert(1)\"",
        "onClick=\"alert(1)\"",
        "href=\"https://evil.test/a.svg#b\"",
        "xlink:href=\"javascript:alert(1)\"",
        "href=\" #b\"",
        "style=\"fill:url(https://evil.test/a.svg#g)\"",
        "style=\"fill:URL( 'https://evil.test/a.svg' )\"",
        "fill=\"url(&#104;ttps://evil.test/a.svg#g)\"",
        "mask=\"url(//evil.test/a.svg#g)\"",
        "clip-path=\"url(#a%62)\"",
        "style=\"-moz-binding:url(#x)\"",
        "style=\"background:image-set('https://evil.test/a.png' 1x)\"",
        "xml:base=\"https://evil.test/\"",
        "data-name=\"An\"",
        "inkscape:label=\"An\"",
        "requiredExtensions=\"http://www.w3.org/1999/xhtml\"",
    ] {
        assert_eq!(read(&format!("<rect {attribute}/>")).as_deref(), Some("<rect/>"), "{attribute}");
    }
    assert_eq!(read("<rect x=\"1\" x=\"2\" fill=\"a&quot;&lt;b\"/>").as_deref(), Some("<rect x=\"1\"/>"));
}

#[test]
fn what_is_broken_or_without_end_is_refused() {
    let lol = "<!DOCTYPE svg [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><svg><text>&b;</text></svg>";
    let external = "<!DOCTYPE svg [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><svg><text>&a;</text></svg>";
    let in_attribute = "<!DOCTYPE svg [<!ENTITY a \"x\">]><svg><rect fill=\"&a;\"/></svg>";
    let deep = format!("<svg>{}{}</svg>", "<g>".repeat(DEPTH_MAX), "</g>".repeat(DEPTH_MAX));
    let many = format!("<svg>{}</svg>", "<g/>".repeat(ELEMENTS_MAX));
    let attributes: String = (0..=ATTRIBUTES_MAX).map(|number| format!(" a{number}=\"\"")).collect();
    let wide = format!("<svg><rect{attributes}/></svg>");
    let long = format!("<svg><text>{}</text></svg>", "x".repeat(SVG_BYTES_MAX));
    let uses = |levels: usize| {
        let level = |level: usize| {
            let used = format!("<use href=\"#u{}\"/>", level + 1);
            format!("<g id=\"u{level}\">{}</g>", used.repeat(10))
        };
        let groups: String = (0..levels).map(level).collect();
        format!("<svg>{groups}<g id=\"u{levels}\"><rect/></g></svg>")
    };
    // Each of many references is noted for each of many open elements.
    let named: String = (0..60).map(|level| format!("<g id=\"n{level}\">")).collect();
    let named = format!("<svg>{named}<path style=\"fill:{}\"/>{}</svg>", "url(#a) ".repeat(5_000), "</g>".repeat(60));
    let chain: String =
        (0..40).map(|level| format!("<g id=\"c{level}\"><use href=\"#c{}\"/></g>", level + 1)).collect();
    for refused in [
        lol,
        external,
        in_attribute,
        &deep,
        &many,
        &wide,
        &long,
        &uses(9),
        &named,
        &format!("<svg>{chain}</svg>"),
        "<svg><g id=\"a\"><use href=\"#a\"/></g></svg>",
        "<svg><g id=\"a\"><use href=\"#b\"/></g><g id=\"b\"><use href=\"#a\"/></g></svg>",
        "<svg><pattern id=\"p\"><rect fill=\"url(#p)\"/></pattern></svg>",
        "<svg><style>rect{fill:url(#p)}</style><pattern id=\"p\"><rect/></pattern></svg>",
        "",
        "text",
        "<svg>",
        "<svg></g>",
        "<svg/><svg/>",
        "<html><svg/></html>",
        "<svg><rect",
        "<svg attribute=1/>",
        "<svg>a & b</svg>",
    ] {
        assert_eq!(HarmlessDrawing::read(refused.as_bytes()), None, "{}", refused.get(..80).unwrap_or(refused));
    }
    assert_eq!(HarmlessDrawing::read(b"<svg>\xff</svg>"), None);
    assert!(HarmlessDrawing::read(uses(2).as_bytes()).is_some());
    assert!(
        HarmlessDrawing::read(b"\xef\xbb\xbf<?xml version=\"1.0\"?><!DOCTYPE svg PUBLIC \"a\" \"b\"><svg/>").is_some()
    );
}
