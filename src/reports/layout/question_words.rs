//! What reports say about single questions, in the languages and words of the pages.

use domain::correction::CorrectionKind;
use domain::question::Difficulty;

use super::words::PaperWords;

impl PaperWords {
    #[must_use]
    pub const fn questions(self) -> &'static str {
        self.either("Question by question", "Từng câu một")
    }

    #[must_use]
    pub const fn no_questions(self) -> &'static str {
        self.either("This test has no questions.", "Bài kiểm tra này không có câu hỏi nào.")
    }

    /// Of the column with the numbers of questions.
    #[must_use]
    pub const fn number_column(self) -> &'static str {
        self.either("No.", "Câu")
    }

    #[must_use]
    pub const fn question_column(self) -> &'static str {
        self.either("Question", "Nội dung")
    }

    #[must_use]
    pub const fn topic_column(self) -> &'static str {
        self.either("Topic", "Chủ đề")
    }

    #[must_use]
    pub const fn chosen_column(self) -> &'static str {
        self.either("Chosen", "Trả lời")
    }

    #[must_use]
    pub const fn right_column(self) -> &'static str {
        self.either("Right", "Đáp án")
    }

    #[must_use]
    pub const fn points_column(self) -> &'static str {
        self.either("Points", "Điểm")
    }

    #[must_use]
    pub const fn time_column(self) -> &'static str {
        self.either("Time", "Thời gian")
    }

    /// In a cell whose text stands below the row.
    #[must_use]
    pub const fn see_below(self) -> &'static str {
        self.either("see below", "xem bên dưới")
    }

    /// What stood in no cell: the name of its column, and the number of its question.
    #[must_use]
    pub fn in_full(self, column: &str, number: &str, text: &str) -> String {
        self.said(|| format!("{column} of {number}: {text}"), || format!("Câu {number}, {column}: {text}"))
    }

    /// Before a sentence about a question.
    #[must_use]
    pub fn about_question(self, number: &str, sentence: &str) -> String {
        self.said(|| format!("Question {number}: {sentence}"), || format!("Câu {number}: {sentence}"))
    }

    #[must_use]
    pub fn drawing_on(self, number: &str) -> String {
        self.said(|| format!("The student’s drawing on question {number}"), || format!("Hình vẽ của em ở câu {number}"))
    }

    /// Above a drawing, for readers who see it.
    #[must_use]
    pub fn drawing_above(self, number: &str) -> String {
        self.said(|| format!("Drawing on {number}"), || format!("Hình vẽ ở câu {number}"))
    }

    #[must_use]
    pub fn drawing_too_large(self, number: &str) -> String {
        self.said(
            || format!("The drawing on {number} is too large to show."),
            || format!("Hình vẽ ở câu {number} quá lớn nên không in ở đây."),
        )
    }

    #[must_use]
    pub const fn text_gone(self) -> &'static str {
        self.either("The text of this question is not available.", "Không có nội dung câu này.")
    }

    #[must_use]
    pub const fn text_later(self) -> &'static str {
        self.either("The text of this question is not shown yet.", "Nội dung câu này chưa được hiện.")
    }

    #[must_use]
    pub const fn text_replaced(self) -> &'static str {
        self.either("This question was changed after the test.", "Câu này đã được sửa sau bài kiểm tra.")
    }

    #[must_use]
    pub const fn right(self) -> &'static str {
        self.either("right", "đúng")
    }

    #[must_use]
    pub const fn wrong(self) -> &'static str {
        self.either("wrong", "chưa đúng")
    }

    #[must_use]
    pub const fn not_answered(self) -> &'static str {
        self.either("not answered", "không trả lời")
    }

    #[must_use]
    pub const fn does_not_count(self) -> &'static str {
        self.either("does not count", "không tính điểm")
    }

    #[must_use]
    pub fn not_a_number(self, typed: &str) -> String {
        self.said(|| format!("{typed} (not a number)"), || format!("{typed} (không phải là số)"))
    }

    /// As the pages call it.
    #[must_use]
    pub const fn difficulty(self, difficulty: Difficulty) -> &'static str {
        match difficulty.number() {
            1 => self.either("Easy", "Dễ"),
            2 => self.either("Easy to medium", "Dễ đến vừa"),
            3 => self.either("Medium", "Vừa"),
            4 => self.either("Medium to hard", "Vừa đến khó"),
            _ => self.either("Hard", "Khó"),
        }
    }

    #[must_use]
    pub const fn letters_of_test(self) -> &'static str {
        self.either(
            "Options have the letters that they had in this test.",
            "Các phương án mang chữ cái như trong bài kiểm tra này.",
        )
    }

    #[must_use]
    pub const fn letters_of_test_and_master(self) -> &'static str {
        self.either(
            "Options have the letters that they had in this test; those of the master copy are in brackets.",
            "Các phương án mang chữ cái như trong bài kiểm tra này; chữ cái trong đề gốc ở trong ngoặc.",
        )
    }

    /// What a correction of the key has made of a question of which this is right now.
    #[must_use]
    pub fn corrected(self, kind: CorrectionKind, right: &[String]) -> String {
        let one = right.concat();
        match kind {
            CorrectionKind::Key => self.said(
                || format!("The key of this question was corrected: {one} is right."),
                || format!("Đáp án của câu này đã được sửa: {one} là đáp án đúng."),
            ),
            CorrectionKind::Also => {
                let all = self.list_of(right);
                self.said(
                    || format!("The key of this question was corrected: {all} count as right."),
                    || format!("Đáp án của câu này đã được sửa: {all} đều được tính là đúng."),
                )
            }
            CorrectionKind::All => self
                .either("This question was credited to everyone.", "Câu này được tính điểm cho mọi học sinh.")
                .to_owned(),
            CorrectionKind::Drop => self
                .either("This question was dropped and does not count.", "Câu này đã bị loại và không được tính.")
                .to_owned(),
        }
    }

    /// `B`, `B and C`, `B, A and C`.
    #[must_use]
    pub fn list_of(self, texts: &[String]) -> String {
        match texts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, before)) => format!("{} {} {last}", before.join(", "), self.either("and", "và")),
            None => String::new(),
        }
    }

    /// The questions of these numbers, within a sentence.
    #[must_use]
    pub fn numbered_questions(self, numbers: &[usize]) -> String {
        let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
        let list = self.list_of(&texts);
        let word = if texts.len() == 1 { self.either("question", "câu") } else { self.either("questions", "câu") };
        if texts.is_empty() { list } else { format!("{word} {list}") }
    }

    #[must_use]
    pub const fn as_asked(self) -> &'static str {
        self.either("Questions are shown as they were asked.", "Các câu hỏi được in đúng như lúc làm bài.")
    }

    #[must_use]
    pub const fn as_in_bank(self) -> &'static str {
        self.either(
            "Questions are shown as they are in the bank today, where the test did not keep what was asked.",
            "Câu nào không được lưu cùng bài kiểm tra thì được in như trong ngân hàng câu hỏi hiện nay.",
        )
    }

    #[must_use]
    pub fn bank_changed(self, questions: &str) -> String {
        self.said(
            || format!("The bank has changed {questions} since the test."),
            || format!("Sau bài kiểm tra, {questions} trong ngân hàng câu hỏi đã được sửa."),
        )
    }

    #[must_use]
    pub fn bank_lacks(self, questions: &str) -> String {
        self.said(
            || format!("The bank no longer has {questions}."),
            || format!("Ngân hàng câu hỏi không còn {questions}."),
        )
    }

    #[must_use]
    pub fn bank_replaced(self, questions: &str) -> String {
        self.said(
            || format!("The bank has changed {questions} since the test, and what was asked was not kept."),
            || format!("Sau bài kiểm tra, {questions} đã được sửa, và nội dung lúc làm bài không được lưu."),
        )
    }

    /// That another class is still to write some of the questions; `until` is missing where somebody decides on it.
    #[must_use]
    pub fn withheld(self, questions: usize, until: Option<&str>) -> String {
        let en = || {
            let (count, texts) = match questions {
                1 => ("one question".to_owned(), "its text"),
                count => (format!("{count} questions"), "their texts"),
            };
            let when = until.map_or_else(
                || "as soon as the results of that class are released".to_owned(),
                |until| format!("on {until}, or soon after"),
            );
            format!(
                "This report is not whole yet: another class is still to write {count} of this test. It shows {texts} \
                 {when}. Until then it does not say which answers were right."
            )
        };
        let vi = || {
            let when = until.map_or_else(
                || "khi kết quả của lớp đó được công bố".to_owned(),
                |until| format!("vào lúc {until}, hoặc sau đó ít lâu"),
            );
            format!(
                "Bản kết quả này chưa đầy đủ: một lớp khác còn phải làm {questions} câu trong bài này. Nội dung các câu \
                 đó sẽ hiện ở đây {when}. Cho đến lúc đó, bản này chưa cho biết câu nào đúng, câu nào sai."
            )
        };
        self.said(en, vi)
    }
}

#[cfg(test)]
mod tests {
    use domain::school::PageLanguage;

    use super::*;

    const EN: PaperWords = PaperWords(PageLanguage::En);
    const VI: PaperWords = PaperWords(PageLanguage::Vi);

    #[test]
    fn numbers_are_listed_as_people_say_them() {
        assert_eq!(EN.numbered_questions(&[3]), "question 3");
        assert_eq!(EN.numbered_questions(&[3, 5]), "questions 3 and 5");
        assert_eq!(EN.numbered_questions(&[3, 5, 7]), "questions 3, 5 and 7");
        assert_eq!(VI.numbered_questions(&[3, 5, 7]), "câu 3, 5 và 7");
    }

    #[test]
    fn a_correction_is_explained_in_one_sentence() {
        let said = |words: PaperWords, kind, also: &[&str]| {
            let right: Vec<String> = ["B"].iter().chain(also).map(|letter| (*letter).to_owned()).collect();
            words.corrected(kind, &right)
        };
        assert_eq!(said(EN, CorrectionKind::Key, &[]), "The key of this question was corrected: B is right.");
        let two = said(EN, CorrectionKind::Also, &["C"]);
        assert_eq!(two, "The key of this question was corrected: B and C count as right.");
        let three = said(EN, CorrectionKind::Also, &["A", "C"]);
        assert_eq!(three, "The key of this question was corrected: B, A and C count as right.");
        assert_eq!(said(EN, CorrectionKind::All, &[]), "This question was credited to everyone.");
        assert_eq!(said(EN, CorrectionKind::Drop, &[]), "This question was dropped and does not count.");
        let two = said(VI, CorrectionKind::Also, &["C"]);
        assert_eq!(two, "Đáp án của câu này đã được sửa: B và C đều được tính là đúng.");
    }

    #[test]
    fn difficulties_have_the_names_of_the_pages() {
        let labels: Vec<_> = Difficulty::all().map(|difficulty| EN.difficulty(difficulty)).collect();
        assert_eq!(labels, ["Easy", "Easy to medium", "Medium", "Medium to hard", "Hard"]);
        let labels: Vec<_> = Difficulty::all().map(|difficulty| VI.difficulty(difficulty)).collect();
        assert_eq!(labels, ["Dễ", "Dễ đến vừa", "Vừa", "Vừa đến khó", "Khó"]);
    }
}
