//! Dollars and formulas of other systems, in both directions.

use super::*;

#[test]
fn formulas_of_others_become_ours() {
    for (theirs, ours) in [
        (r"What is \(\frac{1}{2}\)?", r"What is $\frac{1}{2}$?"),
        (r"\( x + 1 \)", "$x + 1$"),
        (r"\[x^2\]", "$$x^2$$"),
        ("$$x^2$$", "$$x^2$$"),
        ("a\n$$x^2$$\nb", "a\n$$x^2$$\nb"),
        ("Is $$x^2$$ more?", "Is $x^2$ more?"),
        ("[tex]a_1[/tex] is", "$a_1$ is"),
        ("It costs $5 or $6.", r"It costs \$5 or \$6."),
        (r"It costs \$5.", r"It costs \$5."),
        ("$x$", r"\$x\$"),
        (r"\(x", r"\(x"),
        ("$$5", r"\$\$5"),
        (r"\(x\)5", "$x 5$"),
        (r"\(x^2\)5", "$x^25$"),
        (r"\[x\]5", "$$x$$5"),
        (r"\(\pi\)5", r"$\pi 5$"),
        (r"\(x\)\(y\)", "$x$$y$"),
        (r"\[x\]\[y\]", "$$x$$\n$$y$$"),
        (r"\[x\]\(y\)", "$$x$$\n$y$"),
        (r"\(\text{5 $}\)", r"$\text{5 \$}$"),
        (r"\(a\ \)", "$a$"),
        (r"\(\)", r"\(\)"),
        (r"\\(x\)", r"\\(x\)"),
        (r"a\\ b", r"a\\ b"),
        (r"\(\begin{matrix}1\\2\end{matrix}\)", r"$\begin{matrix}1\\2\end{matrix}$"),
    ] {
        assert_eq!(to_ours(theirs), ours, "{theirs}");
    }
}

#[test]
fn brackets_without_end_take_no_time() {
    let many = "\\(".repeat(60_000);
    assert_eq!(to_ours(&many), many);
    let dollars = "$$a$$ ".repeat(20_000);
    assert!(to_ours(&dollars).starts_with("$a$ $a$"));
}
