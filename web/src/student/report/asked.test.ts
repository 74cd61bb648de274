import { expect, test } from "vitest";
import type { Question } from "../../exam/question";
import en from "../../texts/report/en";
import vi from "../../texts/report/vi";
import { paperOf } from "./asked";

const question = (id: string): Question => ({ id, grade: 5, topic: "Shapes", subtopic: "", difficulty: 1, question: "How many?", options: ["five", "six"] });

test("each question has its state, and what is withheld is known", () => {
  const questions = ["a", "b", "c", "d"].map(question);
  const paper = paperOf({ questions, changed: ["b"], removed: ["c"], replaced: ["d"], withheld: { count: 2, until: null }, keptAnswers: { until: null } });
  expect(["a", "b", "c", "d"].map((id) => paper.states.get(id))).toEqual([undefined, "changed", "removed", "replaced"]);
  expect([paper.withheld, paper.kept]).toEqual([{ count: 2, until: null }, { until: null }]);
  expect([...paper.questions.keys()]).toEqual(["a", "b", "c", "d"]);
});

test("a server that says nothing about the texts is understood", () => {
  const paper = paperOf({ questions: [question("a")] });
  expect([paper.states.size, paper.withheld, paper.kept]).toEqual([0, undefined, undefined]);
});

test("a report that is not whole says when it will be, in both languages", () => {
  expect(en.withheld(1, "")).toContain("one of these questions. It shows its text as soon as the results of that class are released.");
  expect(en.withheld(3, "5 May 2026, 10:00")).toContain("3 of these questions. It shows their texts on 5 May 2026, 10:00, or soon after.");
  expect(vi.withheld(3, "")).toContain("khi kết quả của lớp đó được công bố");
  expect(vi.withheld(3, "10:00 5 tháng 5")).toContain("sẽ hiện ở đây vào 10:00 5 tháng 5, hoặc sau đó ít lâu");
});
