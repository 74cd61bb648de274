// The texts of numbers that are typed, in Vietnamese.

import type { NumberTexts } from "./en";

const vi: NumberTexts = {
  youWrote: "Em đã viết",
  said: (words, unit) => `Em đã viết ${words}${unit === "" ? "" : ` ${unit}`}.`,
  notNumber: "Không đọc được thành một số.",
  readAs: "đọc là",
  or: "hoặc",
  minus: "âm",
  over: (above, below) => `${above} phần ${below}`,
  mixed: (whole, above, below) => `${whole} và ${above} phần ${below}`,
  keys: "Các phím số",
  names: {
    bar: "gạch phân số",
    minus: "dấu trừ",
    space: "dấu cách",
    delete: "xóa ký tự cuối",
  },
  decimalNames: { en: "dấu chấm", vi: "dấu phẩy" },
  done: "Xong",
};

export default vi;
