//! Tests of what is understood of drawings, and of what is skipped.

use super::*;

fn lines(json: &str) -> Vec<Vec<Point>> {
    let points = |shape| match shape {
        Shape::Line { points, .. } => points,
        Shape::Text { at, .. } => vec![at],
    };
    read_drawing(json).map(|drawing| drawing.shapes.into_iter().map(points).collect()).unwrap_or_default()
}

#[test]
fn points_are_pairs_objects_or_plain_numbers() {
    let expected = vec![vec![(1.0, 2.0), (3.0, 4.5)]];
    assert_eq!(lines(r##"{"strokes":[{"points":[[1,2],[3,4.5]],"color":"#f00","width":3}]}"##), expected);
    assert_eq!(lines(r#"{"strokes":[{"points":[{"x":1,"y":2,"p":0.5},{"x":3,"y":4.5}]}]}"#), expected);
    assert_eq!(lines(r#"{"paths":[{"points":[1,2,3,4.5,9]}]}"#), expected);
    assert_eq!(lines(r#"{"strokes":[[[1,2],[3,4.5]]]}"#), expected);
}

#[test]
fn shapes_are_told_by_their_kind() {
    assert_eq!(lines(r#"{"shapes":[{"type":"line","x1":0,"y1":0,"x2":9,"y2":0}]}"#), [[(0.0, 0.0), (9.0, 0.0)]]);
    assert_eq!(lines(r#"{"shapes":[{"type":"arrow","x1":0,"y1":0,"x2":9,"y2":0}]}"#).len(), 2, "a line and its head");
    let rectangle = lines(r#"{"elements":[{"type":"rectangle","x":1,"y":1,"width":4,"height":2}]}"#);
    assert_eq!(rectangle, [[(1.0, 1.0), (5.0, 1.0), (5.0, 3.0), (1.0, 3.0), (1.0, 1.0)]]);
    let circle = lines(r#"{"shapes":[{"kind":"circle","cx":5,"cy":5,"r":2}]}"#);
    assert!(circle[0].iter().all(|(x, y)| ((x - 5.0).hypot(y - 5.0) - 2.0).abs() < 0.001));
    let drawing =
        read_drawing(r#"{"width":100,"height":50,"items":[{"type":"text","text":"x = 3","x":10,"y":20}]}"#).unwrap();
    assert_eq!((drawing.from, drawing.sheet_width), ((10.0, 4.0), Some(100.0)));
}

#[test]
fn colours_are_hexadecimal_or_named() {
    assert_eq!(colour("#F00"), Some((Ink(255, 0, 0), false)));
    assert_eq!(colour("#1565c0"), Some((Ink(0x15, 0x65, 0xC0), false)));
    assert_eq!(colour("Red"), Some((Ink(0xC6, 0x28, 0x28), false)));
    assert_eq!(colour("rgb(1, 2, 3)"), Some((Ink(1, 2, 3), false)));
    assert_eq!(colour("RGBA(1,2,3,0.9)"), Some((Ink(1, 2, 3), false)));
    assert_eq!(colour("rgba(1 2 3 / 0.3)"), Some((Ink(1, 2, 3), true)));
    for text in ["#12", "#ggg", "var(--x)", "rgb(1,2)", "rgb(1,2,300)", "rgba(1,2,3,4,5)", "rgb(1,2,3"] {
        assert_eq!(colour(text), None, "{text}");
    }
}

#[test]
fn what_is_highlighted_lies_beneath_in_a_light_colour() {
    let inks = |json: &str| -> Vec<Ink> {
        let ink = |shape: &Shape| match shape {
            Shape::Line { ink, .. } | Shape::Text { ink, .. } => *ink,
        };
        read_drawing(json).unwrap().shapes.iter().map(ink).collect()
    };
    let light = Ink(255, 170, 170);
    for kind in [r#""kind":"highlighter""#, r#""type":"stroke","tool":"Highlight""#, r#""t":"highlight""#] {
        let json = format!(
            r##"{{"strokes":[{{"points":[[1,1],[9,9]],"color":"#0000ff"}},{{{kind},"points":[[1,2],[9,2]],"color":"#ff0000"}}]}}"##
        );
        assert_eq!(inks(&json), [light, Ink(0, 0, 255)], "{kind}");
    }
    assert_eq!(inks(r#"{"strokes":[{"points":[[1,1],[9,9]],"color":"rgba(255,0,0,0.4)"}]}"#), [light]);
    assert_eq!(
        inks(r#"{"strokes":[{"tool":"highlighter","points":[[1,1],[9,9]],"color":"rgba(255,0,0,0.4)"}]}"#),
        [light]
    );
}

#[test]
fn texts_are_shown_in_part() {
    let text = |characters: usize| format!(r#"{{"type":"text","x":1,"y":2,"text":"{}"}}"#, "x".repeat(characters));
    let of = |texts: Vec<String>| read_drawing(&format!(r#"{{"items":[{}]}}"#, texts.join(","))).unwrap();
    assert_eq!(of(vec![text(1); 100]).shapes.len(), TEXTS_MAX);
    assert_eq!(of(vec![text(500); 100]).cost(), CHARACTERS_MAX * CHARACTER_POINTS);
}

#[test]
fn what_is_not_understood_is_no_picture() {
    for json in [
        r#"{"strokes":[]}"#,
        r#"{"p":"xxxx"}"#,
        r#"{"strokes":7,"shapes":[1,null,"x",{"type":"cloud"},{"points":"M0 0"}]}"#,
        r#"{"strokes":[{"points":[[1e300,0],["a","b"],[1]]}]}"#,
        r#"[1]"#,
        "no JSON",
    ] {
        assert_eq!(read_drawing(json), None, "{json}");
    }
}

#[test]
fn huge_drawings_are_read_in_part() {
    let point = "[1,2]";
    let many = vec![format!(r#"{{"points":[{}]}}"#, vec![point; 1_000].join(",")); 60];
    let points: usize = lines(&format!(r#"{{"strokes":[{}]}}"#, many.join(","))).iter().map(Vec::len).sum();
    assert_eq!(points, POINTS_MAX);
}

#[test]
fn what_the_pages_write_is_read_whole() {
    let json = r##"{"v":1,"size":[1100,640],"items":[{"t":"pen","c":"#1b2130","w":3,"p":[80,200,91,214],"f":[40,62]},
        {"t":"highlighter","c":"#f0b400","w":18,"p":[60,60,240,62]},{"t":"rectangle","c":"#b42318","w":4,"p":[10,20,30,50]},
        {"t":"arrow","c":"#b42318","w":3,"p":[0,90,9,90]},{"t":"text","c":"#2348c5","w":24,"p":[100,420],"s":"x < 3"}]}"##;
    let drawing = read_drawing(json).unwrap();
    assert_eq!((drawing.from, drawing.sheet_width), ((0.0, 20.0), Some(1100.0)), "the room that the ink takes");
    let ink = Ink(0x1b, 0x21, 0x30);
    assert_eq!(
        drawing.shapes[1],
        Shape::Line { points: vec![(80.0, 200.0), (91.0, 214.0)], thickness: 3.0, ink },
        "above the highlighter"
    );
    let red = Ink(0xb4, 0x23, 0x18);
    let corners = vec![(10.0, 20.0), (30.0, 20.0), (30.0, 50.0), (10.0, 50.0), (10.0, 20.0)];
    assert_eq!(drawing.shapes[2], Shape::Line { points: corners, thickness: 4.0, ink: red });
    assert_eq!(drawing.shapes.len(), 6, "an arrow has a line and a head");
    assert_eq!(
        drawing.shapes[5],
        Shape::Text { at: (100.0, 420.0), text: "x < 3".into(), size: 24.0, ink: Ink(0x23, 0x48, 0xc5) }
    );
}
