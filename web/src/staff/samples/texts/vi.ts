// Everything on the language of the sample questions, in Vietnamese.

import type { SampleTexts } from "./en";

const number = (count: number) => count.toLocaleString("vi");

const vi: SampleTexts = {
  title: "Ngôn ngữ của câu hỏi mẫu",
  names: { en: "tiếng Anh", vi: "tiếng Việt" },
  standing: (count, there, wanted) => `Hiện có ${number(count)} câu hỏi mẫu bằng ${there}, còn ngôn ngữ đầu tiên của trường là ${wanted}.`,
  hints: {
    en: "Trong bản tiếng Anh, giá tiền tính bằng đô la. Những câu trường đã sửa hoặc ngừng dùng được giữ nguyên, mọi bài đã làm cũng vậy.",
    vi: "Trong bản tiếng Việt, giá tiền tính bằng đồng. Những câu trường đã sửa hoặc ngừng dùng được giữ nguyên, mọi bài đã làm cũng vậy.",
  },
  put: (wanted) => `Chuyển sang ${wanted}`,
  busy: "Xin chờ một chút…",
  done: (count, wanted) => `${number(count)} câu hỏi mẫu nay đã bằng ${wanted}.`,
  left: (count) => `Giữ nguyên ${number(count)} câu mà trường đã sửa hoặc ngừng dùng.`,
};

export default vi;
