// What the pages of questions say of types of questions and of numbers as keys, in Vietnamese.

import type { KeyTexts } from "./en";

const vi: KeyTexts = {
  type: "Loại câu hỏi",
  allTypes: "Mọi loại",
  types: { "multiple-choice": "Trắc nghiệm", number: "Điền số" },
  typeHint: "Trong bốn phương án, có thể đoán trúng một. Với câu điền số, học sinh tự gõ và số được hiểu đúng ý: 0,5, ½ và 2/4 là như nhau.",
  numberAndKey: "Số đúng",
  answer: "Số",
  answerHint: "Viết bằng chữ số, không tách nhóm: 12, -3 hoặc 0,5. Phân số như 31/20 được lưu thành số thập phân, 1,55.",
  tolerance: "Sai số cho phép",
  toleranceHint: "Câu trả lời được lệch bao nhiêu. Để trống: không được lệch.",
  unit: "Đơn vị",
  unitHint: "Hiện sau ô trả lời, ví dụ cm. Học sinh không cần gõ.",
  forms: "Các cách viết được tính",
  formNames: { decimal: "Số thập phân (0,5)", fraction: "Phân số (1/2)", mixed: "Hỗn số (2 1/2)" },
  formsHint: "Số nguyên được tính trong mọi cách viết. Hãy bỏ phân số khi câu hỏi là một phép chia, nếu không chép lại đề cũng là trả lời đúng.",
  language: "Cách đọc chữ số",
  languages: { en: "Như tiếng Anh: 1,234.5", vi: "Như tiếng Việt: 1.234,5" },
  right: "Đáp án đúng:",
  onlyForms: (forms) => `chỉ tính: ${forms}`,
  noNumber: "Chưa có số nào là đáp án đúng.",
  given: "Các số học sinh đã trả lời",
  moreGave: (text) => `Nhiều em trả lời ${text} hơn số đúng`,
  otherType: "Khi đó câu hỏi thuộc loại khác nên không khôi phục bản này được. Hãy soạn một câu hỏi mới.",
};

export default vi;
