// Who may sit a template, and when its answers are shown, in Vietnamese.

import type { RulesTexts } from "./en";

const number = (count: number) => count.toLocaleString("vi");

const vi: RulesTexts = {
  legend: "Ai được làm bài",
  who: { anyone: "Bất cứ ai có liên kết", "signed-in": "Tất cả những ai đã đăng nhập", classes: "Học sinh của một số lớp" },
  whoHints: {
    anyone: "Không biết người làm bài là ai nên không đếm được số lần làm.",
    "signed-in": "Bằng tài khoản bất kỳ của trường. Mỗi học sinh làm bài dưới tên mình.",
    classes: "Các em đăng nhập và được nhận ra theo địa chỉ email trong danh sách lớp.",
  },
  loadingClasses: "Đang tải danh sách lớp…",
  classesFailed: "Không tải được danh sách lớp. Hãy tải lại trang.",
  noClasses: "Trường chưa có lớp nào.",
  toClasses: "Đến trang các lớp",
  findClasses: "Tìm lớp",
  whichClasses: "Những lớp nào",
  classFacts: (grade, people) => `khối ${grade} · ${number(people)} người`,
  noneFound: "Không có lớp nào tên như vậy.",
  moreClasses: (count) => `Còn ${number(count)} lớp nữa: hãy tìm theo tên.`,
  goneClasses: (count) => `${number(count)} lớp đã chọn không còn nữa nên chưa lưu được đề.`,
  dropGone: "Bỏ các lớp không còn",
  attempts: "Số lần làm",
  attemptsHint: "Từ 1 đến 20 lần cho mỗi tài khoản. Để trống thì các em làm bao nhiêu lần cũng được. Bài đang làm dở được làm tiếp trên bất kỳ máy nào và không bị tính hai lần.",
  opens: "Mở lúc",
  closes: "Đóng lúc",
  windowHint: (zone) => `Theo giờ ở đây (${zone}). Bài đang làm dở kết thúc khi đóng. Để trống thì bài mở ngay, hoặc không bao giờ đóng.`,
  code: "Mã",
  makeCode: "Tạo mã",
  codeHint: "Từ 4 đến 20 chữ cái và chữ số; viết hoa hay viết thường đều được. Hãy đọc mã trong phòng để không ai làm bài ở nơi khác. Để trống thì không hỏi mã.",
  answers: "Học sinh được xem câu nào đúng",
  answersShown: { always: "ngay khi nộp bài", "after-closing": "khi bài đã đóng", never: "không bao giờ" },
  answersHint: "Trước đó báo cáo của các em có điểm, nhưng không có đáp án và lời giải. Nếu hiện ngay, em nộp bài trước có thể nói lại cho các bạn.",
  answersNeedEnd: "Hãy đặt giờ đóng, hoặc chọn lúc khác.",
  practice: "Các câu hỏi của đề",
  practiceKinds: { no: "Không phải câu luyện tập: người khác không xem được đáp án", yes: "Luyện tập: ai cũng đọc được câu hỏi cùng đáp án", unsaid: "Theo cài đặt của máy chủ: chưa ai chọn" },
  keptFromOthers: {
    "until-closed": "Cho đến khi đề đóng, bài luyện tập và bài khác có một câu của đề này không hiện đáp án.",
    always: "Chừng nào đề này còn đó, bài luyện tập và bài khác có một câu của đề không hiện đáp án. Muốn có điểm dừng, hãy đặt giờ đóng và cho hiện đáp án muộn nhất là khi đóng.",
  },
  faults: {
    classes: { none: "Hãy chọn ít nhất một lớp.", many: "Một đề dành cho nhiều nhất 50 lớp." },
    attempts: { range: "Số nguyên từ 1 đến 20, hoặc để trống." },
    window: { time: "Hãy nhập ngày và giờ.", order: "Giờ đóng phải sau giờ mở." },
    code: { form: "Từ 4 đến 20 chữ cái A đến Z và chữ số, không có dấu cách." },
  },

  said: {
    anyone: () => "Bất cứ ai có liên kết đều làm được",
    "signed-in": () => "Ai đã đăng nhập đều làm được",
    classes: (classes) => `Học sinh của ${number(classes)} lớp làm được`,
  },
  saidAlways: "bao nhiêu lần tùy ý",
  saidTimes: (count) => `${number(count)} lần`,
  saidFrom: (from) => `từ ${from}`,
  saidUntil: (until) => `đến ${until}`,
  saidBetween: (from, until) => `từ ${from} đến ${until}`,
  saidCode: "cần mã",
  saidAnswers: { always: "đáp án được hiện ngay khi nộp bài", "after-closing": "đáp án được hiện khi bài đã đóng", never: "đáp án không bao giờ được hiện" },
  saidAnd: ", và ",
  saidPractice: "ai cũng đọc được câu hỏi của đề cùng đáp án",
  keptFor: (start) => `(${start}) đang giữ đề này: liên kết đóng cho đến khi công bố kết quả.`,
  afterwards: (sentence) => `Khi liên kết mở lại: ${sentence}`,
  begunByLink: (count) => `Đã có ${number(count)} lượt làm bài qua liên kết. Ai đã làm thì đã biết đề này.`,

  keepTitle: "Các câu hỏi của đề này",
  keepLead: (count) => `${number(count)} câu. Câu giữ cho kỳ thi không có trong bài luyện tập và kho công khai.`,
  openQuestions: (count) => `${number(count)} câu trong đề là câu luyện tập: ai cũng đọc được câu hỏi cùng đáp án, dù đề được cài đặt thế nào.`,
  keepAll: "Giữ mọi câu của đề cho kỳ thi",
  keepSureTitle: (count) => `Giữ ${number(count)} câu cho kỳ thi?`,
  keepSureLead: "Học sinh không luyện tập được với các câu này nữa, và không liên kết nào cho xem chúng trước khi bài bắt đầu. Thầy cô có thể bỏ giữ trong danh sách câu hỏi: chọn các câu ở đó, hoặc mở từng câu.",
  kept: (count) => `Đã giữ ${number(count)} câu cho kỳ thi.`,
};

export default vi;
