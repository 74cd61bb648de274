// What a student is told of their receipts at the end of a test, in Vietnamese.

import type { ReceiptTexts } from "./en";

const vi: ReceiptTexts = {
  lead: "Máy chủ đã ký xác nhận những gì đã lưu của bài làm. Với biên nhận này, sau này em có thể chứng minh mình đã nộp những gì.",
  verify: "Kiểm tra biên nhận",
  save: "Lưu biên nhận",
  saved: "Biên nhận đã được lưu trong thư mục tải xuống.",
  savedInterim: "Đã lưu biên nhận cuối cùng trong lúc làm bài vào thư mục tải xuống. Chưa tải được biên nhận sau khi nộp; em hãy bấm lại nút này sau.",
};

export default vi;
