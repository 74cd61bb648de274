// What the page of imports says of files of other systems, in Vietnamese.

import type { ImportTexts } from "./en";

const number = (count: number) => count.toLocaleString("vi");

const vi: ImportTexts = {
  ofItems: {
    wouldLeaveOut: (count) => `${number(count)} câu hỏi không nhập được.`,
    leftOut: (count) => `Đã bỏ qua ${number(count)} câu hỏi.`,
    importGood: (count, bad) => `Nhập ${number(count)} câu hỏi, bỏ qua ${number(bad)} câu`,
    nothingToImport: "Không có câu hỏi nào trong tệp nhập được.",
    faultCount: (count) => `Các câu hỏi không nhập được: ${count}`,
    faultLead: "Hãy sửa ở nơi đã xuất tệp rồi chọn lại tệp. Các câu hỏi khác có thể nhập trước.",
  },
};

export default vi;
