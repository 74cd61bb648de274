//! The order of names. The numbers of letters give none: `Đ` would stand behind `Z`, and `Thu` before `Thị`.

use std::cmp::Ordering;
use std::sync::LazyLock;

use icu_collator::CollatorBorrowed;
use icu_collator::options::CollatorOptions;
use icu_locale_core::locale;

/// The Vietnamese order is the Latin one with more letters, so that it serves other names too. Numbers in a name count
/// as numbers: `Room 2` stands before `Room 10`.
static COLLATOR: LazyLock<Option<CollatorBorrowed<'static>>> =
    LazyLock::new(|| CollatorBorrowed::try_new(locale!("vi-u-kn").into(), CollatorOptions::default()).ok());

/// Which of two names stands first.
#[must_use]
pub fn compare_names(one: &str, other: &str) -> Ordering {
    let by_language = COLLATOR.as_ref().map_or(Ordering::Equal, |collator| collator.compare(one, other));
    by_language.then_with(|| one.cmp(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_the_order_of_their_language() {
        let sorted = [
            "Ada Lovelace",
            "An Nguyễn",
            "Ánh Trần",
            "Ân Lê",
            "Dũng",
            "Đức",
            "Emma",
            "Nguyễn Thị Minh Khai",
            "Nguyễn Thu Hà",
            "Room 2",
            "Room 10",
            "Zoë",
            "Иван",
            "王小明",
        ];
        let mut names = sorted;
        names.reverse();
        names.sort_by(|one, other| compare_names(one, other));
        assert_eq!(names, sorted);
        assert_eq!(compare_names("Đức", "Đức"), Ordering::Equal);
    }
}
