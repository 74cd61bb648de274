import { expect, test } from "vitest";
import { formulaWords } from "./formula";
import { TONGUES } from "./tongues";

const CASES: [tex: string, en: string, vi: string][] = [
  ["3 + 4 = 7", "3 plus 4 equals 7", "3 cộng 4 bằng 7"],
  ["12 - 5", "12 minus 5", "12 trừ 5"],
  ["-5", "negative 5", "âm 5"],
  ["3 \\times (-2)", "3 times open bracket negative 2 close bracket", "3 nhân mở ngoặc âm 2 đóng ngoặc"],
  ["24 \\div 6", "24 divided by 6", "24 chia 6"],
  ["2 : 3", "2 to 3", "2 chia 3"],
  ["\\frac{1}{2}", "1 half", "1 phần 2"],
  ["\\frac{3}{4}", "3 quarters", "3 phần 4"],
  ["\\frac34", "3 quarters", "3 phần 4"],
  ["\\dfrac{7}{11}", "7 over 11", "7 phần 11"],
  ["2\\frac{1}{3}", "2 and 1 third", "2 và 1 phần 3"],
  ["\\frac{a}{b}", "a over b", "a phần b"],
  ["\\frac{x+1}{2}", "the fraction with numerator x plus 1 and denominator 2, end of fraction", "phân số có tử số là x cộng 1 và mẫu số là 2, hết phân số"],
  ["x^2", "x squared", "x bình phương"],
  ["2^3", "2 cubed", "2 lập phương"],
  ["10^{5}", "10 to the power of 5", "10 mũ 5"],
  ["2^{-1}", "2 to the power of negative 1", "2 mũ âm 1"],
  ["x^{n+1}", "x to the power of n plus 1, end of power", "x mũ n cộng 1, hết số mũ"],
  ["2^{10}", "2 to the power of 10", "2 mũ 10"],
  ["a_{1}", "a sub 1", "a chỉ số 1"],
  ["\\sqrt{16}", "the square root of 16", "căn bậc hai của 16"],
  ["\\sqrt{x+1}", "the square root of x plus 1, end of root", "căn bậc hai của x cộng 1, hết căn"],
  ["\\sqrt[3]{27}", "the cube root of 27", "căn bậc ba của 27"],
  ["\\sqrt[n]{x}", "the nth root of x", "căn bậc n của x"],
  ["90^\\circ", "90 degrees", "90 độ"],
  ["90^{\\circ}", "90 degrees", "90 độ"],
  ["\\angle ABC = 45^\\circ", "angle A B C equals 45 degrees", "góc A B C bằng 45 độ"],
  ["\\widehat{ABC}", "angle A B C", "góc A B C"],
  ["\\triangle ABC", "triangle A B C", "tam giác A B C"],
  ["a \\parallel b", "a is parallel to b", "a song song với b"],
  ["\\overline{AB}", "A B with a bar above", "A B có gạch ngang trên đầu"],
  ["4\\underline{7}3", "4 7 underlined 3", "4 7 có gạch chân 3"],
  ["\\underline{\\text{not}}", "not underlined", "not có gạch chân"],
  ["5 + \\underline{\\quad}", "5 plus blank", "5 cộng chỗ trống"],
  ["0.\\overline{3}", "0 point 3 with a bar above", "0 phẩy 3 có gạch ngang trên đầu"],
  ["x \\le 5", "x is less than or equal to 5", "x nhỏ hơn hoặc bằng 5"],
  ["x \\neq 0", "x is not equal to 0", "x khác 0"],
  ["2\\pi r", "2 pi r", "2 pi r"],
  ["|x - 3|", "the absolute value of x minus 3, end of absolute value", "giá trị tuyệt đối của x trừ 3, hết giá trị tuyệt đối"],
  ["25\\%", "25 per cent", "25 phần trăm"],
  ["5\\text{ cm}", "5 cm", "5 cm"],
  ["\\left(\\frac{1}{2}\\right)^2", "open bracket 1 half close bracket squared", "mở ngoặc 1 phần 2 đóng ngoặc bình phương"],
  ["\\sin 30^\\circ", "sine 30 degrees", "sin 30 độ"],
  ["5!", "5 factorial", "5 giai thừa"],
  ["(2, 3)", "open bracket 2, 3 close bracket", "mở ngoặc 2, 3 đóng ngoặc"],
  ["\\square + 4", "blank plus 4", "chỗ trống cộng 4"],
  ["3{,}14", "3,14", "3,14"],
  ["A \\cup B", "A union B", "A hợp B"],
  ["x = \\begin{cases} 1 \\\\ 2 \\end{cases}", "x equals 1, 2", "x bằng 1, 2"],
  ["\\unheard x", "unheard x", "unheard x"],
  ["", "", ""],
];

test.each(CASES)("%s in words", (tex, en, vi) => {
  expect([formulaWords(tex, TONGUES.en), formulaWords(tex, TONGUES.vi)]).toEqual([en, vi]);
});

test("numbers stay whole, as each language writes them", () => {
  expect(formulaWords("1,250.5 + 3,2", TONGUES.en)).toBe("1,250.5 plus 3, 2");
  expect(formulaWords("1.250,5 + 3", TONGUES.vi)).toBe("1.250,5 cộng 3");
});

test("TeX that is not whole is read as far as it goes", () => {
  for (const tex of ["\\frac{1", "\\frac", "x^", "\\sqrt[3", "\\text{", "{", "}", "\\"]) expect(() => formulaWords(tex, TONGUES.en), tex).not.toThrow();
  expect(formulaWords("\\frac{1", TONGUES.en)).toBe("1 over");
});

test("every sign that one language reads, the other reads too", () => {
  expect(Object.keys(TONGUES.vi.signs).sort()).toEqual(Object.keys(TONGUES.en.signs).sort());
  for (const tongue of Object.values(TONGUES)) for (const [sign, words] of Object.entries(tongue.signs)) expect(words, sign).not.toBe("");
});
