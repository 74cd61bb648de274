// What a sitting says of questions of its paper that are for practice, in Vietnamese.

import type { PracticeTexts } from "./en";

const number = (count: number) => count.toLocaleString("vi");

const vi: PracticeTexts = {
  lackPractice: (count) => `Đề có ${number(count)} câu dùng để luyện tập: ai cũng có thể đã đọc cùng đáp án.`,
  toTemplate: "Giữ các câu đó cho kỳ thi",
};

export default vi;
