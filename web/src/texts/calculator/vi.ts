// The texts of the calculator in Vietnamese.

import type { CalculatorTexts } from "./en";

const vi: CalculatorTexts = {
  decimal: ",",
  display: "Phép tính",
  keys: "Các phím của máy tính",
  clear: "C",
  degrees: "Độ",
  radians: "Rad",
  angle: { degrees: "Góc tính bằng độ. Đổi sang radian", radians: "Góc tính bằng radian. Đổi sang độ" },
  equals: (value) => `bằng ${value}`,
  faults: {
    unfinished: "Phép tính còn thiếu",
    zero: "Không chia được cho 0",
    undefined: "Không có số nào như vậy",
    large: "Số quá lớn",
  },
  names: {
    plus: "cộng",
    minus: "trừ",
    times: "nhân",
    divide: "chia",
    point: "dấu phẩy",
    percent: "phần trăm",
    open: "mở ngoặc",
    close: "đóng ngoặc",
    power: "mũ",
    square: "bình phương",
    inverse: "mũ trừ một",
    factorial: "giai thừa",
    pi: "pi",
    e: "số e",
    answer: "kết quả trước",
    sin: "sin",
    cos: "cosin",
    tan: "tang",
    asin: "sin ngược",
    acos: "cosin ngược",
    atan: "tang ngược",
    sqrt: "căn bậc hai",
    log: "lôgarit cơ số mười",
    ln: "lôgarit tự nhiên",
    delete: "xóa ký tự cuối",
    clear: "xóa hết",
    equals: "bằng",
  },
};

export default vi;
