//! Options that refer to others or are in an order, and others that only look so.

use super::*;

fn fixed(options: &[&str]) -> bool {
    are_fixed(&options.iter().map(|option| (*option).to_owned()).collect::<Vec<_>>())
}

fn is_fixed_by(option: &str) -> bool {
    fixed(&["dog", "horse", "cat", option])
}

#[test]
fn an_option_that_speaks_of_others_keeps_its_place() {
    for last in [
        "All of the above",
        "None of these.",
        "NONE",
        "Both of the above are wrong",
        "A and B",
        "Both A and C",
        "A, B and C",
        "Neither A nor B",
        "A & C",
        "Only B",
        "Option C",
        "Tất cả các đáp án trên",
        "Không có đáp án nào",
        "Cả A và B",
        "cả A, B và C đều đúng",
        "Một đáp án khác",
        "Chỉ A",
        "Câu A và câu C",
        // Typed with marks of their own.
        "Ta\u{302}\u{301}t ca\u{309} ca\u{301}c \u{111}a\u{301}p a\u{301}n",
    ] {
        assert!(is_fixed_by(last), "{last}");
    }
}

#[test]
fn english_words_for_others() {
    let counts = ["All", "None", "Both", "Neither", "More than one", "Two", "Only one", "Not all"];
    for count in counts {
        for others in ["the above", "these", "the above answers", "these options", "them are correct"] {
            assert!(is_fixed_by(&format!("{count} of {others}")), "{count} of {others}");
        }
    }
    for last in [
        "All the above.",
        "all above",
        "All answers are correct",
        "All three are correct",
        "All three answers are right!",
        "All are true",
        "All of the other answers",
        "All others",
        "All choices apply",
        "Both are correct",
        "Both statements are true",
        "Both answers are wrong",
        "Neither is correct",
        "Neither answer",
        "Neither statement is true",
        "Either of these",
        "None is correct",
        "None are correct",
        "None of the answers",
        "None of the options is right",
        "None of the other answers",
        "None of the following",
        "None of the listed options",
        "No answer is correct",
        "No correct answer",
        "Each of these",
        "Every answer is possible",
        "Any of the above",
        "One of the above",
        "At least two of these",
        "The above",
        "Another answer",
        "a different answer",
        "D. All of the above",
        "d) both are true",
        "“None of these”",
        "$\\text{None of these}$",
        "\\textbf{Both are correct}",
    ] {
        assert!(is_fixed_by(last), "{last}");
    }
}

#[test]
fn vietnamese_words_for_others() {
    for count in ["ba", "hai", "bốn", "3", "4"] {
        for noun in ["đáp án", "câu", "ý", "phương án", "kết quả", "câu trả lời", "phát biểu", "khẳng định", "lựa chọn"]
        {
            for end in ["trên", "đều đúng", "trên đều sai", "ở trên"] {
                assert!(is_fixed_by(&format!("Cả {count} {noun} {end}")), "Cả {count} {noun} {end}");
            }
        }
    }
    for noun in ["đáp án", "câu", "ý", "phương án", "kết quả", "câu trả lời", "khẳng định"] {
        for sentence in [
            format!("Không có {noun} nào đúng"),
            format!("Không {noun} nào đúng."),
            format!("Không có {noun} nào"),
            format!("Không có {noun} nào trong các {noun} trên"),
            format!("Tất cả các {noun} trên"),
            format!("Tất cả {noun} đều sai"),
            format!("Các {noun} trên đều đúng"),
            format!("Hai {noun} trên"),
            format!("Các {noun} còn lại"),
            format!("{noun} khác"),
        ] {
            assert!(is_fixed_by(&sentence), "{sentence}");
        }
    }
    for last in [
        "Tất cả đều sai",
        "Tất cả đều đúng",
        "Tất cả đúng",
        "TẤT CẢ",
        "Cả hai",
        "Cả hai đều đúng",
        "Cả hai đều sai",
        "Cả ba đều sai",
        "Cả ba đều đúng!",
        "Đều đúng",
        "Đúng cả",
        "Đúng hết",
        "Đúng cả ba ý trên",
        "Không câu nào đúng",
        "Không đáp án nào",
        "Không phương án nào",
        "Đáp số khác",
        "Kết quả khác",
        "D. Cả ba đáp án trên",
        "Ca\u{309} ba ca\u{302}u tre\u{302}n",
    ] {
        assert!(is_fixed_by(last), "{last}");
    }
}

#[test]
fn letters_of_others() {
    for last in [
        "Cả A, B, C đều đúng",
        "Cả A, B, C đều sai",
        "Cả A, B, C",
        "A, B, C đều sai",
        "A, B đều đúng",
        "A và B đều đúng",
        "A và C đúng",
        "A đúng, B sai",
        "Cả A lẫn B",
        "Cả đáp án A và C",
        "Cả hai đáp án A và B đều đúng",
        "Cả 3 đáp án A, B, C",
        "Cả ba ý A, B và C",
        "Chỉ có A đúng",
        "Chỉ A và C",
        "Chỉ câu B đúng",
        "Đáp án A",
        "Ý B",
        "Tất cả trừ A",
        "Không phải A và B",
        "Cả a và b",
        "cả a, b, c đều đúng",
        "câu a và b đúng",
        "đáp án a",
        "chỉ b",
        "Both a and b",
        "a and c",
        "A, B, and C",
        "A; C",
        "A/B",
        "A and B only",
        "A or C",
        "Both (A) and (C)",
        "Both answers A and C",
        "All of A, B and C",
        "All except B",
        "All but A",
        "A is correct, but not B",
        "Answer A",
        "Options B and C",
        "Choices A, C",
    ] {
        assert!(is_fixed_by(last), "{last}");
    }
}

#[test]
fn other_options_may_move() {
    for option in [
        "a cat and a dog",
        "A cat and a dog",
        "The line through A and B",
        "both legs",
        "all even numbers",
        "vitamin A",
        "A",
        "none the wiser",
        "Tất cả học sinh lớp 5",
        "một câu chuyện khác",
        "above",
        "more than three",
        "no one",
        "each other",
        "the others",
        "not right",
        "All right angles are equal",
        "Both numbers are even",
        "a correct answer",
        "$(a, b)$",
        "a/b",
        "$a, b \\in d$",
        "A(1, 2)",
        "angle ABC",
        "Đúng",
        "Sai",
        "Không đúng",
        "Không có",
        "Không xác định được",
        "Hai câu",
        "Ba kết quả",
        "ở trên",
        "Cả lớp",
        "Cả hai bạn",
        "Không có số nào chia hết cho 3",
        "Đoạn thẳng AB và CD",
        "Đường thẳng d",
        "Các số chẵn",
    ] {
        assert!(!is_fixed_by(option), "{option}");
    }
    assert!(!fixed(&["7", "5", "6", "8"]) && !fixed(&["5", "6"]) && !fixed(&["1", "2", "2", "3"]));
    assert!(!fixed(&["5 cm", "6 m", "7 km"]), "of several units");
    assert!(!fixed(&["B", "A", "C", "D"]) && !fixed(&["5", "6", "many"]) && !fixed(&[]));
    assert!(!fixed(&["\\$5", "€6", "\\$7"]), "of several currencies");
    assert!(!fixed(&["1\\frac{1}{2}", "1\\frac{1}{4}", "2"]) && !fixed(&["2 1/2", "1 3/4", "3"]));
    assert!(!fixed(&["1/0", "2/0", "3/0"]) && !fixed(&["\\frac{1}{x}", "\\frac{2}{x}", "\\frac{3}{x}"]));
}

#[test]
fn numbers_in_order_stay_in_it() {
    for options in [
        ["5", "6", "7", "8"],
        ["8", "7", "-6", "-7"],
        ["0,5", "0,75", "1", "1,25"],
        ["0.005", "0.05", "0.5", "5"],
        ["999", "1,000", "1,001", "10,000"],
        ["1/4", "1/3", "1/2", "3/4"],
        ["$\\frac{1}{4}$", "$\\dfrac{1}{3}$", "$\\frac{1}{2}$", "$1$"],
        ["5 cm", "6 cm", "7 cm", "8cm"],
        ["10%", "20 %", "30%", "40%"],
        ["\u{2212}3", "-2", "\u{2013}1", "0"],
        ["A", "B", "C", "D"],
        ["(A)", "(B)", "(C)", "(D)"],
        ["\\$5", "\\$5.50", "\\$6", "\\$10"],
        ["$5", "$6", "$7", "$8"],
        ["-\\$1", "\\$-0.50", "\\$0", "\\$1"],
        ["€5", "€ 6", "7 €", "8€"],
        ["5.000 đồng", "6.000 đồng", "10.000 đồng", "1.000.000 đồng"],
        ["1 000 đ", "2 000 đ", "10 000 đ", "1\u{a0}000\u{202f}000 đ"],
        ["$1\\frac{1}{4}$", "$1\\frac{1}{2}$", "$1 \\dfrac{3}{4}$", "$2$"],
        ["$-2\\frac{1}{2}$", "$-2\\frac{1}{4}$", "$-2$", "$\\frac{-1}{2}$"],
        ["1 1/4", "1 1/2", "1 3/4", "2"],
        ["1¼ h", "1½ h", "1¾ h", "2 h"],
        ["½", "⅔", "¾", "1"],
        ["$0{,}5$", "$0{,}7$", "$1{,}5$", "$2$"],
        ["$5\\,\\text{cm}$", "$6\\,\\text{cm}$", "$7\\ \\text{cm}$", "$8\\text{ cm}$"],
        ["$90^\\circ$", "$100^\\circ$", "$110^\\circ$", "$120^\\circ$"],
        ["5 km/h", "6 km/h", "7 km/h", "8 km/h"],
        ["$10\\%$", "20%", "30 %", "$40\\%$"],
    ] {
        assert!(fixed(&options), "{options:?}");
        let reversed: Vec<&str> = options.into_iter().rev().collect();
        assert_eq!(fixed(&reversed), !options[0].contains('A'), "{reversed:?}");
    }
}

#[test]
fn options_that_are_edited_ask_for_their_order() {
    let question = |options: &[&str], fixed_options: bool| {
        let fields = serde_json::json!({
            "id": "q", "grade": 5, "topic": "T", "subtopic": "", "difficulty": 1, "source": "", "type": "multiple-choice",
            "question": "?", "options": options, "answer": "A", "explanation": "", "image": "",
            "fixedOptions": fixed_options,
        });
        serde_json::from_value::<Question>(fields).unwrap()
    };
    let after = |before: &Question, options: [&str; 3]| are_fixed_after(before, &options.map(str::to_owned));
    let (free, speaking) = (["dog", "horse", "cat"], ["dog", "horse", "All of the above"]);
    assert!(!after(&question(&free, false), free) && after(&question(&free, false), speaking));
    assert!(!after(&question(&speaking, false), speaking), "somebody has said that they may move");
    assert!(!after(&question(&speaking, false), ["cow", "horse", "None of these"]), "as before");
    assert!(after(&question(&free, true), ["cow", "horse", "cat"]) && after(&question(&speaking, true), free));
}

#[test]
fn a_question_that_does_not_say_it_is_read_as_a_provider_means_it() {
    let read = |options: [&str; 3], fixed: Option<bool>| {
        let mut fields = serde_json::json!({
            "id": "q", "grade": 5, "topic": "T", "subtopic": "", "difficulty": 1, "source": "", "type": "multiple-choice",
            "question": "?", "options": options, "answer": "A", "explanation": "", "image": "",
        });
        if let Some(fixed) = fixed {
            fields["fixedOptions"] = fixed.into();
        }
        serde_json::from_value::<Question>(fields).unwrap().fixed_options
    };
    assert!(!read(["dog", "cat", "All of the above"], None) && !read(["dog", "cat", "horse"], None));
    assert!(!read(["dog", "cat", "All of the above"], Some(false)) && read(["dog", "cat", "horse"], Some(true)));
}
