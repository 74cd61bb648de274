//! The sealed paper of a sitting as its candidates need it, made once for all of them: what is sealed, and what of it
//! the candidates of each form get.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::web::Bytes;
use bytestring::ByteString;
use domain::band::Band;
use domain::form::FormLetter;
use domain::option_counts::OptionCounts;
use domain::question::KeyedQuestion;
use domain::sitting::candidate::Candidate;
use domain::sitting::part::{PaperPart, own_form};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::paper::{address, is_address_of};
use super::sealing::PartKeys;
use crate::error::Error;
use crate::store::sealed_parts::SealedPart;
use crate::store::sessions::band_keys_to_text;

/// The paper of a sitting whose doors have opened.
pub struct SealedPaper {
    /// By their letters.
    forms: Vec<FormPaper>,
    /// The keys of all parts.
    keys: PartKeys,
    /// The other parts by band with their keys, as the text that attempts store.
    pub second: Option<Arc<str>>,
    /// The questions of the first parts whose options each attempt shows in an order of its own.
    counts: OptionCounts,
    /// Whether candidates go through their questions in order.
    pub is_in_order: bool,
    sealed: BTreeMap<PaperPart, SealedBytes>,
}

/// What the candidates of one form get.
struct FormPaper {
    letter: FormLetter,
    /// What they are told of its parts. To each of them their first part is called `1`.
    parts: Vec<SealedPartView>,
    /// The questions of the first part.
    first: Vec<Arc<KeyedQuestion>>,
    /// The frame of the last beginning.
    frame: Mutex<Option<(Moment, ByteString)>>,
}

/// A part, and where it is.
struct SealedBytes {
    bytes: Bytes,
    view: SealedPartView,
}

/// Where a sealed part is fetched, and how its bytes are verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SealedPartView {
    /// `1`, or a band such as `80-90`.
    #[schema(value_type = String)]
    pub part: PaperPart,
    pub url: String,
    /// Of the bytes, in hexadecimal digits.
    pub sha256: String,
    pub bytes: usize,
    /// True if the candidates go through its questions in order, from one that they have seen to the next; absent
    /// otherwise. It is for the client to see to it.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_order: Option<bool>,
}

impl SealedPaper {
    pub(super) fn of(
        sitting_id: Uuid,
        keys: PartKeys,
        stored: Vec<SealedPart>,
        is_in_order: bool,
    ) -> Result<Self, Error> {
        let (mut forms, mut bands, mut sealed) = (Vec::new(), Vec::new(), BTreeMap::new());
        let (mut second, mut counts, mut counts_of_second) = (BTreeMap::new(), OptionCounts::default(), Vec::new());
        for stored in stored {
            let (part, url) = (stored.part, address(sitting_id, &stored));
            let (sha256, bytes) = (hexadecimal(&stored.sha256), stored.sealed.len());
            let view = SealedPartView { part, url, sha256, bytes, in_order: is_in_order.then_some(true) };
            match part {
                PaperPart::First(letter) => {
                    let parts = vec![SealedPartView { part: PaperPart::first_of(None), ..view.clone() }];
                    forms.push(FormPaper { letter, parts, first: stored.questions, frame: Mutex::default() });
                    counts.extend(stored.counts);
                }
                PaperPart::Second(band) => {
                    bands.push(view.clone());
                    second.insert(band, stored.questions);
                    counts_of_second.extend(stored.counts);
                }
            }
            sealed.insert(part, SealedBytes { bytes: Bytes::from(stored.sealed), view });
        }
        forms.sort_by_key(|form: &FormPaper| form.letter);
        forms.iter_mut().for_each(|form| form.parts.extend(bands.iter().cloned()));
        let second = if second.is_empty() {
            None
        } else {
            Some(band_keys_to_text(&second, &counts_of_second.into_iter().collect())?.into())
        };
        Ok(Self { forms, keys, second, counts, is_in_order, sealed })
    }

    /// Whether it was sealed with these keys. Each seal has others.
    #[must_use]
    pub fn has_keys(&self, keys: &PartKeys) -> bool {
        self.keys == *keys
    }

    /// Whether both were sealed at the same time.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.has_keys(&other.keys)
    }

    /// The form of a candidate, and the questions that they begin with, as their attempt shows them. `given` is the
    /// form that the attempt has so far.
    #[must_use]
    pub fn first_list(
        &self,
        candidate: &Candidate,
        given: Option<FormLetter>,
        session_id: Uuid,
    ) -> (Option<FormLetter>, Vec<Arc<KeyedQuestion>>) {
        let form = own_form(given, candidate.id, candidate.seat.as_deref(), self.forms.len());
        let list = self.of_form(form).map(|own| own.first.clone()).unwrap_or_default();
        (form, self.counts.shuffled(list, session_id))
    }

    /// How many forms it has.
    #[must_use]
    pub fn form_count(&self) -> usize {
        self.forms.len()
    }

    /// Whether each attempt shows options in an order of its own.
    #[must_use]
    pub fn shuffles(&self) -> bool {
        !self.counts.is_empty()
    }

    /// What candidates of a form are told of its parts.
    #[must_use]
    pub fn parts(&self, form: Option<FormLetter>) -> &[SealedPartView] {
        self.of_form(form).map(|own| &*own.parts).unwrap_or_default()
    }

    /// The frame with which the time of candidates of a form begins at that moment, made once for all of them, of the
    /// keys and the questions that they get.
    pub fn begin_frame(
        &self,
        form: Option<FormLetter>,
        at: Moment,
        make: impl FnOnce(Moment, &PartKeys, &[Arc<KeyedQuestion>]) -> ByteString,
    ) -> Option<ByteString> {
        let own = self.of_form(form)?;
        let mut frame = own.frame.lock().unwrap_or_else(PoisonError::into_inner);
        let made = match &*frame {
            Some((made_for, made)) if *made_for == at => made.clone(),
            _ => frame.insert((at, make(at, &self.keys_until(form, None), &own.first))).1.clone(),
        };
        Some(made)
    }

    /// The bytes of a part, and their hash.
    #[must_use]
    pub fn sealed(&self, part: PaperPart) -> Option<(Bytes, &str)> {
        self.sealed.get(&part).map(|sealed| (sealed.bytes.clone(), &*sealed.view.sha256))
    }

    /// Whether the address of a part ends with that version.
    #[must_use]
    pub fn is_version(&self, part: PaperPart, version: &str) -> bool {
        self.sealed.get(&part).is_some_and(|sealed| is_address_of(&sealed.view.url, version))
    }

    /// A part in the clear.
    #[must_use]
    pub fn opened(&self, part: PaperPart) -> Option<Vec<u8>> {
        self.keys.get(&part)?.open(&self.sealed.get(&part)?.bytes)
    }

    /// The key of one part.
    #[must_use]
    pub fn key_of(&self, part: PaperPart) -> PartKeys {
        self.keys.get(&part).map(|key| (part, key.clone())).into_iter().collect()
    }

    /// The key of the first part of a form, under the name that its candidates know, and that of the band whose part is
    /// open too.
    #[must_use]
    pub fn keys_until(&self, form: Option<FormLetter>, band: Option<Band>) -> PartKeys {
        let first = self.keys.get(&PaperPart::first_of(form)).map(|key| (PaperPart::first_of(None), key.clone()));
        let second = band.map(|band| self.key_of(PaperPart::Second(band))).unwrap_or_default();
        first.into_iter().chain(second).collect()
    }

    /// Nothing for the candidates of a form that the paper does not have, rather than that of others.
    fn of_form(&self, form: Option<FormLetter>) -> Option<&FormPaper> {
        self.forms.iter().find(|paper| paper.letter == form.unwrap_or(FormLetter::A))
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        // A String takes everything.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
