// The texts about work that came too late in Vietnamese.

import type { LateTexts } from "./en";

const vi: LateTexts = {
  offer: "Những gì em làm từ lúc mất mạng được giữ trên máy này. Chúng sẽ được gửi khi có mạng lại, và thầy cô quyết định có tính hay không. Nếu không thể chờ, em hãy lưu thành tệp và đưa tệp cho thầy cô. Chỉ máy chủ của trường đọc được tệp này.",
  offerEarly: "Nếu không thể chờ, hoặc thầy cô đã kết thúc bài thi của cả phòng, em hãy lưu những gì chưa gửi được thành tệp và đưa tệp cho thầy cô. Chỉ máy chủ của trường đọc được tệp này.",
  save: "Lưu thành tệp",
  saved: "Đã lưu. Em hãy đưa tệp cho thầy cô và đừng đóng trang này.",
  leftOut: (count, all) => `Tệp không đủ chỗ cho ${count} trong ${all} hình vẽ: các hình đó chỉ có trên máy này.`,
  failed: "Không tạo được tệp. Đừng đóng trang này: câu trả lời của em vẫn được giữ.",
  kept: (count) => `${count} thay đổi đến máy chủ sau khi bài thi kết thúc. Không mất gì cả: thầy cô sẽ quyết định có tính hay không.`,
  lost: "Những gì còn thiếu vẫn ở trên máy này. Em hãy lưu thành tệp và đưa tệp cho thầy cô, thầy cô quyết định có tính hay không. Chỉ máy chủ của trường đọc được tệp này.",
  lostHere: "Những gì còn thiếu vẫn ở trên máy này. Em hãy để nguyên cho đến khi thầy cô đã xem trang này.",
  lostSaved: "Đã lưu. Em hãy đưa tệp cho thầy cô.",
  delete: "Xóa khỏi máy này",
  deleteLead: "Xóa những gì chưa đến máy chủ? Sẽ không ai lấy lại được.",
  deleteSure: "Có, xóa đi",
  deleted: "Đã xóa khỏi máy này.",
};

export default vi;
