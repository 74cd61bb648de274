// What is said of a test that is over, in Vietnamese.

import type { ReportTexts } from "./en";

const wereRight = (correct: number, total: number) => (correct === total ? `đúng cả ${total} câu` : `đúng ${correct}/${total} câu`);

const vi: ReportTexts = {
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
  endAnswered: (answered, total) => (total === null ? `${answered} câu đã có câu trả lời.` : `Em đã trả lời ${answered}/${total} câu.`),
  endStored: (time) => `Đã lưu trên máy chủ lúc ${time}.`,
  endEnded: (time) => `Kết thúc: ${time}. Đã lưu trên máy chủ.`,
  endBy: { student: "Bài kết thúc khi em nộp.", deadline: "Bài kết thúc vì đã hết thời gian.", proctor: "Bài kết thúc vì thầy cô đã dừng bài." },
  endNext: { loading: "Kết quả đang được tải về.", loaded: "Kết quả ở ngay bên dưới.", held: "Tiếp theo, thầy cô sẽ công bố kết quả. Em có thể đóng trang này và quay lại sau." },
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
  withheld: (count, until) =>
    `Bản kết quả này chưa đầy đủ: một lớp khác còn phải làm ${count} câu trong bài này. ${until === "" ? "Nội dung các câu đó sẽ hiện ở đây khi kết quả của lớp đó được công bố" : `Nội dung các câu đó sẽ hiện ở đây vào ${until}, hoặc sau đó ít lâu`}. Cho đến lúc đó, bản này chưa cho biết câu nào đúng, câu nào sai.`,
  changed: (reason, before) => `Kết quả này đã được thay đổi${reason}. Điểm trước đó là ${before}.`,
  changedBecause: {
    submitted: "",
    late_work: " vì phần bài gửi đến sau khi hết giờ đã được chấp nhận",
    reopened: " vì bài được mở lại và làm tiếp sau khi đã kết thúc",
    key_corrected: " vì đáp án của một câu hỏi đã được sửa",
    reverted: " vì một thay đổi trước đó đã được hủy",
  },
  textLater: "Nội dung câu này chưa được hiện.",
  textChanged: "Đây là câu hỏi đúng như lúc làm bài. Sau đó câu này đã được sửa.",
  textRemoved: "Đây là câu hỏi đúng như lúc làm bài. Nay câu này không còn được dùng.",
  textReplaced: "Câu này đã được sửa sau bài kiểm tra, và nội dung lúc làm bài không được lưu. Dưới đây là nội dung hiện nay.",
};

export default vi;
