//! The entry point of the command `examhall`. Everything else is in the library, where tests can reach it.

use std::process::ExitCode;

/// Chosen because it needs only a C compiler to build (docs/decisions/0010-mimalloc.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    use_small_pages();
    examhall::cli::run()
}

/// A seat is made of small pieces. In pages of 2 MiB, which Linux may give to the allocator, a connected student takes
/// twice the memory, and the kernel clears pages that are never used (docs/decisions/0049-small-pages.md).
fn use_small_pages() {
    // A kernel that does not know the request gives what it gives.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}
