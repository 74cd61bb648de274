import { describe, expect, test } from "vitest";
import { beyondPaper, cells, errorsByRow, faultyColumns, inSheet, meaningOf, namesPeople, openQuote, pasted, ROSTER_COLUMNS, sentText, sheetText, undecided, unusedColumns, withCell, withMeaning, withOnly } from "./paste";
import { faultText } from "./faults";
import en from "./texts/en";
import vi from "./texts/vi";

describe("what was pasted", () => {
  test("is cut at tabs, semicolons or commas, with quotes around cells", () => {
    expect(cells("a\tb, c\r\n1\t2\r\n")).toEqual([
      ["a", "b, c"],
      ["1", "2"],
    ]);
    expect(cells('name;note\nAda;"sits; near ""the"" door"')).toEqual([
      ["name", "note"],
      ["Ada", 'sits; near "the" door'],
    ]);
    expect(cells('email,name\n\n"ada@x.test","Ada\nLovelace"')).toEqual([
      ["email", "name"],
      ["ada@x.test", "Ada\nLovelace"],
    ]);
    expect(cells("")).toEqual([]);
  });

  test("has its headings in English or Vietnamese, also under a title", () => {
    const table = pasted("Class 5A\t\nE-mail address\tFull name\tSeat\tShoe size\nada@x.test\tAda\t4\t38\n");
    expect([table.columns, table.rows]).toEqual([["email", "name", "seat", undefined], [["ada@x.test", "Ada", "4", "38"]]]);
    expect(pasted("Mã học sinh\tHọ và tên\tPhòng thi\tĐịa chỉ\n7\tBình\tB12\tHuế").columns).toEqual(["externalId", "name", "room", undefined]);
  });

  test("has the headings that the pages themselves use, and others that people write", () => {
    for (const { columns } of [en, vi]) for (const name of ROSTER_COLUMNS) expect(meaningOf(columns[name])).toBe(name);
    expect(["ID", "Account", "Tài khoản", "Note for proctors", "Thời gian"].map(meaningOf)).toEqual(["externalId", "email", "email", "note", undefined]);
  });

  describe("with more time", () => {
    const more = (...values: string[]) => pasted(["ID\tExtra time", ...values.map((value, index) => `s-${index}\t${value}`)].join("\n"));

    test("is not used until somebody says whether it is percent or minutes", () => {
      const table = more("125", "");
      expect([table.columns, undecided(table), unusedColumns(table)]).toEqual([["externalId", undefined], [{ heading: "Extra time", column: 1 }], 1]);
      expect(sentText(table)).toBe("externalId\ns-0\ns-1\n");
      const percent = withMeaning(table, 1, "factor");
      expect([sentText(percent), undecided(percent), unusedColumns(percent)]).toEqual(["externalId\tfactor\ns-0\t+25 %\ns-1\t\n", [], 0]);
      expect(sentText(withMeaning(percent, 1, "extraMinutes")), "what was typed is read anew").toBe("externalId\textraMinutes\ns-0\t125\ns-1\t\n");
      expect([beyondPaper(withMeaning(table, 1, "extraMinutes"), 45), beyondPaper(percent, 45)]).toEqual([1, 0]);
      expect(more("", "").columns).toEqual(["externalId", undefined]);
    });

    test("is used where all values say what they are, as the server takes them", () => {
      expect(sentText(more("25 %", "+50%", "125 %", "1/3", ""))).toBe("externalId\tfactor\ns-0\t+25 %\ns-1\t+50 %\ns-2\t+25 %\ns-3\t+33 %\ns-4\t\n");
      expect(sentText(more("1/3", "+10 min")), "each cell says what it is").toBe("externalId\tfactor\ns-0\t+33 %\ns-1\t+10 min\n");
      expect(sentText(more("+10 min", "5 phút", "15'"))).toBe("externalId\textraMinutes\ns-0\t10\ns-1\t5\ns-2\t15\n");
      expect([more("100 %"), more("25 %", "10"), more("25")].map(({ columns }) => columns[1])).toEqual([undefined, undefined, undefined]);
      expect(pasted("ID\tTime factor\ns-1\t25\ns-2\t1,25").rows, "what nobody can tell stays to be mended").toEqual([
        ["s-1", "+25 %"],
        ["s-2", "1,25"],
      ]);
    });
  });

  test("without headings has its columns guessed", () => {
    const table = pasted("Ada Lovelace\tada@x.test\tB12\t4\nBo Tran\tbo@x.test\tB12\t5");
    expect([table.headings, table.columns, table.rows.length]).toEqual([undefined, ["name", "email", "room", "seat"], 2]);
    expect(pasted("Ada\nBo").columns).toEqual([undefined]);
    expect(namesPeople(pasted("Ada\nBo"))).toBe(false);
  });

  test("is sent as it is shown: known columns, one row a line", () => {
    const table = pasted('Họ và tên,email,shoe\n"Ada\nLovelace",ada@x.test,38\n"""Bo""",bo@x.test,40');
    expect(sentText(table)).toBe('name\temail\nAda Lovelace\tada@x.test\n"""Bo"""\tbo@x.test\n');
    expect(pasted(sentText(table)).rows).toEqual([
      ["Ada Lovelace", "ada@x.test"],
      ['"Bo"', "bo@x.test"],
    ]);
  });

  test("has no column that the list can't have", () => {
    const table = withOnly(pasted("name\temail\troom\nAda\tada@x.test\tB12"), ["email", "name"]);
    expect([table.columns, unusedColumns(table), sentText(table)]).toEqual([["name", "email", undefined], 1, "name\temail\nAda\tada@x.test\n"]);
  });

  test("keeps its rows where they are in the sheet, also when a cell is mended", () => {
    const table = pasted("Class 5A\n\nemail\tname\tPhone\nada@x.test\tAda\t1\n\nnobody\tBo \"the\" Bo\t2\n");
    expect([table.numbers, table.rows.map(([email]) => email)]).toEqual([[4, 6], ["ada@x.test", "nobody"]]);
    const mended = withCell(table, 1, 0, "bo@x.test");
    expect([mended.numbers, mended.rows[1]]).toEqual([[4, 6], ["bo@x.test", 'Bo "the" Bo', "2"]]);
    const again = pasted(sheetText(mended));
    expect([again.numbers, again.rows, again.headings]).toEqual([mended.numbers, mended.rows, ["email", "name", "Phone"]]);
    expect(inSheet("email a@x.test stands in row 2 already; externalId 7 stands in row 3 already", table)).toBe(
      "email a@x.test stands in row 4 already; externalId 7 stands in row 6 already",
    );
    expect(inSheet("there are too many rooms", table)).toBe("there are too many rooms");
  });

  test("has no quotation mark that is open", () => {
    expect(openQuote('email,name\na@x.test,"Ada\nb@x.test,Bo\n')).toBe(2);
    expect(openQuote('email,name\na@x.test,"Ada\nb@x.test,"Bo"\n')).toBe(2);
    expect(openQuote('email\tname\na@x.test\tA\nb@x.test\t"Bo" the second')).toBe(3);
    for (const text of ['email,name\na@x.test,"Ada ""A""" \n', 'email,name\na@x.test,Ada 5" \n', 'email,name\na@x.test,"Ada\nLovelace"', '""'])
      expect(openQuote(text), text).toBeUndefined();
  });

  test("has the server's sentences beside its rows", () => {
    const errors = errorsByRow([
      "Row 3: email is not an address; factor must be a whole percentage of 100 to 400",
      "Row 12: there are too many rooms",
      "Something else",
    ]);
    expect([...errors.keys()]).toEqual([3, 12, 0]);
    expect(faultyColumns(errors.get(3) as string[])).toEqual(["email", "factor"]);
  });
});

test("what the server says of a row is said in the reader's language, and what is not known as it stands", () => {
  expect(faultText("email is not an address; factor must be a whole percentage of 100 to 400", en)).toBe(
    "E-mail: this is no e-mail address; More time (%): write +25 %, 1/3 or +10 min; 400 % of the usual time at most",
  );
  expect(faultText("externalId s-1 stands in row 4 already", vi)).toBe("Mã học sinh: đã có ở dòng 4");
  for (const sentence of [
    "externalId has lost digits: format the column as text and type it again",
    "seat is a date: format the cell as text and type it again",
    "name has text that is struck out: remove it, or the whole row",
    "factor is a date: format the cell as text and type it again",
    "extraMinutes says again what another column says",
    "extra may be minutes or percent: name the column extraMinutes or factor",
  ])
    expect(faultText(sentence, vi), sentence).not.toContain("the");
  expect(faultText("the moon is full", vi)).toBe("the moon is full");
});
