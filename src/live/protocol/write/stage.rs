//! Writes the frame with which the second stage of an adaptive test begins.

use std::collections::BTreeMap;

use bytestring::ByteString;
use domain::attempt::Attempt;
use domain::band::Band;
use domain::sitting::part::PaperPart;
use serde::Serialize;

use super::frame;
use super::shown_orders::{ShownOrders, shown_orders};
use crate::sittings::entry::sealed_paper::SealedPaper;
use crate::sittings::entry::sealing::PartKeys;

/// The answer to `next`.
#[must_use]
pub fn stage(attempt: &Attempt, paper: Option<&SealedPaper>, seq: u64) -> ByteString {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct StageFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        seq: u64,
        stage: u8,
        band: Option<Band>,
        question_ids: Vec<&'a str>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        option_order: ShownOrders<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        keys: Option<PartKeys>,
    }
    let (stage, band, list) = (attempt.stage(), attempt.band(), attempt.stage_paper());
    let keys = paper.zip(band).map(|(paper, band)| paper.key_of(PaperPart::Second(band)));
    let question_ids = list.iter().map(|question| &*question.id).collect();
    frame(&StageFrame { kind: "stage", seq, stage, band, question_ids, option_order: shown_orders(list), keys })
}
