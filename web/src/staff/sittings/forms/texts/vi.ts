// What the pages of sittings say of the forms of a paper, in Vietnamese.

import type { FormsTexts } from "./en";

const students = (count: number) => `${count.toLocaleString("vi")} thí sinh`;

const vi: FormsTexts = {
  form: "Mã đề",
  forms: "Mã đề",
  formsHint: "theo số ghế: thí sinh ngồi cạnh nhau có mã đề khác nhau nếu số ghế ghi hàng trước, ghế sau, ví dụ B4",
  formCount: (letter, count) => `${letter}: ${count.toLocaleString("vi")}`,
  formKeys: "Đáp án các mã đề",
  formSources: { seat: "theo số ghế", chance: "chọn ngẫu nhiên vì không có số ghế", entered: "giữ nguyên từ khi vào phòng thi" },

  slipsForms: "Mỗi phiếu ghi mã đề theo số ghế. Hãy xếp ghế cho mọi người trước: đổi ghế là đổi mã đề và phải in phiếu khác.",
  slipsChance: (count) => `${students(count)} chưa có số ghế: mã đề được chọn ngẫu nhiên và thí sinh ngồi cạnh nhau có thể trùng mã đề.`,

  lackForms: (count) => `${students(count)} chưa có số ghế: thí sinh ngồi cạnh nhau có thể trùng mã đề.`,
  lackRows: "Số ghế chỉ là một số: thí sinh ngồi trước và sau nhau có thể trùng mã đề. Hãy ghi cả hàng và ghế, ví dụ B4.",
  lackSeats: (count) => `${students(count)} trùng số ghế với người khác trong cùng phòng nên trùng mã đề.`,
};

export default vi;
