//! What stands at the head of reports and about their results, in the languages and words of the pages.

use domain::form::FormLetter;
use domain::grade::Grade;
use domain::session::VersionReason;

use super::words::PaperWords;

impl PaperWords {
    /// The title of a report of which no exam is known.
    #[must_use]
    pub const fn report_title(self) -> &'static str {
        self.either("Mathematics test report", "Kết quả bài kiểm tra Toán")
    }

    /// That title and the grade, in one line.
    #[must_use]
    pub fn report_of_grade(self, grade: Grade) -> String {
        let (title, grade) = (self.report_title(), grade.number());
        self.said(|| format!("{title}, grade {grade}"), || format!("{title} lớp {grade}"))
    }

    /// Below that title.
    #[must_use]
    pub fn of_grade(self, grade: Grade) -> String {
        self.said(|| format!("Grade {}", grade.number()), || format!("Lớp {}", grade.number()))
    }

    /// Below the name of an exam.
    #[must_use]
    pub fn report_of(self, grade: Grade) -> String {
        let grade = grade.number();
        self.said(
            || format!("Test report · Mathematics, grade {grade}"),
            || format!("Kết quả bài kiểm tra · Toán lớp {grade}"),
        )
    }

    /// Within a line.
    #[must_use]
    pub fn form_inside(self, form: FormLetter) -> String {
        self.said(|| format!("form {form}"), || format!("mã đề {form}"))
    }

    #[must_use]
    pub fn time_taken(self, duration: &str) -> String {
        self.said(|| format!("time taken {duration}"), || format!("thời gian làm bài {duration}"))
    }

    /// The text of the link to the report's page, which is on this host.
    #[must_use]
    pub fn report_online(self, host: &str) -> String {
        self.said(|| format!("This report online, at {host}"), || format!("Xem bản kết quả này tại {host}"))
    }

    #[must_use]
    pub const fn qr_code_of_report(self) -> &'static str {
        self.either("QR code of this report’s page", "Mã QR của trang kết quả này")
    }

    /// At the foot: what finds the report again.
    #[must_use]
    pub fn reference(self, reference: &str) -> String {
        self.said(|| format!("Reference {reference}"), || format!("Mã tra cứu {reference}"))
    }

    #[must_use]
    pub fn annotations_left_out(self, count: usize) -> String {
        let en = || match count {
            1 => "One more annotation is left out here.".to_owned(),
            count => format!("{count} more annotations are left out here."),
        };
        self.said(en, || format!("Còn {count} ghi chú nữa không in ở đây."))
    }

    #[must_use]
    pub const fn score(self) -> &'static str {
        self.either("Score", "Điểm")
    }

    #[must_use]
    pub fn on_scale(self, from: u32, to: u32) -> String {
        self.said(|| format!("on a scale of {from} to {to}"), || format!("trên thang từ {from} đến {to}"))
    }

    /// The scale in words: `scale` is that of [`Self::on_scale`].
    #[must_use]
    pub fn marker(self, score: u32, scale: &str) -> String {
        self.said(|| format!("A marker at {score} {scale}"), || format!("Vạch chỉ {score} {scale}"))
    }

    #[must_use]
    pub const fn correct_answers(self) -> &'static str {
        self.either("Correct", "Số câu đúng")
    }

    #[must_use]
    pub const fn accuracy(self) -> &'static str {
        self.either("Accuracy", "Tỉ lệ đúng")
    }

    /// The sum of what right answers earn, before it becomes a score.
    #[must_use]
    pub const fn raw_points(self) -> &'static str {
        self.either("Points", "Điểm thô")
    }

    #[must_use]
    pub fn share(self, part: u32, whole: u32) -> String {
        self.said(|| format!("{part} of {whole}"), || format!("{part}/{whole}"))
    }

    #[must_use]
    pub fn percent(self, percent: f64) -> String {
        let text = format!("{percent:.1} %");
        self.said(|| text.clone(), || text.replace('.', ","))
    }

    #[must_use]
    pub const fn sent_by_client(self) -> &'static str {
        self.either(
            "Sent by a client: this server has not seen the test being taken.",
            "Kết quả do phần mềm khác gửi đến: máy chủ này không theo dõi quá trình làm bài.",
        )
    }

    #[must_use]
    pub const fn not_graded_here(self) -> &'static str {
        self.either(
            "This result was sent by a client and was not graded by the server.",
            "Kết quả này do phần mềm khác gửi đến và không do máy chủ này chấm.",
        )
    }

    #[must_use]
    pub const fn graded_with_points(self) -> &'static str {
        self.either(
            "Graded by the server. A right answer earns as many points as its question is difficult, 1 to 5.",
            "Do máy chủ chấm. Mỗi câu đúng được từ 1 đến 5 điểm, tùy theo độ khó của câu.",
        )
    }

    #[must_use]
    pub const fn graded(self) -> &'static str {
        self.either("Graded by the server.", "Do máy chủ chấm.")
    }

    #[must_use]
    pub const fn by_topic(self) -> &'static str {
        self.either("By topic", "Theo chủ đề")
    }

    #[must_use]
    pub const fn by_difficulty(self) -> &'static str {
        self.either("By difficulty", "Theo độ khó")
    }

    #[must_use]
    pub const fn by_stage(self) -> &'static str {
        self.either("By stage", "Theo phần")
    }

    #[must_use]
    pub const fn first_stage(self) -> &'static str {
        self.either("Stage 1", "Phần 1")
    }

    #[must_use]
    pub fn second_stage(self, band: &str) -> String {
        self.said(|| format!("Stage 2 (band {band})"), || format!("Phần 2 (mức {band})"))
    }

    #[must_use]
    pub const fn below_60(self) -> &'static str {
        self.either("below 60 %", "dưới 60 %")
    }

    /// That a result was changed, `at` some time, why, and what the score was before.
    #[must_use]
    pub fn result_changed(self, reason: VersionReason, at: Option<&str>, before: u32) -> String {
        let why = match reason {
            // Nobody knows why: another service has left it out.
            VersionReason::Submitted => "",
            VersionReason::LateWork => self.either(
                ", because work that came after the end of the test was accepted",
                " vì phần bài gửi đến sau khi bài thi kết thúc đã được chấp nhận",
            ),
            VersionReason::Reopened => self.either(
                ", because the test went on after its end",
                " vì bài được mở lại và làm tiếp sau khi đã kết thúc",
            ),
            VersionReason::KeyCorrected => {
                self.either(", because the key of a question was corrected", " vì đáp án của một câu hỏi đã được sửa")
            }
            VersionReason::Reverted => {
                self.either(", because an earlier change was taken back", " vì một thay đổi trước đó đã được hủy")
            }
        };
        let en = || {
            let when = at.map(|at| format!(" on {at}")).unwrap_or_default();
            format!("This result was changed{when}{why}. The score was {before} before.")
        };
        let vi = || {
            let when = at.map(|at| format!(" lúc {at}")).unwrap_or_default();
            format!("Kết quả này đã được thay đổi{when}{why}. Điểm trước đó là {before}.")
        };
        self.said(en, vi)
    }

    /// The name of an annotation, which systems send as a key; unchanged if it is not a usual one. `plain` is the key
    /// in small letters, without punctuation.
    #[must_use]
    pub fn annotation<'a>(self, key: &'a str, plain: &str) -> &'a str {
        match plain {
            "studentid" | "externalid" => self.either("Student ID", "Mã học sinh"),
            "class" | "classname" => self.either("Class", "Lớp"),
            "school" | "schoolname" => self.either("School", "Trường"),
            "teacher" | "teachername" => self.either("Teacher", "Giáo viên"),
            "room" => self.either("Room", "Phòng"),
            "seat" => self.either("Seat", "Chỗ"),
            _ => key,
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::school::PageLanguage;

    use super::*;

    const EN: PaperWords = PaperWords(PageLanguage::En);
    const VI: PaperWords = PaperWords(PageLanguage::Vi);

    #[test]
    fn annotations_and_numbers_are_written_as_in_the_language() {
        assert_eq!((EN.annotation("studentId", "studentid"), VI.annotation("class", "class")), ("Student ID", "Lớp"));
        assert_eq!((EN.percent(33.33), VI.percent(33.33)), ("33.3 %".to_owned(), "33,3 %".to_owned()));
        assert_eq!(VI.annotation("Câu lạc bộ", "câulạcbộ"), "Câu lạc bộ");
    }
}
