//! What stands on papers for an exam day, in the languages of the pages. Their readers are the students, teachers and
//! visitors of one school, so all of it is in the school's first language unless another one is asked for.

use chrono::{DateTime, Datelike};
use chrono_tz::Tz;
use domain::form::FormLetter;
use domain::school::PageLanguage;
use domain::sitting::values::Factor;

/// Days of the week, from Monday on.
const DAYS_VI: [&str; 7] = ["Thứ Hai", "Thứ Ba", "Thứ Tư", "Thứ Năm", "Thứ Sáu", "Thứ Bảy", "Chủ nhật"];

/// The words in one language.
#[derive(Clone, Copy, Debug)]
pub struct PaperWords(pub PageLanguage);

impl PaperWords {
    #[must_use]
    pub const fn language(self) -> PageLanguage {
        self.0
    }

    pub(super) const fn either(self, en: &'static str, vi: &'static str) -> &'static str {
        match self.0 {
            PageLanguage::En => en,
            PageLanguage::Vi => vi,
        }
    }

    pub(super) fn said(self, en: impl FnOnce() -> String, vi: impl FnOnce() -> String) -> String {
        match self.0 {
            PageLanguage::En => en(),
            PageLanguage::Vi => vi(),
        }
    }

    #[must_use]
    pub const fn slips(self) -> &'static str {
        self.either("Entry slips", "Phiếu dự thi")
    }

    #[must_use]
    pub const fn kit(self) -> &'static str {
        self.either("Morning kit", "Bộ giấy tờ phòng thi")
    }

    #[must_use]
    pub const fn access_code(self) -> &'static str {
        self.either("Access code", "Mã vào phòng thi")
    }

    #[must_use]
    pub const fn earlier_code(self) -> &'static str {
        self.either("as on your earlier slip", "như trên phiếu trước")
    }

    #[must_use]
    pub const fn no_code(self) -> &'static str {
        self.either("none yet", "chưa có")
    }

    /// Within a sentence.
    #[must_use]
    pub fn in_seat(self, seat: &str) -> String {
        self.said(|| format!("seat {seat}"), || format!("chỗ {seat}"))
    }

    #[must_use]
    pub fn form(self, form: FormLetter) -> String {
        self.said(|| format!("Form {form}"), || format!("Mã đề {form}"))
    }

    #[must_use]
    pub fn qr_code(self, address: &str) -> String {
        self.said(|| format!("QR code of {address}"), || format!("Mã QR của {address}"))
    }

    #[must_use]
    pub const fn crest(self) -> &'static str {
        self.either("The school's crest", "Biểu trưng của trường")
    }

    /// The code by which a page finds the sitting.
    #[must_use]
    pub const fn exam_code(self) -> &'static str {
        self.either("Code of the exam", "Mã kỳ thi")
    }

    #[must_use]
    pub const fn how_to_enter(self) -> &'static str {
        self.either(
            "Open the address or scan the code, and enter with your slip or your account.",
            "Mở địa chỉ này hoặc quét mã QR, rồi vào bằng phiếu dự thi hoặc tài khoản.",
        )
    }

    #[must_use]
    pub fn doors_open(self, time: &str) -> String {
        self.said(|| format!("Doors open at {time}"), || format!("Mở cửa phòng thi lúc {time}"))
    }

    #[must_use]
    pub const fn seat_plan(self) -> &'static str {
        self.either("Seat plan", "Sơ đồ chỗ ngồi")
    }

    #[must_use]
    pub const fn attendance(self) -> &'static str {
        self.either("Attendance list", "Danh sách ký tên")
    }

    #[must_use]
    pub const fn for_proctors(self) -> &'static str {
        self.either("For proctors. Do not put it up.", "Dành cho giám thị. Không dán lên.")
    }

    #[must_use]
    pub const fn without_seat(self) -> &'static str {
        self.either("Without a seat", "Chưa có chỗ ngồi")
    }

    #[must_use]
    pub const fn without_hall(self) -> &'static str {
        self.either("Without a room", "Chưa có phòng")
    }

    #[must_use]
    pub fn candidates(self, count: usize) -> String {
        let en = || if count == 1 { "1 candidate".to_owned() } else { format!("{count} candidates") };
        self.said(en, || format!("{count} thí sinh"))
    }

    #[must_use]
    pub const fn seat(self) -> &'static str {
        self.either("Seat", "Chỗ")
    }

    /// Of a column of letters.
    #[must_use]
    pub const fn forms(self) -> &'static str {
        self.either("Form", "Mã đề")
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        self.either("Name", "Họ và tên")
    }

    #[must_use]
    pub const fn id(self) -> &'static str {
        self.either("ID", "Mã số")
    }

    #[must_use]
    pub const fn needs(self) -> &'static str {
        self.either("Time", "Thời gian")
    }

    #[must_use]
    pub const fn signature(self) -> &'static str {
        self.either("Signature", "Chữ ký")
    }

    /// The line at the end of a list, to be filled in by hand.
    #[must_use]
    pub const fn closing(self) -> &'static str {
        self.either(
            "Present: ________    Absent: ________    Proctor: ______________________________",
            "Có mặt: ________    Vắng: ________    Giám thị: ______________________________",
        )
    }

    #[must_use]
    pub fn page(self, number: usize, count: usize) -> String {
        self.said(|| format!("Page {number} of {count}"), || format!("Trang {number}/{count}"))
    }

    /// How much more than the usual time somebody has; nothing for the usual one.
    #[must_use]
    pub fn more_time(self, factor: Factor, extra_minutes: u32) -> Vec<String> {
        let percent = factor.percent() - Factor::USUAL.percent();
        let share = (percent > 0).then(|| {
            self.said(|| format!("{percent} percent more time"), || format!("thêm {percent} phần trăm thời gian"))
        });
        let minutes = (extra_minutes > 0).then(|| {
            let en = || {
                if extra_minutes == 1 { "1 more minute".to_owned() } else { format!("{extra_minutes} more minutes") }
            };
            self.said(en, || format!("thêm {extra_minutes} phút"))
        });
        share.into_iter().chain(minutes).collect()
    }

    #[must_use]
    pub fn starts(self, time: &str) -> String {
        self.said(|| format!("starts at {time}"), || format!("bắt đầu lúc {time}"))
    }

    #[must_use]
    pub fn ends(self, time: &str) -> String {
        self.said(|| format!("ends at {time}"), || format!("kết thúc lúc {time}"))
    }

    /// A day and a time, with the zone.
    #[must_use]
    pub fn moment(self, moment: DateTime<Tz>) -> String {
        let (time, zone) = (clock_time(moment), moment.format("%Z"));
        let vi = || format!("{time} ngày {}/{}/{} ({zone})", moment.day(), moment.month(), moment.year());
        self.said(|| moment.format("%-d %B %Y, %H:%M %Z").to_string(), vi)
    }

    /// The day of the week, and the day.
    #[must_use]
    pub fn day(self, moment: DateTime<Tz>) -> String {
        let week_day = usize::try_from(moment.weekday().num_days_from_monday()).unwrap_or_default();
        let vi = || {
            let week_day = DAYS_VI.get(week_day).copied().unwrap_or_default();
            format!("{week_day}, ngày {} tháng {} năm {}", moment.day(), moment.month(), moment.year())
        };
        self.said(|| moment.format("%A, %-d %B %Y").to_string(), vi)
    }
}

/// The time of day, as clocks show it.
#[must_use]
pub fn clock_time(moment: DateTime<Tz>) -> String {
    moment.format("%H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    const EN: PaperWords = PaperWords(PageLanguage::En);
    const VI: PaperWords = PaperWords(PageLanguage::Vi);

    #[test]
    fn times_are_written_as_people_of_the_language_write_them() {
        let moment = Tz::Asia__Ho_Chi_Minh.with_ymd_and_hms(2026, 5, 3, 8, 5, 0).unwrap();
        assert_eq!(EN.moment(moment), "3 May 2026, 08:05 +07");
        assert_eq!(VI.moment(moment), "08:05 ngày 3/5/2026 (+07)");
        assert_eq!(EN.day(moment), "Sunday, 3 May 2026");
        assert_eq!(VI.day(moment), "Chủ nhật, ngày 3 tháng 5 năm 2026");
        let monday = Tz::Europe__Zurich.with_ymd_and_hms(2026, 5, 4, 23, 30, 0).unwrap();
        assert_eq!(VI.day(monday), "Thứ Hai, ngày 4 tháng 5 năm 2026");
        assert_eq!((EN.moment(monday), clock_time(monday)), ("4 May 2026, 23:30 CEST".to_owned(), "23:30".to_owned()));
    }

    #[test]
    fn more_time_is_said_in_words() {
        let factor = |percent| Factor::new(percent).unwrap();
        assert_eq!(EN.more_time(Factor::USUAL, 0), Vec::<String>::new());
        assert_eq!(EN.more_time(factor(125), 1), ["25 percent more time", "1 more minute"]);
        assert_eq!(VI.more_time(factor(150), 10), ["thêm 50 phần trăm thời gian", "thêm 10 phút"]);
    }
}
