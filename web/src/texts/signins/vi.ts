// The list of sign-ins in Vietnamese.

import type { SignInTexts } from "./en";

const vi: SignInTexts = {
  title: "Các phiên đăng nhập của bạn",
  lead: "Mỗi dòng là một trình duyệt đang đăng nhập bằng tài khoản của bạn. Hãy kết thúc những phiên bạn không nhận ra hoặc không cần nữa. Mỗi phiên tự hết sau mười hai giờ.",
  leadOther: "Mỗi dòng là một trình duyệt đang đăng nhập bằng tài khoản của người này.",
  guest: "Bạn chưa đăng nhập.",
  signIn: "Đăng nhập",
  loading: "Xin chờ một chút…",
  none: "Không có phiên nào.",
  on: (browser, system) => `${browser} trên ${system}`,
  unknown: "Trình duyệt không rõ tên",
  here: "trình duyệt này",
  since: (time) => `Đăng nhập lúc ${time}`,
  used: (time) => `Dùng lần cuối lúc ${time}, hoặc muộn hơn tối đa mười phút`,
  end: "Kết thúc",
  endOf: (name) => `Kết thúc phiên đăng nhập bằng ${name}`,
  endOthers: "Kết thúc tất cả phiên khác",
  ended: "Phiên đăng nhập đã kết thúc. Trang đang mở ở đó sẽ biết trong vài giây.",
  othersEnded: "Tất cả phiên khác đã kết thúc. Trang đang mở ở đó sẽ biết trong vài giây.",
  failed: "Không tải được danh sách. Hãy kiểm tra mạng rồi thử lại.",
  notEnded: "Chưa làm được việc này. Hãy kiểm tra mạng rồi thử lại.",
  again: "Thử lại",
};

export default vi;
