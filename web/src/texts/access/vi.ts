// Who may sit a template, and when, as the page before its start says it in Vietnamese.

import type { AccessTexts } from "./en";

const vi: AccessTexts = {
  rules: "Ai được làm bài",
  signedIn: "Dành cho tất cả các em đã đăng nhập.",
  classes: "Dành cho các lớp mà thầy cô đã chọn.",
  opens: (at) => `Mở lúc: ${at}`,
  closes: (at) => `Đóng lúc: ${at}`,
  attempts: (all) => `Em được làm ${all} lần.`,
  attemptsLeft: (left, all) => `Em còn được làm ${left} lần trong tổng số ${all} lần.`,
  timeLeft: (minutes) => `Nếu bắt đầu bây giờ, em có ${minutes < 1 ? "chưa đến một phút" : `${minutes} phút`}, vì bài kết thúc với tất cả các bạn khi đóng.`,
  staff: "Thầy cô phụ trách bài này nên có thể làm thử bất cứ lúc nào. Các lần làm thử không được tính.",
  signInFirst: "Hãy đăng nhập để làm bài này. Sau đó em sẽ trở lại trang này.",
  notYours: (account) =>
    `Bài này dành cho một số lớp, và tài khoản ${account} không thuộc lớp nào trong số đó. Nếu có tài khoản khác, em hãy bấm “Không phải em?” rồi đăng nhập bằng tài khoản đó. Nếu không, hãy nhờ thầy cô thêm em vào lớp.`,
  early: "Bài này chưa mở. Em cứ để trang này mở: nút bắt đầu sẽ tự hiện ra.",
  opensIn: (time) => `Còn ${time} nữa sẽ mở`,
  closed: "Bài này đã đóng nên không ai bắt đầu được nữa. Nếu em bỏ lỡ, hãy hỏi thầy cô.",
  noneLeft: "Em đã dùng hết số lần làm bài này. Nếu cần thêm một lần, hãy hỏi thầy cô.",
  code: "Mã của bài này",
  codeHint: "Thầy cô sẽ cho em biết mã. Viết hoa hay viết thường đều được.",
  codeMissing: "Bài này cần mã. Em hãy nhập mã mà thầy cô cho biết.",
  codeWrong: "Mã này sai. Em hãy xem lại hoặc hỏi thầy cô.",
  codeUnread: "Lúc này có quá nhiều người nhập mã nên mã của em chưa được kiểm tra. Em hãy xem lại mã, chờ vài giây rồi bấm nút lần nữa.",
};

export default vi;
