"""The verdict on a run of testssl.sh: what it calls wrong, but for what is as it should be, each with its reason."""

import json
import sys

# What is wrong, from the smallest. WARN is something that testssl.sh could not look at.
WRONG = {"WARN", "LOW", "MEDIUM", "HIGH", "CRITICAL", "FATAL"}
OWN_CERTIFICATE = "this run makes its certificate itself"
# Why a finding is accepted, by its name.
ACCEPTED = {
    "cert_chain_of_trust": OWN_CERTIFICATE,
    "cert_revocation": OWN_CERTIFICATE,
    "cert_crlDistributionPoints": OWN_CERTIFICATE,
    "cert_ocspURL": OWN_CERTIFICATE,
    "OCSP_stapling": OWN_CERTIFICATE,
    "DNS_CAArecord": "localhost is in no zone that could have one",
    "engine_problem": "the OpenSSL of this machine is not built for GOST, which the server does not speak",
    "cipher_order": "every cipher suite of the server has forward secrecy and authenticated encryption, so the client may "
    "choose: telephones without AES in their processors choose ChaCha20",
}
# Without these nobody has looked. HSTS_time is there only when HSTS is sent.
LOOKED_AT = {"TLS1_2", "TLS1_3", "SSLv3", "TLS1", "cipher_order", "heartbleed", "HSTS_time"}

with open(sys.argv[1], encoding="utf-8") as file:
    findings = json.load(file)
wrong = 0
for finding in findings:
    name, severity, told = finding["id"].split(" ")[0], finding["severity"], finding["finding"]
    if severity not in WRONG:
        continue
    if name in ACCEPTED:
        print(f"accepted: {severity} {name}: {told}: {ACCEPTED[name]}")
    else:
        wrong += 1
        print(f"FOUND: {severity} {name}: {told}")
missing = LOOKED_AT - {finding["id"].split(" ")[0] for finding in findings}
if missing:
    sys.exit(f"testssl.sh has not looked at {', '.join(sorted(missing))}")
print(f"{len(findings)} findings, {wrong} of them neither mended nor explained")
sys.exit(1 if wrong else 0)
