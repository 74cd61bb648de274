import { expect, test } from "vitest";
import { escaped, plainOf, sourceOf } from "./markup";

test("titles are read without tags and entities", () => {
  expect(plainOf("Maths &#038; <em>physics</em> &#8211; grade&nbsp;5 &#x1F600;")).toBe("Maths & physics – grade\u00a05 😀");
  expect(plainOf("&unknown; &#99999999; &#9999999;")).toBe("&unknown; &#99999999; &#9999999;");
  expect(plainOf(escaped("a < b & c > d"))).toBe("a < b & c > d");
});

test("a description of paragraphs is edited without their tags", () => {
  expect(sourceOf("<p>Bring a ruler.<br />\nAnd a pencil.</p>\n<p>&#8220;Good luck&#8221; &#038; <b>sleep</b></p>")).toBe(
    "Bring a ruler.\nAnd a pencil.\n\n“Good luck” & <b>sleep</b>",
  );
  expect(sourceOf("")).toBe("");
  expect(sourceOf("<p>a &lt;b&gt; &#038;lt; c</p>")).toBe("a &lt;b> &#038;lt; c");
});

test("a description with lists stays HTML", () => {
  const html = "<p>Bring</p>\n<ul><li>a ruler</li></ul>";
  expect(sourceOf(html)).toBe(html);
  expect(sourceOf('<p class="x">a</p>')).toBe('<p class="x">a</p>');
});
