// What the bar says that is on every page during an outage, in Vietnamese.

import type { StatusTexts } from "./en";

const vi: StatusTexts = {
  label: "Thông báo của nhà trường",
  from: "Thông báo:",
  close: "Đóng",
  readOnly: {
    students: "Máy chủ thi đang bảo trì. Lúc này chỉ xem được, chưa nộp và chưa lưu được gì. Những gì em đã làm trong bài thi vẫn được giữ trên máy này và sẽ được gửi khi bảo trì xong.",
    staff: "Máy chủ thi đang bảo trì. Lúc này chỉ xem được, chưa sửa và chưa lưu được gì. Kết quả, đáp án và các tệp phải ghi vào nhật ký tạm thời chưa mở được.",
  },
};

export default vi;
