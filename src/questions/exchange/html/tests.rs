//! HTML of other systems as text of ours, and back.

use super::*;

fn rich(html: &str) -> Result<Rich, Refusal> {
    let picture = || PictureSource::Bytes { media_type: "image/png", bytes: vec![1] };
    html_to_rich(html, &|name| (name == "a%20b.png").then(picture))
}

#[test]
fn html_becomes_text() {
    for (html, expected) in [
        ("plain  text\n of  two lines", "plain text of two lines"),
        ("<p>a</p><p>b</p>", "a\nb"),
        ("<p>a<br>b<br></p>\n<p>c</p>", "a\nb\nc"),
        ("a<br><br>b", "a\n\nb"),
        ("<div><div>a</div></div>b", "a\nb"),
        ("<b>a</b> <i> b</i>", "a b"),
        ("1 &lt; 2 &amp; 3&nbsp;&eacute; &#8364;", "1 < 2 & 3\u{a0}é €"),
        ("x<sup>2</sup>+<sub>1</sub>", "x$^{2}$+$_{1}$"),
        ("10<sup>-3</sup>5", "10$^{-3}5$"),
        ("H<sub>2</sub>O", "H$_{2}$O"),
        ("x<sub>a</sub><sup>b</sup>", "x$_{a}$$^{b}$"),
        ("<ul><li>a</li><li>b</li></ul>", "– a\n– b"),
        ("<ol><li>a<li>b</ol>c", "1. a\n2. b\nc"),
        (r"Is \(x &lt; 5\) <b>true</b>?", "Is $x < 5$ true?"),
        ("<p>$$x$$</p>", "$$x$$"),
        ("<p>Is $$x$$ it?</p>", "Is $x$ it?"),
        ("It costs <b>$5</b>.", r"It costs \$5."),
        ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> of", r"$\frac{1}{2}$ of"),
        ("<m:math xmlns:m='x'><m:mi>x</m:mi></m:math>", "$x$"),
        (
            r#"<img class="equation_image" data-equation-content="\frac{1}{2}" src="/equation_images/x">"#,
            r"$\frac{1}{2}$",
        ),
        (r#"<img class="equation_image" alt="LaTeX: \pi r^2" src="/equation_images/x">"#, r"$\pi r^2$"),
        (
            r#"<img class="equation_image" src="/equation_images/%255Cfrac%257B1%257D%257B2%257D?scale=1">"#,
            r"$\frac{1}{2}$",
        ),
        ("<span style='white-space: pre-wrap'>a  b<br>  c</span>", "a  b\n  c"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("a<!-- c -->b<o:p></o:p>", "ab"),
        ("5 < 6", "5 < 6"),
        ("a &unknown; b", "a &unknown; b"),
        ("", ""),
    ] {
        assert_eq!(rich(html).map(|rich| rich.text).as_deref(), Ok(expected), "{html}");
    }
    assert_eq!(rich("<b>a</b><em>b</em>").map(|rich| rich.dropped), Ok(2));
}

#[test]
fn lines_above_and_below_a_text_are_kept() {
    for (html, expected) in [
        ("The underlined digit in 4<u>7</u>3?", r"The underlined digit in 4$\underline{7}3$?"),
        ("0.<span style='text-decoration: overline'>3</span> of it", r"0.$\overline{3}$ of it"),
        ("<span style='text-decoration-line:Overline'>AB</span> = 5", r"$\overline{AB}$ = 5"),
        ("<u style='text-decoration:\n overline'>AB</u>", r"$\overline{AB}$"),
        ("<span style='text-decoration: overline'>not A</span>", r"$\overline{\text{not A}}$"),
        ("Which is <u>not</u> true?", r"Which is $\underline{\text{not}}$ true?"),
        ("Which is<u> not </u>true?", r"Which is $\underline{\text{not}}$ true?"),
        ("Câu nào <ins>không đúng</ins>?", r"Câu nào $\underline{\text{không đúng}}$?"),
        ("<span style='color: #000; text-decoration: underline solid'>a</span>b", r"$\underline{\text{a}}$b"),
        ("<u>50%</u> or <u>3,5</u>", r"$\underline{\text{50\%}}$ or $\underline{\text{3,5}}$"),
        ("<u>Costs $5 {x}</u>", r"$\underline{\text{Costs \$5 \{x\}}}$"),
        (r"<u>\(x\)</u>, <u>x<sup>2</sup></u>", r"$\underline{x}$, $\underline{\text{x}^{2}}$"),
        ("<u>Which <b>digit</b></u>", r"$\underline{\text{Which }\text{digit}}$"),
        ("<p style='text-decoration: underline'>One</p><p>two</p>", "$\\underline{\\text{One}}$\ntwo"),
        ("Điền <u>&nbsp;&nbsp;&nbsp;</u>.", "Điền _____."),
        ("a<u> </u>b<u></u>c", "a bc"),
        ("<a style='text-decoration: none; text-underline-offset: 1px'>b</a>", "b"),
    ] {
        let read = rich(html).map(|rich| (rich.text, rich.lines));
        assert_eq!(read, Ok((expected.to_owned(), 0)), "{html}");
    }
    let long = "a word ".repeat(10);
    for (html, expected) in [
        (format!("<u>{long}</u>end"), format!("{long}end")),
        ("<u>a<br>b</u> c".to_owned(), "a\nb c".to_owned()),
        ("<u><p>a</p></u>b".to_owned(), "a\nb".to_owned()),
        ("<u>a^b</u>".to_owned(), "a^b".to_owned()),
    ] {
        assert_eq!(rich(&html).map(|rich| (rich.text, rich.lines)), Ok((expected, 1)), "{html}");
        let above = html.replace("<u>", "<i style='text-decoration:overline'>").replace("</u>", "</i>");
        assert!(matches!(rich(&above), Err(Refusal::Unshowable(_))), "{above}: {:?}", rich(&above));
    }
    for html in ["<u>a", "a<u>b<sup>2</u>", "<p>a<u>b</p>c</u>", "<u/>a"] {
        assert!(matches!(rich(html), Err(Refusal::Other(_))), "{html}: {:?}", rich(html));
    }
}

#[test]
fn emphasis_and_colours_are_counted() {
    for (html, dropped, colours) in [
        ("<b>a</b><em>b</em>", 2, 0),
        ("<span style='font-weight: bold'>a</span><span style='FONT-STYLE:italic'>b</span>", 2, 0),
        ("<span style='font-weight: normal; font-style: normal'>a</span>", 0, 0),
        ("<span style='color: red'>a</span> <font color='blue'>b</font>", 0, 2),
        ("<span style='background-color: rgb(255, 255, 0) !important'>a</span>", 0, 1),
        ("<p style='color: rgb(0, 0, 0); background: white'>a</p><p style='color: black !important'>b</p>", 0, 0),
        ("<p style='color: white'>a</p>", 0, 1),
        ("<b style='color: red'>a</b>", 1, 1),
    ] {
        assert_eq!(rich(html).map(|rich| (rich.dropped, rich.colours)), Ok((dropped, colours)), "{html}");
    }
}

#[test]
fn one_picture_is_kept() {
    let found = rich("<p>See <img src='a%20b.png' alt=' A cat '>.</p>").unwrap();
    assert_eq!(found.text, "See .");
    assert_eq!(found.picture.map(|picture| picture.description).as_deref(), Some("A cat"));
    let linked = rich("<img src='https://school.example/a.png'>").unwrap().picture.unwrap();
    assert_eq!(linked.source, PictureSource::Address("https://school.example/a.png".to_owned()));
    assert_eq!(rich("<img src='a%20b.png'><img src='a%20b.png'>"), Err(Refusal::SecondPicture));
    assert_eq!(rich("<img src='gone.png'>"), Err(Refusal::MissingPicture("gone.png".to_owned())));
    assert!(rich("<img src='http://school.example/a.png'>").is_err());
}

#[test]
fn what_cannot_be_shown_is_refused() {
    for html in [
        "<script>alert(1)</script>",
        "a<SCRIPT SRC=x></SCRIPT>",
        "<style>p { }</style>",
        "<table><tr><td>1</td></tr></table>",
        "<iframe src='x'></iframe>",
        "<svg onload='x'></svg>",
        "<video src='x'></video>",
        "<audio src='x'></audio>",
        "<input>",
        "<del>5</del>",
        "<object data='x'></object>",
        "10<span style=\"vertical-align: super\">2</span>",
        "<span style='text-decoration: line-through'>5</span>",
        "<p style='display: none'>the key</p>",
        "<ol type='A'><li>a</li></ol>",
        "<ol start='3'><li>a</li></ol>",
    ] {
        assert!(matches!(rich(html), Err(Refusal::Unshowable(_))), "{html}: {:?}", rich(html));
    }
    assert_eq!(rich("<math><mi>x</mi>").err(), Some(Refusal::Formula("it has no end".to_owned())));
    assert_eq!(rich(&"<b>".repeat(1_000)), Err(Refusal::TooLarge));
    assert_eq!(rich(&format!("<math>{}", "<mrow>".repeat(100))), Err(Refusal::TooLarge));
    assert_eq!(rich(&format!("<p>{}", "x".repeat(TEXT_BYTES_MAX + 1))), Err(Refusal::TooLarge));
    assert_eq!(rich(&"x".repeat(HTML_BYTES_MAX + 1)), Err(Refusal::TooLarge));
}

#[test]
fn a_sign_that_seems_to_begin_a_mark_costs_no_text() {
    for html in ["Given 0<x<1, which?", "if p<q and r>s", "a<b", "x<sup>2", "x<"] {
        assert!(matches!(rich(html), Err(Refusal::Other(_))), "{html}: {:?}", rich(html));
    }
    assert_eq!(rich("0 < x <br/>and 5 &lt; y<p>z").unwrap().text, "0 < x\nand 5 < y\nz");
}

#[test]
fn attributes_do_nothing() {
    assert_eq!(rich("<p onclick='alert(1)' style='color:red'>a <a href='javascript:1'>b</a></p>").unwrap().text, "a b");
}

#[test]
fn what_is_written_is_read_back() {
    for text in [
        "plain",
        "a\nb\n\nc",
        r"Is $\frac{1}{2}$ of $x$ more than \$5?",
        "$$x^2$$",
        "a\n$$x^2$$\nb",
        "a $$x^2$$ b",
        "a  b\tc\n d",
        r"\$\$5",
        r"\( is a bracket \) and [tex] too [/tex]",
        r"a\\b \n c",
        r"$x$\$5",
        "1 < 2 & \"3\" > '0' \u{a0}end",
        "<b>no mark</b> &amp; no entity",
        "Phân số: \u{1F600} ½",
        r"$a$$b$",
        r"$a$(b) [c]",
        r"4$\underline{7}3$ and 0.$\overline{3}$",
        r"Which is $\underline{\text{not \$5 or 5\%}}$?",
    ] {
        assert_eq!(rich(&rich_to_html(text)).map(|rich| rich.text).as_deref(), Ok(text), "{}", rich_to_html(text));
    }
}
