//! The command `examhall`.

use std::process::ExitCode;

/// One that a C compiler alone builds (docs/decisions/0010-mimalloc.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    examhall::cli::run()
}
