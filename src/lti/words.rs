//! The words of the pages of launches, in English and Vietnamese. Why a launch leads nowhere is in
//! `src/lti/refusal.rs`.

use domain::school::PageLanguage;

/// The words in one language.
pub struct LaunchWords {
    /// The heading of a page that says why nothing was opened.
    pub not_opened: &'static str,
    /// The heading and the sentence of a page in a frame, and what opens a window.
    pub own_window: &'static str,
    pub keeps_nothing: &'static str,
    pub open_window: &'static str,
    /// While the platform's storage is asked.
    pub one_moment: &'static str,
    /// Before a test: its minutes, and what begins it.
    pub minutes: &'static str,
    pub exam_in_window: &'static str,
    pub test_counts: &'static str,
    pub begin: &'static str,
    pub go_in: &'static str,
    /// A test that was handed in.
    pub handed_in: &'static str,
    pub see_result: &'static str,
    pub begin_again: &'static str,
    /// The doors of a sitting that have not opened.
    pub doors_shut: &'static str,
    pub doors_open_at: &'static str,
    pub stays_open: &'static str,
    pub try_again: &'static str,
    /// Of a test student.
    pub never_counts: &'static str,
    /// For staff.
    pub for_staff: &'static str,
    pub to_its_page: &'static str,
    pub copied: &'static str,
    pub copied_asks: &'static str,
    pub leads_there: &'static str,
    /// Of a link that was removed here, and of one that was edited in the course.
    pub removed_asks: &'static str,
    pub edited_asks: &'static str,
    pub edited_stays: &'static str,
    /// After the number of tests by such a link whose scores the course does not have yet.
    one_without_score: &'static str,
    some_without_scores: &'static str,
    /// The choice of an exam.
    pub choose: &'static str,
    pub choose_one: &'static str,
    pub choose_some: &'static str,
    pub nothing_to_choose: &'static str,
    pub search: &'static str,
    pub sittings: &'static str,
    pub templates: &'static str,
    pub grades: &'static str,
    pub look: &'static str,
    pub own_start: &'static str,
    pub ends: &'static str,
    pub title: &'static str,
    pub points: &'static str,
    pub points_hint: &'static str,
    pub opens: &'static str,
    pub closes: &'static str,
    pub place: &'static str,
    pub back: &'static str,
    pub none_found: &'static str,
    /// Said by the platform when nothing was chosen.
    pub nothing_chosen: &'static str,
    pub sending: &'static str,
    pub send: &'static str,
}

impl LaunchWords {
    /// The words in a language.
    #[must_use]
    pub fn of(language: PageLanguage) -> &'static Self {
        match language {
            PageLanguage::En => &ENGLISH,
            PageLanguage::Vi => &VIETNAMESE,
        }
    }

    /// A line that says how many tests would have no score in the course; empty if none would.
    #[must_use]
    pub fn without_scores(&self, count: usize) -> String {
        match count {
            0 => String::new(),
            1 => format!("<p>1 {}</p>", self.one_without_score),
            count => format!("<p>{count} {}</p>", self.some_without_scores),
        }
    }
}

const ENGLISH: LaunchWords = LaunchWords {
    not_opened: "Nothing could be opened",
    own_window: "In a window of its own",
    keeps_nothing: "This browser lets a page inside another page keep nothing. It goes on in a window of its own.",
    open_window: "Open the window",
    one_moment: "One moment …",
    minutes: "minutes",
    exam_in_window: "The exam opens in a window of its own. Keep this page until you have handed in.",
    test_counts: "The time begins to count when you begin.",
    begin: "Begin",
    go_in: "Go in",
    handed_in: "You have handed in this test.",
    see_result: "See the result",
    begin_again: "Begin once more",
    doors_shut: "The doors have not opened yet",
    doors_open_at: "You can go in from",
    stays_open: "Leave this page open: it goes in by itself.",
    try_again: "Try now",
    never_counts: "You are here as a test student: whatever you do never counts.",
    for_staff: "For staff",
    to_its_page: "Open its page in Exam Hall",
    copied: "Is it the right exam?",
    copied_asks: "This link was copied from another course. Until you say so, nobody in this course gets to the exam.",
    leads_there: "Yes, it leads there",
    removed_asks: "This link was removed in Exam Hall. Until you say so, nobody in this course gets to the exam by it.",
    edited_asks: "This link was edited in the course, and names another exam now. Until you say so, it leads where it did.",
    edited_stays: "It has led here:",
    one_without_score: "test that was begun by this link has no score in the course yet. After a yes no score of it is sent there.",
    some_without_scores: "tests that were begun by this link have no scores in the course yet. After a yes none of their scores is sent there.",
    choose: "Choose an exam",
    choose_one: "Choose what the link in the course is to lead to.",
    choose_some: "Choose what is to be placed in the course: one link for each.",
    nothing_to_choose: "There is nothing to choose: no exam or test of the grades that staff of your platform have.",
    search: "Search",
    sittings: "Exams",
    templates: "Tests",
    grades: "grades",
    look: "Look at it",
    own_start: "everybody begins when they want",
    ends: "ends",
    title: "Name in the course",
    points: "Points in the grade book",
    points_hint: "Leave it empty for no column in the grade book.",
    opens: "Opens in the course",
    closes: "Due in the course",
    place: "Place in the course",
    back: "Choose nothing",
    none_found: "Nothing has this name.",
    nothing_chosen: "Nothing was chosen.",
    sending: "It is on its way to the course …",
    send: "Back to the course",
};

const VIETNAMESE: LaunchWords = LaunchWords {
    not_opened: "Không mở được",
    own_window: "Trong cửa sổ riêng",
    keeps_nothing: "Trình duyệt này không cho trang nằm trong trang khác lưu gì. Phần tiếp theo mở trong một cửa sổ riêng.",
    open_window: "Mở cửa sổ",
    one_moment: "Xin chờ một chút …",
    minutes: "phút",
    exam_in_window: "Bài thi mở trong một cửa sổ riêng. Hãy giữ trang này cho đến khi bạn nộp bài.",
    test_counts: "Thời gian bắt đầu tính khi bạn bấm bắt đầu.",
    begin: "Bắt đầu",
    go_in: "Vào phòng thi",
    handed_in: "Bạn đã nộp bài kiểm tra này.",
    see_result: "Xem kết quả",
    begin_again: "Làm lại lần nữa",
    doors_shut: "Chưa đến giờ vào phòng thi",
    doors_open_at: "Bạn có thể vào từ",
    stays_open: "Hãy để trang này mở: đến giờ trang sẽ tự vào.",
    try_again: "Thử ngay",
    never_counts: "Bạn đang ở đây với tư cách học sinh thử: mọi việc bạn làm đều không được tính.",
    for_staff: "Dành cho giáo viên",
    to_its_page: "Mở trang của bài thi trong Exam Hall",
    copied: "Có đúng bài thi không?",
    copied_asks: "Liên kết này được sao chép từ một khóa học khác. Khi bạn chưa xác nhận, chưa ai trong khóa học này vào được bài thi.",
    leads_there: "Đúng, liên kết dẫn đến đây",
    removed_asks: "Liên kết này đã bị gỡ trong Exam Hall. Khi bạn chưa xác nhận, chưa ai trong khóa học này vào được bài thi qua liên kết.",
    edited_asks: "Liên kết này đã được sửa trong khóa học và nay nêu một bài thi khác. Khi bạn chưa xác nhận, liên kết vẫn dẫn đến bài thi cũ.",
    edited_stays: "Trước đây liên kết dẫn đến:",
    one_without_score: "bài thi qua liên kết này chưa có điểm trong khóa học. Sau khi bạn xác nhận, điểm của bài này sẽ không được gửi về đó.",
    some_without_scores: "bài thi qua liên kết này chưa có điểm trong khóa học. Sau khi bạn xác nhận, điểm của các bài này sẽ không được gửi về đó.",
    choose: "Chọn bài thi",
    choose_one: "Hãy chọn nơi mà liên kết trong khóa học sẽ dẫn đến.",
    choose_some: "Hãy chọn những gì cần đưa vào khóa học: mỗi mục là một liên kết.",
    nothing_to_choose: "Không có gì để chọn: chưa có kỳ thi hay bài kiểm tra nào thuộc các khối mà giáo viên của nền tảng được giao.",
    search: "Tìm",
    sittings: "Kỳ thi",
    templates: "Bài kiểm tra",
    grades: "khối",
    look: "Xem trước",
    own_start: "mỗi người bắt đầu khi muốn",
    ends: "kết thúc",
    title: "Tên trong khóa học",
    points: "Điểm tối đa trong sổ điểm",
    points_hint: "Để trống nếu không cần cột trong sổ điểm.",
    opens: "Mở trong khóa học",
    closes: "Hạn nộp trong khóa học",
    place: "Đưa vào khóa học",
    back: "Không chọn gì",
    none_found: "Không có mục nào mang tên này.",
    nothing_chosen: "Không có gì được chọn.",
    sending: "Đang gửi về khóa học …",
    send: "Trở về khóa học",
};
