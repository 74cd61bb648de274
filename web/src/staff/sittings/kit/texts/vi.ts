// What is said of the morning kit, in Vietnamese.

import type { KitTexts } from "./en";

const number = (count: number) => count.toLocaleString("vi");

const vi: KitTexts = {
  print: "In bộ giấy tờ phòng thi",
  lead: "Một tệp có giấy tờ của từng phòng, theo thứ tự chỗ ngồi và bằng ngôn ngữ chính của trường. Hãy in một mặt.",
  parts: "Giấy tờ",
  partNames: { door: "Giấy dán cửa, có mã ca thi", plan: "Sơ đồ chỗ ngồi", list: "Danh sách để ký tên", slips: "Phiếu dự thi" },
  partHints: {
    door: "Không ghi tên ai.",
    plan: "Phòng chưa xếp chỗ thì không có.",
    list: "Chỉ dành cho giám thị, vì có ghi ai được thêm giờ.",
    slips: "Mỗi phiếu có mã vào phòng thi: hãy giữ như giữ đề thi.",
  },
  paper: "Khổ giấy",
  papers: { a4: "A4", letter: "Letter (Bắc Mỹ)" },
  tooMany: (most) => `Mỗi tệp có nhiều nhất ${number(most)} thí sinh: hãy chọn một phòng.`,
  download: "Tải bộ giấy tờ",
  done: "Đã tải bộ giấy tờ. Hãy giữ các phiếu như giữ đề thi.",
};

export default vi;
