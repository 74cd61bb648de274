//! MathML as LaTeX.

use super::*;
use crate::questions::exchange::xml::parse;

fn latex(math: &str) -> Result<String, Refusal> {
    to_latex(&parse(&format!("<math>{math}</math>")).unwrap())
}

#[test]
fn school_mathematics_is_read() {
    for (math, expected) in [
        ("<mn>5</mn><mo>+</mo><mi>x</mi>", "5+x"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", r"\frac{1}{2}"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>", r"\frac{a+1}{b}"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msup><mn>10</mn><mn>3</mn></msup>", "10^{3}"),
        ("<msub><mi>a</mi><mi>n</mi></msub>", "a_{n}"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x_{1}^{2}"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x+1}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<mn>3</mn><mo>&#215;</mo><mi>y</mi>", r"3\times y"),
        ("<mn>3</mn><mo>&#215;</mo><mn>4</mn>", r"3\times4"),
        ("<mi>sin</mi><mo>&#8289;</mo><mi>x</mi>", r"\sin x"),
        ("<mi>km</mi>", r"\mathrm{km}"),
        ("<mi>&#960;</mi><mi>r</mi>", r"\pi r"),
        ("<mn>90</mn><mo>&#176;</mo>", r"90^{\circ}"),
        ("<msup><mn>9</mn><mo>&#176;</mo></msup>", r"9^{\circ}"),
        ("<mtext>5 km &amp; more</mtext>", r"\text{5 km \& more}"),
        ("<mover><mi>a</mi><mo>&#8594;</mo></mover>", r"\vec{a}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>&#175;</mo></mover>", r"\overline{AB}"),
        (
            "<munderover><mo>&#8721;</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>",
            r"\sum_{i=1}^{n}",
        ),
        ("<mfenced><mi>x</mi><mi>y</mi></mfenced>", r"\left(x,y\right)"),
        ("<mfenced open='|' close='|'><mi>x</mi></mfenced>", r"\left|x\right|"),
        ("<mo>{</mo><mn>1</mn><mo>}</mo>", r"\{1\}"),
        ("<semantics><mi>q</mi><annotation encoding='application/x-tex'>\\alpha</annotation></semantics>", r"\alpha"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>", r"\begin{matrix}1 & 2\end{matrix}"),
        ("<mi>x</mi><mo>&#8804;</mo><mn>5</mn><mo>%</mo>", r"x\leq5\%"),
    ] {
        assert_eq!(latex(math).as_deref(), Ok(expected), "{math}");
    }
}

#[test]
fn half_a_formula_is_refused() {
    for math in [
        "<mfrac><mn>1</mn></mfrac>",
        "<msup><mn>1</mn></msup>",
        "<mroot><mn>1</mn></mroot>",
        "<mlongdiv><mn>1</mn></mlongdiv>",
        "<mglyph/>",
        "<merror><mn>1</mn></merror>",
        "<menclose notation='updiagonalstrike'><mn>1</mn></menclose>",
        "x",
    ] {
        assert!(matches!(latex(math), Err(Refusal::Formula(_))), "{math}: {:?}", latex(math));
    }
}
