//! Writes what the parts of a report are into its PDF file, where printpdf has no words for it: the tree of elements,
//! the language, and which marks on which page belong to which element.

use std::collections::BTreeMap;

use lopdf::StringFormat::Hexadecimal;
use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::reports::layout::structure::{Element, ElementIndex, PartRole};

/// The marked parts of a page: by their numbers, the elements that they belong to; and the elements of its links.
#[derive(Default)]
pub(super) struct PageParts {
    pub marked: Vec<ElementIndex>,
    pub links: Vec<ElementIndex>,
}

/// Adds the tree. `None` if the file has no catalog or lacks a page.
pub(super) fn tag(file: &mut Document, elements: &[Element], pages: &[PageParts]) -> Option<()> {
    let page_ids: Vec<ObjectId> = file.get_pages().into_values().collect();
    let tree = file.new_object_id();
    let ids: Vec<ObjectId> = elements.iter().map(|_| file.new_object_id()).collect();
    let mut kids: BTreeMap<ElementIndex, Vec<Object>> = BTreeMap::new();
    // Readers search the keys by bisection, and those of links come after those of all pages.
    let mut parents: BTreeMap<i64, Object> = BTreeMap::new();
    let mut next_key = i64::try_from(pages.len()).ok()?;
    for (key, (parts, page)) in (0_i64..).zip(pages.iter().zip(&page_ids)) {
        let of_page: Option<Vec<Object>> =
            parts.marked.iter().map(|element| Some((*ids.get(*element)?).into())).collect();
        parents.insert(key, Object::Array(of_page?));
        for (number, element) in (0_i64..).zip(&parts.marked) {
            let piece = dictionary([("Type", "MCR".into()), ("Pg", (*page).into()), ("MCID", number.into())]);
            kids.entry(*element).or_default().push(piece.into());
        }
        let links = links_of(file, *page)?;
        for (element, link) in parts.links.iter().zip(links) {
            file.get_object_mut(link).and_then(Object::as_dict_mut).ok()?.set("StructParent", next_key);
            parents.insert(next_key, (*ids.get(*element)?).into());
            next_key += 1;
            let piece = dictionary([("Type", "OBJR".into()), ("Pg", (*page).into()), ("Obj", link.into())]);
            kids.entry(*element).or_default().push(piece.into());
        }
        let page = file.get_object_mut(*page).and_then(Object::as_dict_mut).ok()?;
        page.set("StructParents", key);
        page.set("Tabs", "S");
    }
    let mut children: BTreeMap<ElementIndex, Vec<Object>> = BTreeMap::new();
    for (element, id) in elements.iter().zip(&ids) {
        if let Some(parent) = element.parent {
            children.entry(parent).or_default().push((*id).into());
        }
    }
    for (index, (element, id)) in elements.iter().zip(&ids).enumerate() {
        let parent = element.parent.and_then(|parent| ids.get(parent)).copied().unwrap_or(tree);
        // An element has either marks or parts.
        let of_element = [kids.remove(&index), children.remove(&index)].into_iter().flatten().flatten().collect();
        file.set_object(*id, describe(element, parent, of_element));
    }
    let parents = parents.into_iter().flat_map(|(key, parent)| [key.into(), parent]).collect();
    let nums = dictionary([("Nums", Object::Array(parents))]);
    let nums = file.add_object(nums);
    let document = (*ids.first()?).into();
    let root = dictionary([("Type", "StructTreeRoot".into()), ("K", document), ("ParentTree", nums.into())]);
    file.set_object(tree, root);
    let catalog = file.catalog_mut().ok()?;
    catalog.set("StructTreeRoot", tree);
    catalog.set("MarkInfo", dictionary([("Marked", true.into())]));
    Some(())
}

fn describe(element: &Element, parent: ObjectId, kids: Vec<Object>) -> Dictionary {
    let mut described = dictionary([
        ("Type", "StructElem".into()),
        ("S", element.role.name().into()),
        ("P", parent.into()),
        ("K", Object::Array(kids)),
    ]);
    let of_table = |name: &str, value: Object| dictionary([("O", "Table".into()), (name, value)]);
    match &element.role {
        PartRole::Figure(words) => described.set("Alt", text(words)),
        PartRole::HeaderCell => described.set("A", of_table("Scope", "Column".into())),
        PartRole::Cell(columns) if *columns > 1 => described.set("A", of_table("ColSpan", i64::from(*columns).into())),
        _ => {}
    }
    described
}

/// The links of a page as objects of their own, which elements can refer to.
fn links_of(file: &mut Document, page: ObjectId) -> Option<Vec<ObjectId>> {
    let annotations = file.get_dictionary(page).ok()?.get(b"Annots").ok().cloned();
    let (list, holder) = match annotations {
        None => return Some(Vec::new()),
        Some(Object::Reference(id)) => (file.get_object(id).and_then(Object::as_array).ok()?.clone(), Some(id)),
        Some(list) => (list.as_array().ok()?.clone(), None),
    };
    let mut links = Vec::new();
    for annotation in list {
        links.push(match annotation {
            Object::Reference(id) => id,
            direct => file.add_object(direct),
        });
    }
    let list = Object::Array(links.iter().map(|link| (*link).into()).collect());
    match holder {
        Some(id) => file.set_object(id, list),
        None => file.get_object_mut(page).and_then(Object::as_dict_mut).ok()?.set("Annots", list),
    }
    Some(links)
}

fn dictionary<const N: usize>(entries: [(&str, Object); N]) -> Dictionary {
    Dictionary::from_iter(entries)
}

/// A text in UTF-16, which every reader understands.
fn text(text: &str) -> Object {
    let bytes = [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes));
    Object::String(bytes.collect(), Hexadecimal)
}
