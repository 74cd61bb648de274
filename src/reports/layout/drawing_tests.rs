//! What is understood of drawings, and what is passed over.

use super::*;

fn lines(json: &str) -> Vec<Vec<Point>> {
    let points = |shape| match shape {
        Shape::Line { points, .. } => points,
        Shape::Text { at, .. } => vec![at],
    };
    read(json).map(|drawing| drawing.shapes.into_iter().map(points).collect()).unwrap_or_default()
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
    let drawing = read(r#"{"width":100,"height":50,"items":[{"type":"text","text":"x = 3","x":10,"y":20}]}"#).unwrap();
    assert_eq!((drawing.from, drawing.to), ((0.0, 0.0), (100.0, 50.0)));
}

#[test]
fn colours_are_hexadecimal_or_named() {
    assert_eq!(colour("#F00"), Some(Ink(255, 0, 0)));
    assert_eq!(colour("#1565c0"), Some(Ink(0x15, 0x65, 0xC0)));
    assert_eq!(colour("Red"), Some(Ink(0xC6, 0x28, 0x28)));
    assert_eq!((colour("#12"), colour("#ggg"), colour("var(--x)")), (None, None, None));
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
        assert_eq!(read(json), None, "{json}");
    }
}

#[test]
fn huge_drawings_are_read_in_part() {
    let point = "[1,2]";
    let many = vec![format!(r#"{{"points":[{}]}}"#, vec![point; 1_000].join(",")); 60];
    let points: usize = lines(&format!(r#"{{"strokes":[{}]}}"#, many.join(","))).iter().map(Vec::len).sum();
    assert_eq!(points, POINTS_MAX);
}
