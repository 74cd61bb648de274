// Whether questions are kept for exams or are for practice, in Vietnamese.

import type { MarkTexts } from "./en";

const number = (count: number) => count.toLocaleString("vi");

const vi: MarkTexts = {
  secure: "Giữ cho kỳ thi",
  secureHint: "Khi đó câu hỏi không có trong bài luyện tập và kho công khai.",
  practice: "Luyện tập: ai cũng đọc được câu này cùng đáp án",
  practiceHint: "Nếu không, ngoài giáo viên không ai xem được đáp án trước khi nộp bài có câu này.",
  practiceUnsaid: "Chưa ai chọn cho câu này nên cài đặt của máy chủ được áp dụng. Hãy đánh dấu nếu là câu luyện tập; đánh dấu rồi bỏ dấu nếu không phải.",
  practiceOfSecure: "Câu đã giữ cho kỳ thi không bao giờ dùng để luyện tập.",
  practiceOfImport: "Luyện tập: ai cũng đọc được các câu này cùng đáp án",
  practiceOfImportHint: "Áp dụng cho những câu mà tệp không tự đánh dấu ở cột “practice” hoặc “secure”.",
  isSecureNow: (id) => `Đã giữ ${id} cho kỳ thi.`,
  isSecureNoMore: (id) => `${id} không còn được giữ cho kỳ thi.`,
  isPracticeNow: (id) => `${id} dùng để luyện tập: ai cũng đọc được câu này cùng đáp án.`,
  isPracticeNoMore: (id) => `${id} không còn dùng để luyện tập.`,
  mark: "Dấu",
  all: "Tất cả",
  marks: { secure: "Giữ cho kỳ thi", practice: "Luyện tập", notPractice: "Không luyện tập", none: "Chưa đánh dấu" },
  unread: "Không tải được câu nào đã đánh dấu. Hãy làm mới danh sách.",
  keep: "Giữ cho kỳ thi",
  giveBack: "Không giữ cho kỳ thi nữa",
  makePractice: "Cho luyện tập",
  noPractice: "Không luyện tập",
  done: {
    keep: (count) => `Đã giữ ${number(count)} câu cho kỳ thi.`,
    giveBack: (count) => `${number(count)} câu không còn được giữ cho kỳ thi.`,
    makePractice: (count) => `${number(count)} câu dùng để luyện tập: ai cũng đọc được cùng đáp án.`,
    noPractice: (count) => `${number(count)} câu không dùng để luyện tập.`,
  },
};

export default vi;
