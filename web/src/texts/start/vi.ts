// What the start page says, in Vietnamese.

import type { StartTexts } from "./en";

const vi: StartTexts = {
  startTitle: "Chọn bài kiểm tra",
  startLead: "Chọn lớp của em, rồi chọn loại bài kiểm tra.",
  grade: "Lớp",
  gradeOf: (grade) => `Lớp ${grade}`,
  kind: "Loại bài kiểm tra",
  short: "Bài ngắn",
  usual: "Bài tiêu chuẩn",
  long: "Bài dài",
  adaptive: "Bài gồm hai phần",
  lengthOf: (questions, minutes) => `${questions} câu hỏi, ${minutes} phút`,
  adaptiveLead: "Phần 2 được chọn theo kết quả phần 1.",
  goToTest: "Đến bài kiểm tra",
  begunTitle: "Em có một bài đang làm dở",
  staffTitle: { reviewer: "Đã đăng nhập với vai trò người duyệt câu hỏi", manager: "Đã đăng nhập với vai trò quản lý", admin: "Đã đăng nhập với vai trò quản trị viên" },
  staffLead: "Câu hỏi, đề thi, ngày thi, lịch và kết quả ở trang của nhà trường.",
  staffPages: "Trang của nhà trường",
  signIns: "Phiên đăng nhập của tôi",
  staffDocs: "Tài liệu API",
};

export default vi;
