// What a sitting says of a paper that candidates may know already, in Vietnamese.

import type { PracticeTexts } from "./en";

const number = (count: number) => count.toLocaleString("vi");

const vi: PracticeTexts = {
  lackPractice: (count) => `Đề có ${number(count)} câu dùng để luyện tập: ai cũng có thể đã đọc cùng đáp án.`,
  lackSatBefore: (count) => `${number(count)} thí sinh đã làm đề này qua liên kết và có thể đã thấy đáp án: hãy chọn đề khác hoặc rút lại câu hỏi.`,
  toTemplate: "Giữ các câu đó cho kỳ thi",
};

export default vi;
