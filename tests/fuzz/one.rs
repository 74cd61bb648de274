//! One fuzzer: the target whose name is that of the program. All programs are made of this file.
#![no_main]

#[path = "targets.rs"]
mod targets;

use std::panic;
use std::process;

libfuzzer_sys::fuzz_target!(init: watch_panics(), |data: &[u8]| {
    let target = targets::TARGETS.iter().find(|(name, _)| *name == env!("CARGO_BIN_NAME"));
    target.expect("each program is named after a target").1(data);
});

/// A panic within calamine is expected, and ends the reading of a workbook. One of ours is a finding, also where it
/// would be caught like those.
fn watch_panics() {
    panic::set_hook(Box::new(|info| {
        let is_others = |file: &str| file.contains("/registry/") || file.starts_with("/rustc/");
        let is_ours = info.location().is_none_or(|place| !is_others(place.file()));
        if is_ours {
            eprintln!("{info}\n{}", std::backtrace::Backtrace::force_capture());
            process::abort();
        }
    }));
}
