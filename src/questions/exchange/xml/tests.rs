//! XML that is read in pieces, and what of it is refused.

use super::*;

fn all(text: &str) -> Result<Vec<Node>, XmlFault> {
    let mut file = XmlFile::open(text)?;
    std::iter::from_fn(|| file.next_child().transpose()).collect()
}

#[test]
fn the_children_of_the_root_come_one_after_the_other() {
    let text = "<?xml version=\"1.0\"?>\n<!-- c -->\n<Q:Quiz v='1'>\n<a n:B='x&amp;y'>1<b/>2<![CDATA[<3>]]></a>\n\n<c/></Q:Quiz>";
    let found = all(text).unwrap();
    let [first, second] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((first.name.as_str(), first.line, first.attribute("b")), ("a", 4, Some("x&y")));
    assert_eq!(first.text(), "12<3>");
    assert_eq!(first.inner_html(), "1<b></b>2&lt;3&gt;");
    assert_eq!((second.name.as_str(), second.line, second.text().as_str()), ("c", 6, ""));
    let file = XmlFile::open(text).unwrap();
    assert_eq!((file.root.name.as_str(), file.root.attribute("v")), ("quiz", Some("1")));
}

#[test]
fn entities_are_not_expanded() {
    let text = "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]>\n<r><q>1 &lt; 2 &#x41; &a;</q><q t='&b;'/></r>";
    let found = all(text).unwrap();
    assert_eq!(found.iter().map(|node| node.entity.as_deref()).collect::<Vec<_>>(), [Some("a"), Some("b")]);
    assert_eq!(found.first().map(Node::text).as_deref(), Some("1 < 2 A "));
}

#[test]
fn what_is_damaged_says_its_line() {
    for (text, fault) in [
        ("", XmlFault::Damaged(1)),
        ("no XML", XmlFault::Damaged(1)),
        ("<a>\n<b></a>", XmlFault::Damaged(2)),
        ("<a>\n<b>", XmlFault::CutOff(2)),
        ("<a>\n<b>\n<c x='", XmlFault::CutOff(3)),
        ("<a>", XmlFault::CutOff(1)),
    ] {
        assert_eq!(all(text), Err(fault), "{text}");
    }
    let deep = format!("<r>{}", "<a>".repeat(DEPTH_MAX + 1));
    assert_eq!(all(&deep), Err(XmlFault::TooDeep(1)));
    let wide = format!("<r><q>{}</q></r>", "<a/>".repeat(NODES_MAX));
    assert_eq!(all(&wide), Err(XmlFault::TooManyParts(1)));
    let with_attributes = |count: usize| {
        let attributes: String = (0..ATTRIBUTES_MAX).map(|number| format!(" a{number}=''")).collect();
        format!("<r><q>{}</q></r>", format!("<a{attributes}/>").repeat(count))
    };
    assert!(all(&with_attributes(NODES_MAX / (ATTRIBUTES_MAX + 1) - 1)).is_ok());
    assert_eq!(all(&with_attributes(NODES_MAX / ATTRIBUTES_MAX)), Err(XmlFault::TooManyParts(1)));
    let attributes: String = (0..=ATTRIBUTES_MAX).map(|number| format!(" a{number}=''")).collect();
    assert_eq!(all(&format!("<r><q{attributes}/></r>")), Err(XmlFault::TooManyParts(1)));
}

#[test]
fn groups_within_groups_have_a_limit() {
    let walked = |text: &str| -> Result<(), XmlFault> {
        let (mut file, mut open) = (XmlFile::open(text)?, 1);
        while open > 0 {
            match file.step(&|name| name == "g")? {
                XmlStep::Open(_) => open += 1,
                XmlStep::Node(_) => {}
                XmlStep::Close => open -= 1,
            }
        }
        Ok(())
    };
    let nested = |depth: usize| format!("<r>{}<a/>{}</r>", "<g>".repeat(depth), "</g>".repeat(depth));
    assert_eq!(walked(&nested(DEPTH_MAX)), Ok(()));
    assert_eq!(walked(&nested(DEPTH_MAX + 1)), Err(XmlFault::TooDeep(1)));
    assert_eq!(walked(&format!("<r>{}</r>", "<g><a/></g>".repeat(2 * DEPTH_MAX))), Ok(()));
}
