//! Writes the answer to `receipt`.

use bytestring::ByteString;
use domain::time::moment::Moment;
use serde::Serialize;

use super::frame;

/// A receipt of what is saved: `seq` and `at` are those that it says.
#[must_use]
pub fn receipt(jws: &str, seq: u64, at: Moment) -> ByteString {
    #[derive(Serialize)]
    struct ReceiptFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        receipt: &'a str,
        seq: u64,
        at: Moment,
    }
    frame(&ReceiptFrame { kind: "receipt", receipt: jws, seq, at })
}
