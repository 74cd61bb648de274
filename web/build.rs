//! Builds the pages with npm and Vite, compresses them, and writes the list of files that `src/lib.rs` embeds.
#![allow(clippy::print_stdout, reason = "a build script gives its instructions to cargo this way")]

use std::error::Error;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What the pages are built from. In `src`, only `lib.rs` is not part of them.
const SOURCES: [&str; 14] = [
    "src",
    "public",
    "build.js",
    "reference.html",
    "staff.html",
    "student.html",
    "verify.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "vite.staff.config.ts",
    "vite.verify.config.ts",
    "svelte.config.js",
    "tsconfig.json",
];
/// The variable that names a folder of pages built already, so that npm is not needed.
const BUILT: &str = "WEB_DIST";
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };
const NO_NPM: &str =
    "the pages cannot be built without npm: install Node.js 20.19 or later, or set WEB_DIST to a folder of built pages";
const BROTLI_QUALITY: i32 = 11;
const BROTLI_WINDOW_BITS: i32 = 22;

fn main() {
    if let Err(error) = build() {
        println!("cargo::error={error}");
        std::process::exit(1);
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={BUILT}");
    let output = PathBuf::from(env::var("OUT_DIR")?);
    let pages = match env::var(BUILT).ok().filter(|folder| !folder.is_empty()) {
        Some(folder) => {
            println!("cargo::rerun-if-changed={folder}");
            fs::canonicalize(&folder).map_err(|error| format!("WEB_DIST: {folder} cannot be read: {error}"))?
        }
        None => build_with_npm(&output.join("pages"))?,
    };
    let mut found = Vec::new();
    collect(&pages, &mut found)?;
    found.sort();
    let packed = output.join("packed");
    fs::create_dir_all(&packed)?;
    let mut list = String::from("static FILES: &[File] = &[\n");
    for (index, path) in found.iter().enumerate() {
        list += &entry(&pages, path, &packed.join(index.to_string()))?;
    }
    list += "];\n";
    fs::write(output.join("files.rs"), list)?;
    Ok(())
}

fn build_with_npm(pages: &Path) -> Result<PathBuf, Box<dyn Error>> {
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    if is_older("node_modules/.package-lock.json", "package-lock.json") {
        run(&["ci", "--no-audit", "--no-fund"])?;
    }
    let folder = pages.to_str().ok_or("the build folder has a name that is not text")?;
    run(&["run", "build", "--", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"])?;
    Ok(pages.to_owned())
}

/// Whether npm has installed nothing yet, or something older than the lock file.
fn is_older(installed: &str, lock: &str) -> bool {
    let changed = |path: &str| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    changed(installed).is_none_or(|installed| changed(lock).is_some_and(|lock| lock > installed))
}

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let done = Command::new(NPM).args(arguments).output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => NO_NPM.to_owned(),
        _ => format!("npm cannot be run: {error}"),
    })?;
    if done.status.success() {
        return Ok(());
    }
    io::stderr().write_all(&done.stdout)?;
    io::stderr().write_all(&done.stderr)?;
    Err(format!("npm {} failed; what it said is above", arguments.join(" ")).into())
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, found)? } else { found.push(path) }
    }
    Ok(())
}

/// One line of the list. The compressed forms are written to `packed`, with an extension each.
fn entry(pages: &Path, path: &Path, packed: &Path) -> Result<String, Box<dyn Error>> {
    let plain = fs::read(path)?;
    let relative = path.strip_prefix(pages)?.to_str().ok_or("a page has a name that is not text")?.replace('\\', "/");
    let mut hasher = DefaultHasher::new();
    plain.hash(&mut hasher);
    let gzip = shorter(&plain, in_gzip(&plain)?, &packed.with_extension("gz"))?;
    let brotli = shorter(&plain, in_brotli(&plain)?, &packed.with_extension("br"))?;
    let mut line = String::new();
    write!(line, "File {{ path: {:?}, kind: {:?}, ", format!("/{relative}"), kind(path))?;
    write!(line, "tag: \"{:016x}\", is_immutable: {}, ", hasher.finish(), relative.starts_with("assets/"))?;
    writeln!(line, "plain: include_bytes!({path:?}), gzip: {gzip}, brotli: {brotli} }},")?;
    Ok(line)
}

/// The expression that embeds the compressed form, or `None` if it is not shorter.
fn shorter(plain: &[u8], compressed: Vec<u8>, path: &Path) -> io::Result<String> {
    if compressed.len() >= plain.len() {
        return Ok("None".to_owned());
    }
    fs::write(path, compressed)?;
    Ok(format!("Some(include_bytes!({path:?}))"))
}

fn in_gzip(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain)?;
    encoder.finish()
}

fn in_brotli(mut plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    let parameters =
        brotli::enc::BrotliEncoderParams { quality: BROTLI_QUALITY, lgwin: BROTLI_WINDOW_BITS, ..Default::default() };
    brotli::BrotliCompress(&mut plain, &mut compressed, &parameters)?;
    Ok(compressed)
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
