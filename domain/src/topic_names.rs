//! The names of the sample bank's topics in the languages of the pages. A topic is data, and a school may write its own
//! in any language: those are shown as they are.

use crate::school::PageLanguage;

/// English and Vietnamese, by the English name.
const VIETNAMESE: [(&str, &str); 56] = [
    ("Addition", "Phép cộng"),
    ("Angles", "Góc"),
    ("Area and volume", "Diện tích và thể tích"),
    ("Circle geometry", "Hình học đường tròn"),
    ("Circles", "Đường tròn"),
    ("Comparing numbers", "So sánh số"),
    ("Coordinate geometry", "Hình học tọa độ"),
    ("Coordinates", "Tọa độ"),
    ("Counting", "Đếm"),
    ("Counting and probability", "Tổ hợp và xác suất"),
    ("Data", "Dữ liệu"),
    ("Decimals", "Số thập phân"),
    ("Division", "Phép chia"),
    ("Even and odd numbers", "Số chẵn và số lẻ"),
    ("Exponents", "Lũy thừa"),
    ("Exponents and logarithms", "Lũy thừa và lôgarit"),
    ("Expressions", "Biểu thức"),
    ("Factoring", "Phân tích thành nhân tử"),
    ("Factors and multiples", "Ước và bội"),
    ("Fractions", "Phân số"),
    ("Functions", "Hàm số"),
    ("General", "Chung"),
    ("Geometry", "Hình học"),
    ("Inequalities", "Bất phương trình"),
    ("Integers", "Số nguyên"),
    ("Linear equations", "Phương trình bậc nhất"),
    ("Linear functions", "Hàm số bậc nhất"),
    ("Measurement", "Đo lường"),
    ("Money", "Tiền"),
    ("Multiplication", "Phép nhân"),
    ("Number puzzles", "Câu đố về số"),
    ("Order of operations", "Thứ tự thực hiện phép tính"),
    ("Patterns", "Quy luật"),
    ("Percentages", "Tỉ số phần trăm"),
    ("Place value", "Giá trị theo vị trí"),
    ("Polynomials", "Đa thức"),
    ("Probability", "Xác suất"),
    ("Problem solving", "Giải toán có lời văn"),
    ("Proportional relationships", "Đại lượng tỉ lệ"),
    ("Pythagorean theorem", "Định lí Pythagore"),
    ("Quadratic equations", "Phương trình bậc hai"),
    ("Quadratic functions", "Hàm số bậc hai"),
    ("Radicals", "Căn thức"),
    ("Rational numbers", "Số hữu tỉ"),
    ("Ratios and rates", "Tỉ số và tỉ lệ"),
    ("Scientific notation", "Kí hiệu khoa học"),
    ("Sequences", "Dãy số"),
    ("Shapes", "Hình"),
    ("Statistics", "Thống kê"),
    ("Subtraction", "Phép trừ"),
    ("Systems of equations", "Hệ phương trình"),
    ("Time", "Thời gian"),
    ("Transformations", "Phép biến hình"),
    ("Trigonometry", "Lượng giác"),
    ("Vectors", "Vectơ"),
    ("Volume", "Thể tích"),
];

/// The topic as readers of the language know it: translated if it is one of the sample bank's, and otherwise unchanged.
#[must_use]
pub fn topic_name(topic: &str, language: PageLanguage) -> &str {
    match language {
        PageLanguage::En => topic,
        PageLanguage::Vi => {
            let found = VIETNAMESE.binary_search_by(|(english, _)| (*english).cmp(topic));
            found.ok().and_then(|place| VIETNAMESE.get(place)).map_or(topic, |(_, vietnamese)| *vietnamese)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_table_is_that_of_the_pages() {
        let golden: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/golden/topic_names.json")).unwrap();
        let golden: BTreeMap<String, String> = serde_json::from_value(golden["vi"].clone()).unwrap();
        let own: BTreeMap<String, String> =
            VIETNAMESE.iter().map(|(english, vietnamese)| ((*english).to_owned(), (*vietnamese).to_owned())).collect();
        assert_eq!(own, golden);
        assert!(VIETNAMESE.is_sorted() && own.len() == VIETNAMESE.len(), "it is searched by bisection");
    }

    #[test]
    fn topics_of_a_school_stay_as_they_are() {
        assert_eq!(topic_name("Fractions", PageLanguage::Vi), "Phân số");
        assert_eq!(topic_name("Fractions", PageLanguage::En), "Fractions");
        for own in ["Hình học không gian", "fractions", ""] {
            assert_eq!(topic_name(own, PageLanguage::Vi), own);
        }
    }
}
