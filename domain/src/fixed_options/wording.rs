//! What an option says that speaks of other options, in English and in Vietnamese. It is looked for in two ways: by
//! phrases that mean nothing else in any sentence, and by options that consist of such words alone.

use std::collections::BTreeSet;

use super::LETTERS;
use crate::text::same::seen;

/// What an option says when it speaks of all others, or of none of them.
const OF_ALL_OTHERS: &[&str] = &[
    "of the above",
    "all the above",
    "all of these",
    "all of them",
    "all are correct",
    "all are wrong",
    "none of these",
    "none of them",
    "none of the other",
    "none of the answers",
    "none of the options",
    "none of the choices",
    "both of these",
    "neither of these",
    "tất cả các đáp án",
    "tất cả đáp án",
    "tất cả các phương án",
    "tất cả phương án",
    "tất cả các câu",
    "tất cả các ý",
    "tất cả đều",
    "các đáp án trên",
    "các phương án trên",
    "các câu trên",
    "các ý trên",
    "không có đáp án",
    "không có phương án",
    "đáp án khác",
    "phương án khác",
    "kết quả khác",
    "đáp số khác",
    "câu trả lời khác",
];
/// The same of whole options, whose words occur in others with another meaning.
const OF_OTHERS_ALONE: &[&str] = &[
    "all",
    "both",
    "neither",
    "none",
    "another answer",
    "a different answer",
    "something else",
    "cả hai",
    "cả ba",
    "cả bốn",
    "tất cả",
    "đúng hết",
    "sai hết",
];
/// The letters by which options name each other, as some write them.
const SMALL_LETTERS: &str = "a b c d";
/// Words between letters by which options name each other.
const JOINED: &str = "and or nor và hoặc lẫn với";
/// Words that make an option of a single letter speak of another option.
const NAMED: &str = "only option answer options answers choice choices except but chỉ trừ đáp phương án câu ý";
/// Other words of an option that names options. One with any other word speaks of something else, such as of points.
const BESIDE: &str = "both either neither all not of the is are correct right wrong incorrect true false cả hai ba \
    bốn 2 3 4 các tất đều cùng đúng sai có không phải là được nhưng còn trên này đó kết quả lựa \
    chọn trả lời";

/// English words that say of how many of the options an option speaks.
const COUNTED: &str = "all none both neither either any each every no more";
/// English words by which it speaks of them.
const ABOUT: &str = "above below these those them others following answer answers option options choice choices \
    statement statements alternative alternatives response responses correct right true wrong \
    incorrect false apply applies";
/// Other words of such an English option.
const FILLED: &str = "of the one two three four at least than only not nor and or is are was were can could may be \
    other rest remaining given listed mentioned previous preceding possible";

/// Vietnamese words that speak of all options.
const ALL_OF: &str = "cả mọi đều toàn hết";
/// Vietnamese words that say of how many options an option speaks.
const SOME_OF: &str = "một hai ba bốn 2 3 4 các những";
/// The first words of a Vietnamese option that speaks of none of the others.
const NONE_OF: &str = "không chẳng chả";
/// The last words of what Vietnamese calls an option.
const NOUNS: &str = "án câu ý quả chọn lời đề định biểu hợp điều";
/// Vietnamese words by which an option refers to others, or judges them.
const REFERRED: &str = "trên này đó kia lại nêu kể đúng sai xác";
/// Other words of such a Vietnamese option.
const BETWEEN: &str = "tất bộ có nào trong số đáp phương kết lựa trả mệnh khẳng nhận phát trường ở phía bên vừa đã \
    cho là được chính và khác còn";

/// Returns whether an option speaks of others.
pub(super) fn speaks_of_others(option: &str) -> bool {
    let option = without_commands(&seen(option));
    let option = without_label(&option);
    let lower = option.to_lowercase();
    let plain = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
    let words = words_of(plain);
    OF_ALL_OTHERS.iter().any(|phrase| plain.contains(phrase))
        || OF_OTHERS_ALONE.contains(&plain)
        || is_english(&words)
        || is_vietnamese(&words)
        || names_others(option)
}

/// The text with blanks in place of commands of formulas, such as `\text`.
fn without_commands(option: &str) -> String {
    let mut parts = option.split('\\');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push(' ');
        plain.push_str(part.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()));
    }
    plain
}

/// The option without the letter that some files have before it.
fn without_label(option: &str) -> &str {
    let behind = option.strip_prefix(['A', 'B', 'C', 'D', 'a', 'b', 'c', 'd']);
    let behind = behind.and_then(|rest| rest.strip_prefix(['.', ')', ':'])).and_then(|rest| rest.strip_prefix(' '));
    behind.unwrap_or(option)
}

fn words_of(option: &str) -> Vec<&str> {
    option.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

fn has(words: &[&str], list: &str) -> bool {
    words.iter().any(|word| is_in(list, word))
}

fn are_all_of(words: &[&str], lists: &[&str]) -> bool {
    words.iter().all(|word| lists.iter().any(|list| is_in(list, word)))
}

/// Such as *All three answers are correct*, *None is right*, *More than one of these*.
fn is_english(words: &[&str]) -> bool {
    let is_counted = has(words, COUNTED) && has(words, ABOUT);
    let is_of_them = has(words, "of") && has(words, "these those them");
    // Alone it says where something is.
    let is_above = words.len() > 1 && has(words, "above");
    (is_counted || is_of_them || is_above) && are_all_of(words, &[COUNTED, ABOUT, FILLED])
}

/// Such as *Cả ba đáp án trên*, *Không có câu nào đúng*, *Tất cả đều sai*, *Hai ý trên*.
fn is_vietnamese(words: &[&str]) -> bool {
    let (is_noun, is_referred) = (has(words, NOUNS), has(words, REFERRED));
    let is_none = words.first().is_some_and(|first| is_in(NONE_OF, first)) && has(words, "nào cả");
    let is_of_all = (has(words, ALL_OF) || is_none) && (is_noun || is_referred);
    let is_of_some = has(words, SOME_OF) && is_noun && is_referred;
    let is_other = has(words, "khác lại") && is_noun;
    (is_of_all || is_of_some || is_other) && are_all_of(words, &[ALL_OF, SOME_OF, NONE_OF, NOUNS, REFERRED, BETWEEN])
}

/// Returns whether the option names others by their letters: capitals, or small ones where nothing else can be meant,
/// since `a` is also a word, and all of them are variables.
fn names_others(option: &str) -> bool {
    let words = words_of(option);
    let are_capitals = words.iter().any(|word| LETTERS.contains(word));
    let is_letter = |word: &str| if are_capitals { LETTERS.contains(&word) } else { is_in(SMALL_LETTERS, word) };
    let lower: Vec<String> = words.iter().filter(|word| !is_letter(word)).map(|word| word.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let named: BTreeSet<&str> = words.iter().copied().filter(|word| is_letter(word)).collect();
    let is_joined = has(&lower, JOINED) || has(&lower, NAMED) || option.contains(['&', ',', ';', '/']);
    let are_named = match named.len() {
        0 => false,
        1 if are_capitals => has(&lower, NAMED),
        1 => is_behind_name(&words),
        _ => is_joined && (are_capitals || !lower.is_empty()),
    };
    are_named && are_all_of(&lower, &[JOINED, NAMED, BESIDE])
}

/// Returns whether a small letter is behind a word for options, as in `câu a`: `a correct answer` names none.
fn is_behind_name(words: &[&str]) -> bool {
    let behind = words.iter().skip(1);
    words.iter().zip(behind).any(|(name, letter)| is_in(SMALL_LETTERS, letter) && is_in(NAMED, &name.to_lowercase()))
}
