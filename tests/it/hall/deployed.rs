//! The proxies' files in `deploy/`, with a test's own addresses and certificate.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A file of `deploy/`, with each of these texts replaced. A text that is not there has been changed in the file, and
/// would leave the test without what it is about.
pub fn deployed(name: &str, replaced: &[(&str, &str)]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name);
    let mut text = fs::read_to_string(path).unwrap();
    for (from, to) in replaced {
        assert!(text.contains(from), "deploy/{name} has no {from:?}");
        text = text.replace(from, to);
    }
    text
}

/// Makes a certificate and its key in a folder, as `exam.key`, `exam.crt` and, both in one, `exam.pem`.
pub fn make_certificate(folder: &Path) {
    let (key, certificate) = (folder.join("exam.key"), folder.join("exam.crt"));
    let mut command = Command::new("openssl");
    command.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=exam.school.example"]);
    let made = command.arg("-keyout").arg(&key).arg("-out").arg(&certificate).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    fs::write(folder.join("exam.pem"), [fs::read(certificate).unwrap(), fs::read(key).unwrap()].concat()).unwrap();
}
