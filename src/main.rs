//! The entry point of the command `examhall`. Everything else is in the library, where tests can reach it.

use std::process::ExitCode;

/// Chosen because it needs only a C compiler to build (docs/decisions/0010-mimalloc.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    examhall::cli::run()
}
