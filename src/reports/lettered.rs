//! What tells copies of a report apart that differ in their letters alone.

use std::collections::BTreeMap;

use domain::form::FormLetter;
use domain::option_order::OptionOrder;

/// What the digest of a report has of its form and of its letters: nothing without any, so that a copy from before
/// there were forms is still the newest.
pub(super) fn lettered(
    form: Option<FormLetter>,
    orders: &BTreeMap<&str, OptionOrder>,
    has_master: bool,
) -> Option<String> {
    let has_any = form.is_some() || !orders.is_empty();
    has_any.then(|| format!("{form:?} {orders:?} {has_master}\0"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_digest_has_letters_where_a_report_has_them() {
        let (plain, moved) = (BTreeMap::new(), BTreeMap::from([("g5-001", OptionOrder::parse("CADB").unwrap())]));
        assert_eq!(lettered(None, &plain, false), None, "as it was before there were forms");
        let form = FormLetter::at(1);
        let different = [(form, &plain, false), (None, &moved, false), (None, &moved, true), (form, &moved, true)];
        let found: BTreeSet<_> =
            different.into_iter().map(|(form, orders, has_master)| lettered(form, orders, has_master)).collect();
        assert!(found.len() == different.len() && !found.contains(&None), "{found:?}");
    }
}
