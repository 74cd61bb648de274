// Sentences of the server about files of other systems, in the reader's language: why a file or one of its questions is refused,
// and what was left out of one.

import type { ImportTexts } from "./texts/en";

type Fault = keyof ImportTexts["faults"];
type Note = keyof ImportTexts["notes"];

/** Each kind of sentence, with the parts that are repeated. */
const FAULTS: [RegExp, Fault][] = [
  // Whole files.
  [/^Line (\d+): the XML is damaged$/, "damaged"],
  [/^Line (\d+): the file ends within an element/, "cutOff"],
  [/^Line (\d+): the XML is nested too deeply$/, "tooDeep"],
  [/^Line (\d+): an element has too many parts$/, "manyParts"],
  [/^(?:Line|Row) (\d+): a letter is not in UTF-8/, "brokenLetter"],
  [/^The encoding of the text is not known/, "unknownEncoding"],
  [/^The encoding (.+) is not known: save/, "otherEncoding"],
  [/^A letter is not in (.+): save the file as UTF-8$/, "wrongLetter"],
  [/^The file has no questions in a format that is known: it is XML of "(.*)"$/, "unknownXml"],
  [/^The file has no questions$/, "noQuestions"],
  [/^The file has no questions in itself, but names/, "namesOthers"],
  [/^The file has more than ([\d,]+) questions$/, "manyQuestions"],
  [/^The (?:file|workbook) is too large when unpacked$/, "largeUnpacked"],
  [/^The zip has more than ([\d,]+) files$/, "manyFiles"],
  [/^The zip has the file (.+) twice$/, "fileTwice"],
  [/^The (?:zip|workbook) is protected by a password/, "protectedFile"],
  [/^The zip holds a link: (.+)$/, "link"],
  [/^The zip has a file outside of its folder: (.+)$/, "outsideFile"],
  [/^The zip is damaged at (.+): download it once more$/, "damagedFile"],
  [/^The zip is damaged: download/, "damagedZip"],
  [/^The zip has no questions, but holds another one: import (.+) by itself$/, "nestedZip"],
  [/^(\S+) can't be read: (.+)$/, "brokenManifest"],
  [/^it is no manifest$/, "noManifest"],
  [/^it names more than ([\d,]+) files$/, "manyNamed"],
  [/^Not a spreadsheet workbook$/, "noWorkbook"],
  [/^(.+) is not read: save it as \.xlsx$/, "otherSpreadsheet"],
  [/^The sheet has more than ([\d,]+) rows$/, "manyRows"],
  [/^The sheet has more than ([\d,]+) columns$/, "manyColumns"],
  [/^The workbook has more than ([\d,]+) sheets and none is called (.+)$/, "manySheets"],
  [/^Missing columns: (.+)$/, "missingColumns"],
  [/^Column (.+) is not known: did you mean (.+)\?$/, "unclearColumn"],
  [/^Row (\d+): a quotation mark is opened and not closed$/, "openQuote"],
  [/^Column (.+) stands twice$/, "columnTwice"],
  // Questions of any format.
  [/^it has several tags (.+)$/, "tagTwice"],
  [/^tag (.+): (.+)$/, "tag"],
  [/^the (\w+) has a picture: only/, "pictureElsewhere"],
  [/^the picture has an address that is not kept/, "pictureAddress"],
  [/^its text is too long or nested too deeply$/, "longText"],
  [/^the entity &(.+); is not expanded$/, "entity"],
  [/^it has a mark that is not closed/, "openMark"],
  [/^fixedOptions must be yes or no$/, "fixedOptions"],
  [/^Question is retired$/, "retired"],
  [/^(\w+) is not stored here$/, "notStored"],
  // Aiken.
  [/^line (\d+) is neither an option/, "strayLine"],
  [/^no line ANSWER: follows it$/, "noAnswer"],
  [/^its options are not A, B, C, D in their order: (.+)$/, "optionOrder"],
  [/^ANSWER: must be followed by one letter$/, "answerLetter"],
  [/^ANSWER: (\w+) names no option$/, "answerWithoutOption"],
  // GIFT.
  [/^a brace is opened and not closed/, "openBrace"],
  [/^\\(\w+) is a line break and "(\w*)" in GIFT/, "lineBreak"],
  [/^a brace of a formula is not escaped/, "formulaBrace"],
  [/^an = within an option begins another one/, "equalsSign"],
  [/^(.+) is no range of numbers$/, "noRange"],
  // Moodle XML.
  [/^an answer has a fraction that is no number$/, "fraction"],
  // QTI.
  [/^it has no item body$/, "noBody"],
  [/^it shows nothing$/, "noBody"],
  [/^it is adaptive$/, "adaptive"],
  [/^a template makes its values anew/, "template"],
  [/^a part of it is in another file \(XInclude\)$/, "include"],
  [/^it asks for no answer$/, "asksNothing"],
  [/^it asks for (\d+) answers, but a question has one$/, "asksSeveral"],
  [/^it does not declare its answer$/, "undeclared"],
  [/^its response processing is not known: (.+)$/, "processing"],
  [/^several options give points$/, "severalPoints"],
  [/^options without points of their own give points$/, "usualPoints"],
  [/^the option that gives points is not its right answer$/, "otherPoints"],
  [/^two of its options have the same identifier/, "sameIdentifiers"],
  [/^its right answer is none of its options$/, "keyMissing"],
  [/^more than (\d+) texts in other files stand before it$/, "manyStimuli"],
  [/^an object in it is no picture$/, "otherObject"],
  [/^the text that stands before it is missing: (.*)$/, "stimulusMissing"],
  [/^the text that stands before it is empty: (.*)$/, "stimulusEmpty"],
  [/^the text that stands before it can't be read: (.+)$/, "stimulusBroken"],
  [/^a text of it is in another file$/, "textElsewhere"],
  [/^a text of it is in (.+), which is not read$/, "textType"],
  [/^its response processing compares the answer with more than one/, "severalNumbers"],
  [/^its tolerance is not the same on both sides/, "unevenTolerance"],
  [/^any answer gives points$/, "anyAnswer"],
  [/^it gives points for what is not typed$/, "notTyped"],
  [/^its range has no numbers$/, "emptyRange"],
  [/^its range is not around its answer$/, "offRange"],
  [/^it has several ranges of numbers$/, "severalRanges"],
  [/^the manifest names it, but it is not in the package$/, "notPacked"],
  [/^the manifest says that it has questions, but it is not QTI$/, "notQti"],
];

const NOTES: [RegExp, Note][] = [
  [/^(\d+) marks of bold, italic or the like are left out$/, "emphasis"],
  [/^(\d+) passages lose their colour$/, "colours"],
  [/^(\d+) underlined passages are too long for a line/, "lines"],
  [/^points are not taken off here: (\d+) penalties become 0$/, "penalties"],
  [/^feedback to (\d+) options is left out$/, "optionFeedback"],
  [/^feedback to wrong answers is left out$/, "wrongFeedback"],
  [/^feedback that no option shows is left out: (\d+)$/, "hiddenFeedback"],
  [/^feedback is left out (\d+) times, which neither/, "hiddenFeedback"],
  [/^feedback is left out: (.+)$/, "feedback"],
  [/^tags are left out: (.+)$/, "tags"],
  [/^the picture has no description/, "noDescription"],
  [/^hints are left out(?:: (\d+))?$/, "hints"],
  [/^its Markdown is read as plain text$/, "markdown"],
  [/^other units are left out$/, "units"],
  [/^rubrics that are not for students are left out: (\d+)$/, "rubrics"],
  [/^notes that open on demand are left out: (\d+)$/, "folded"],
];

/** The last part of these is a sentence of its own. */
const WITHIN: (Fault | Note)[] = ["brokenManifest", "stimulusBroken", "feedback", "tag"];

/** Words within sentences, such as those for what can't be shown, in the reader's language. */
export function thingText(thing: string, texts: ImportTexts): string {
  return (texts.things as Record<string, string>)[thing] ?? thing;
}

/** A sentence about a file or a question; undefined if its kind is not known here. `inner` says a sentence within it. */
export function faultOf(sentence: string, texts: ImportTexts, inner: (sentence: string) => string): string | undefined {
  return told(sentence, FAULTS, texts.faults, inner);
}

/** A sentence about what was left out, likewise. */
export function noteOf(sentence: string, texts: ImportTexts, inner: (sentence: string) => string): string | undefined {
  return told(sentence, NOTES, texts.notes, inner);
}

type Say = (one: string, other: string) => string;

function told<Kind extends Fault | Note>(
  sentence: string,
  kinds: [RegExp, Kind][],
  texts: Record<Kind, Say>,
  inner: (sentence: string) => string,
): string | undefined {
  for (const [pattern, kind] of kinds) {
    const parts = pattern.exec(sentence)?.slice(1);
    if (parts === undefined) continue;
    const last = parts.length - 1;
    const [one = "", other = ""] = parts.map((part, place) => (place === last && WITHIN.includes(kind) ? inner(part) : (part ?? "")));
    return texts[kind](one, other);
  }
  return undefined;
}

/** The sentences of one question, which stand in a row: a reference such as `&lt;` ends none. */
export function sentencesIn(joined: string): string[] {
  const found: string[] = [];
  for (const part of joined.split("; ")) {
    const last = found.at(-1);
    if (last !== undefined && /&\w+$/.test(last)) found[found.length - 1] = `${last}; ${part}`;
    else found.push(part);
  }
  return found;
}
