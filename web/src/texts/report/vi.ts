// What a report says in sentences, and the sheet for parents, in Vietnamese.

import type { ReportTexts } from "./en";

const wereRight = (correct: number, total: number) => (correct === total ? `đúng cả ${total} câu` : `đúng ${correct}/${total} câu`);

export const vi: ReportTexts = {
  inShort: "Tóm tắt",
  you: "Em",
  youInside: "em",
  child: "Em",
  childInside: "em",
  named: (name) => `Em ${name}`,
  namedInside: (name) => `em ${name}`,
  reachedAll: (who, total) => `${who} trả lời đúng ${total === 1 ? "câu hỏi duy nhất" : `cả ${total} câu`}.`,
  reachedSome: (who, correct, total, open) => `${who} trả lời đúng ${correct}/${total} câu${open === 0 ? "" : ` và bỏ trống ${open} câu`}.`,
  reachedNone: (answered) => `Lần này chưa có câu nào đúng trong ${answered} câu đã trả lời.`,
  reachedNothing: (who, total) => `${who} bỏ trống ${total === 1 ? "câu hỏi duy nhất" : `cả ${total} câu`}.`,
  wellTopic: (topic, correct, total) => `Phần làm tốt: ${topic}, ${wereRight(correct, total)}.`,
  wellDifficulty: (level, correct, total) => `Phần làm tốt: các câu ở mức “${level}”, ${wereRight(correct, total)}.`,
  wellSolved: (who, correct, topics) => `Phần làm tốt: ${who} giải đúng ${correct} câu${topics === "" ? "" : `, về ${topics}`}.`,
  wellTried: (who, answered) => `Phần làm tốt: ${who} đã thử sức với ${answered} câu, và mỗi câu cho thấy nên xem lại điều gì.`,
  wellUntried: "Bây giờ vẫn có thể thử làm từng câu mà không lo hết giờ.",
  practiseTopic: (topic, correct, total) => `Phần cần luyện: ${topic}, ${correct === 0 ? `chưa đúng câu nào trong ${total} câu` : wereRight(correct, total)}.`,
  isHint: "Vì chỉ có ít câu nên đây chỉ là một gợi ý.",
  practiseWrong: (count) => `Phần cần luyện: xem lại ${count} câu chưa có câu trả lời đúng.`,
  practiseNothing: "Bài này không còn phần nào phải luyện: lần tới có thể thử một bài khó hơn.",
  forParents: "Phiếu cho phụ huynh",
  parents: "Kính gửi phụ huynh",
  parentsOf: (name) => `Kính gửi phụ huynh em ${name}`,
  student: "Học sinh",
  test: "Bài kiểm tra",
  moreTopics: (count) => `Trong bản kết quả còn ${count} chủ đề nữa.`,
  scoreMeans: "Điểm này có nghĩa gì",
  scoreScale: "Thang điểm từ 200 đến 800: 200 điểm nếu không có câu nào đúng, 800 điểm nếu đúng hết. Câu khó được tính nhiều điểm hơn câu dễ.",
  scoreLimits: "Điểm chỉ nói về bài kiểm tra này, trong ngày hôm đó. Đây không phải điểm học bạ và không dùng để so sánh với các bạn khác.",
  goOn: "Nên làm gì tiếp theo",
  goOnPractise: (topic) => `Mỗi tuần luyện ${topic} vài buổi, mỗi buổi một ít, sẽ tốt hơn là luyện thật nhiều trong một ngày.`,
  goOnGeneral: "Mỗi tuần luyện vài buổi, mỗi buổi vài bài, sẽ tốt hơn là làm thật nhiều trong một ngày.",
  goOnExplain: "Hãy để con giải thích một câu làm tốt và một câu chưa đúng. Trước khi nói đúng hay sai, hãy hỏi con đã tìm ra câu trả lời như thế nào.",
  goOnReport: "Bản kết quả có tất cả các câu, đúng như trong bài kiểm tra:",
  toReport: "Về bản kết quả",
};
