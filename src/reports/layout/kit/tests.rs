//! Tests of what stands on which page of a kit.

use std::sync::Arc;

use domain::school::PageLanguage;

use super::super::Mark;
use super::super::slips::SlipCode;
use super::super::words::PaperWords;
use super::*;
use crate::reports::text::fonts::Fonts;
use crate::school::crest_picture::CrestPicture;

fn person(name: &str, seat: &str) -> KitPerson {
    let seat = Some(seat.to_owned()).filter(|seat| !seat.is_empty());
    KitPerson { seat, name: name.to_owned(), known_as: format!("id of {name}"), ..KitPerson::default() }
}

fn slip(person: &KitPerson) -> Slip {
    Slip {
        name: person.name.clone(),
        sitting: "Finals".to_owned(),
        starts_at: "5 May 2026, 09:00 +07".to_owned(),
        place: "B12".to_owned(),
        address: "https://exam.example/s/K7PQ2".to_owned(),
        code: SlipCode::New("9F3KT-T2M7X".to_owned()),
    }
}

fn hall(name: &str, people: Vec<KitPerson>) -> KitHall {
    KitHall {
        name: Some(name.to_owned()),
        is_place: true,
        day: "Tuesday, 5 May 2026".to_owned(),
        time: "09:00".to_owned(),
        doors: "Doors open at 08:30".to_owned(),
        slips: people.iter().map(slip).collect(),
        people,
    }
}

fn kit(parts: &str, halls: Vec<KitHall>) -> MorningKit {
    let (accent, words) = (Ink(0x7A, 0x1F, 0x1F), PaperWords(PageLanguage::En));
    let head = Letterhead { school: "Lê Lợi".to_owned(), crest: None, accent, words };
    MorningKit {
        head,
        size: PaperSize::A4,
        parts: KitPart::parse_all(parts).unwrap(),
        sitting: "Finals".to_owned(),
        code: "K7PQ2".to_owned(),
        address: "https://exam.example/s/K7PQ2".to_owned(),
        halls,
    }
}

/// The texts of each page, in the order in which they were put.
fn pages(kit: &MorningKit) -> Vec<String> {
    let laid_out = lay_out_kit(kit, &mut Typesetter::new(Fonts::embedded().unwrap()));
    assert_eq!(!laid_out.pages.is_empty(), kit.has_pages());
    for placed in laid_out.pages.iter().flatten() {
        if let Mark::Text { x, y, line, size, .. } = &placed.mark {
            let (width, height) = (kit.size.width(), kit.size.height());
            assert!(
                *x >= 30.0 && x + line.width(*size) <= width - 30.0 && *y > 20.0 && *y < height - 12.0,
                "{placed:?}"
            );
        }
    }
    let text = |mark: &Mark| match mark {
        Mark::Text { line, .. } => {
            line.runs.iter().flat_map(|run| &run.glyphs).map(|glyph| glyph.text.as_str()).collect()
        }
        _ => String::new(),
    };
    let page = |page: &Vec<super::super::PlacedMark>| {
        let texts: Vec<String> = page.iter().map(|placed| text(&placed.mark)).filter(|text| !text.is_empty()).collect();
        texts.join("\n")
    };
    laid_out.pages.iter().map(page).collect()
}

#[test]
fn each_hall_has_its_parts_in_their_order_and_its_own_numbers() {
    let people = || vec![person("Ada", "A1"), person("Bo", "A2"), person("Cy", "B1")];
    let pages = pages(&kit("slips,list,plan,door", vec![hall("B12", people()), hall("C3", people())]));
    assert_eq!(pages.len(), 8);
    let begins = ["Finals", "Seat plan: B12", "Attendance list: B12", "Ada"];
    for (place, page) in pages.iter().enumerate() {
        let begin = begins[place % 4].replace("B12", if place < 4 { "B12" } else { "C3" });
        assert!(page.contains(&begin), "{begin} is not on page {place}:\n{page}");
        assert!(page.ends_with(&format!("Page {} of 4", place % 4 + 1)), "{page}");
    }
    assert!(pages[0].contains("K7PQ2") && pages[0].contains("09:00") && pages[0].contains("Lê Lợi"), "{}", pages[0]);
}

#[test]
fn a_right_to_left_name_does_not_turn_the_lines_that_it_stands_in() {
    let of_hall = pages(&kit("list", vec![hall("חדר 12", vec![person("Ada", "A1")])]));
    assert!(of_hall[0].contains("Attendance list: 12 רדח\nFinals · Tuesday"), "{}", of_hall[0]);
    assert!(of_hall[0].contains("\n12 רדח · Finals\n"), "the footer: {}", of_hall[0]);
    let named =
        MorningKit { sitting: "מבחן".to_owned(), ..kit("list", vec![hall("B12", vec![person("Ada", "A1")])]) };
    assert!(pages(&named)[0].contains("\nןחבמ · Tuesday"), "{}", pages(&named)[0]);
}

#[test]
fn headings_have_the_colour_of_the_school() {
    let kit = kit("door,plan,list,slips", vec![hall("B12", vec![person("Ada", "A1")])]);
    let laid_out = lay_out_kit(&kit, &mut Typesetter::new(Fonts::embedded().unwrap()));
    let inked = |mark: &Mark, ink: Ink| matches!(mark, Mark::Text { ink: own, .. } if *own == ink);
    for page in &laid_out.pages {
        assert!(page.iter().any(|placed| inked(&placed.mark, kit.head.accent)));
        assert!(page.iter().all(|placed| !inked(&placed.mark, Ink::STRONG)));
    }
}

#[test]
fn what_somebody_needs_stands_on_the_list_alone() {
    let mut ada = person("Ada", "A1");
    ada.needs = "25 percent more time".to_owned();
    let pages = pages(&kit("door,plan,list,slips", vec![hall("B12", vec![ada, person("Bo", "B2")])]));
    let with_needs: Vec<usize> = (0..pages.len()).filter(|page| pages[*page].contains("percent")).collect();
    assert_eq!(with_needs, [2]);
    assert!(pages[2].contains("For proctors") && pages[2].contains("id of Ada"), "{}", pages[2]);
    assert!(!pages[0].contains("Ada"), "nobody's name is on the door: {}", pages[0]);
    assert!(!pages[1].contains("id of Ada"), "{}", pages[1]);
}

#[test]
fn halls_without_people_or_seats_have_fewer_pages() {
    let count = |parts: &str, hall: KitHall| pages(&kit(parts, vec![hall])).len();
    let all = "door,plan,list,slips";
    assert_eq!(count(all, hall("B12", Vec::new())), 1);
    assert_eq!(count(all, hall("B12", vec![person("Ada", "")])), 3);
    assert_eq!(count("plan", hall("B12", vec![person("Ada", "")])), 0);
    let nowhere = || KitHall { name: None, is_place: false, ..hall("", vec![person("Ada", "4")]) };
    assert_eq!(count(all, nowhere()), 2);
    assert!(pages(&kit(all, vec![nowhere()]))[0].starts_with("Attendance list: Without a room"));
    let whole = KitHall { name: None, ..hall("", vec![person("Ada", "4")]) };
    assert!(pages(&kit("list", vec![whole]))[0].starts_with("Attendance list: Finals\nTuesday"));
}

#[test]
fn a_full_hall_with_long_names_stays_on_its_pages() {
    for (size, letters) in [(PaperSize::A4, "ABCDEFGHIJ"), (PaperSize::Letter, "")] {
        let seat = |number: usize| match letters.as_bytes().get(number / 30) {
            Some(letter) => format!("{}{}", char::from(*letter), number % 30 + 1),
            None => (number + 1).to_string(),
        };
        let name = |number: usize| format!("{} {number}", "Nguyễn Thị Minh Khai ".repeat(number % 6 + 1));
        let people: Vec<KitPerson> = (0..300)
            .map(|number| KitPerson {
                known_as: "a.very.long.address.of.somebody@students.school.example".to_owned(),
                form: Some("B".to_owned()),
                needs: "thêm 50 phần trăm thời gian, thêm 10 phút, bắt đầu lúc 10:00".to_owned(),
                ..person(&name(number), &seat(number))
            })
            .collect();
        let name = "Nhà thi đấu đa năng ".repeat(10);
        let kit = MorningKit { size, ..kit("door,plan,list", vec![hall(name.trim(), people)]) };
        let pages = pages(&kit);
        let last = pages.iter().filter(|page| page.contains(&seat(299))).count();
        assert!(last >= 2, "on the plan and on the list: {last}");
    }
}

#[test]
fn a_sign_ends_above_its_foot() {
    let crest = Arc::new(CrestPicture { width: 320, height: 320, rgb: Vec::new() });
    let words: String = "Nhà thi đấu đa năng ".repeat(10);
    let (word, narrow) = ("W".repeat(200), "Illi ".repeat(40));
    for size in [PaperSize::Letter, PaperSize::A4] {
        for sitting in ["Finals", words.trim(), word.as_str(), narrow.trim()] {
            for place in ["B12", words.trim(), word.as_str(), &narrow[..60], &narrow[..90], narrow.trim()] {
                let mut kit = MorningKit { size, ..kit("door", vec![hall(place, Vec::new())]) };
                kit.sitting = sitting.to_owned();
                kit.head.crest = Some(Arc::clone(&crest));
                kit.head.school = words.clone();
                let laid_out = lay_out_kit(&kit, &mut Typesetter::new(Fonts::embedded().unwrap()));
                let [page] = &laid_out.pages[..] else { panic!("{} pages", laid_out.pages.len()) };
                let foot = page.iter().position(|placed| matches!(placed.mark, Mark::Block { .. })).unwrap();
                let Mark::Block { y: top, .. } = page[foot].mark else { unreachable!() };
                for placed in &page[..foot] {
                    if let Mark::Text { y, size, .. } = &placed.mark {
                        assert!(y + 0.3 * size <= top, "{y} of {top} in {size}: {sitting}, {place}");
                    }
                }
            }
        }
    }
}

#[test]
fn parts_are_named() {
    assert_eq!(KitPart::parse_all("slips, door"), Some(vec![KitPart::Door, KitPart::Slips]));
    for wrong in ["", "door,", "doors", "door,door", "Door"] {
        assert_eq!(KitPart::parse_all(wrong), None, "{wrong:?}");
    }
}
