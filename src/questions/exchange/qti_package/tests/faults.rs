//! Faults of the files in a package, each with the reason that its author reads.

use super::*;

/// Beside those of zips and manifests, which have tests of their own.
#[test]
fn each_fault_of_a_file_is_told_by_name() {
    let with = |keywords: &[&str], text: &[u8]| {
        packed(&[("imsmanifest.xml", manifest(&resource("items/a.xml", keywords)).as_bytes()), ("items/a.xml", text)])
    };
    let good = item("a", &body("<p>Add.</p>"));
    let tags = [
        (&["grade:12"][..], "tag grade:12: a grade is 1 to 10"),
        (&["grade:5", "grade:6"], "it has several tags grade"),
        (&["difficulty:hard"], "tag difficulty:hard: a difficulty is 1 to 5"),
        (&["options:9"], "tag options:9: a question has 2 to 4 options"),
        (&["secure:maybe"], "tag secure:maybe: secure is yes or no"),
        (&["fixed-options:maybe"], "tag fixed-options:maybe: fixed-options is yes or no"),
        (&["forms:roman"], "tag forms:roman: forms are some of decimal, fraction, mixed"),
        (
            &["image:https://a.example/b.png"],
            "tag image:https://a.example/b.png: an image is a path below /media, /pictures or /assets",
        ),
    ];
    let of_tags = tags.map(|(keywords, reason)| (with(keywords, good.as_bytes()), reason.to_owned())).to_vec();
    let addresses = [
        "../pictures/none.png",
        "../../../etc/passwd",
        "file:///etc/passwd",
        "http://school.example/a.png",
        "javascript:alert(1)",
    ];
    let of_pictures = addresses
        .map(|address| {
            let text = item("a", &body(&format!("<p><img src=\"{address}\" alt=\"\"/></p>")));
            (with(&[], text.as_bytes()), format!("the picture {address} is not in the file"))
        })
        .to_vec();
    let unshown = [
        ("<script>alert(1)</script>", "a script"),
        ("<table><tr><td>1</td></tr></table>", "a table"),
        ("<iframe src=\"x\"></iframe>", "another page"),
        ("<video src=\"x\"></video>", "a video"),
    ];
    let of_bodies = unshown
        .map(|(html, what)| {
            let text = item("a", &body(html));
            (with(&[], text.as_bytes()), format!("it has {what}, which a question here can't show"))
        })
        .to_vec();
    let bomb = "<!DOCTYPE a [<!ENTITY a \"ha\"><!ENTITY xxe \"&a;&a;&a;&a;\">]>";
    let of_texts = [
        (good.replace("adaptive=\"false\"", "adaptive=\"true\""), "it is adaptive"),
        (
            good.replace("<qti-item-body>", "<qti-template-declaration identifier=\"T\"/><qti-item-body>"),
            "a template makes its values anew for each student",
        ),
        (good.replace("<qti-value>B<", "<qti-value>Z<"), "its right answer is none of its options"),
        (
            good.replace("<qti-simple-choice identifier=\"D\">4</qti-simple-choice>", ""),
            "it has 3 options, but 4 are needed (or the tag options:3)",
        ),
        (good.replace(">3<", ">2<"), "optionB and optionC are equal"),
        (item("a", &body("<p>&nosuch;</p>")), "the entity &nosuch; is not expanded"),
        (format!("{bomb}{}", item("a", &body("<p>&xxe;</p>"))), "the entity &xxe; is not expanded"),
        (String::new(), "Line 1: the XML is damaged"),
        ("grade,question".to_owned(), "Line 1: the XML is damaged"),
        ("<qti-assessment-item a=1/>".to_owned(), "Line 1: the XML is damaged"),
        ("<qti-assessment-item>".to_owned(), "Line 1: the file ends within an element: it is cut off"),
        (
            "<?xml version=\"1.0\" encoding=\"klingon\"?><qti-assessment-item/>".to_owned(),
            "The encoding klingon is not known: save the file as UTF-8",
        ),
    ]
    .map(|(text, reason)| (with(&[], text.as_bytes()), reason.to_owned()))
    .to_vec();
    let cases = [of_tags, of_pictures, of_bodies, of_texts].concat();
    assert!(cases.len() >= 25, "{}", cases.len());
    for (file, reason) in cases {
        assert_eq!(refused(&file), reason);
    }
    let named = b"<?xml version=\"1.0\" encoding=\"klingon\"?><manifest/>";
    let refusal = refused(&packed(&[("imsmanifest.xml", named), ("items/a.xml", good.as_bytes())]));
    assert_eq!(refusal, "imsmanifest.xml can't be read: The encoding klingon is not known: save the file as UTF-8");
}
