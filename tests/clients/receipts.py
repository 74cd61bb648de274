"""Receipts in jwcrypto: those of a folder are verified, and refused when they are altered."""

import sys
from pathlib import Path

from jwcrypto import jwk, jws

FOLDER, COUNT = Path(sys.argv[1]), int(sys.argv[2])
keys = jwk.JWKSet.from_json((FOLDER / "jwks.json").read_text())


def is_signed(path):
    token = jws.JWS()
    token.allowed_algs = ["EdDSA"]
    token.deserialize(path.read_text())
    try:
        token.verify(keys.get_key(token.jose_header["kid"]))
    except jws.InvalidJWSSignature:
        return False
    return True


verified = sum(is_signed(FOLDER / f"{index}.jwt") for index in range(COUNT))
refused = sum(not is_signed(FOLDER / f"altered-{index}.jwt") for index in range(COUNT))
print(f"{verified} verified, {refused} refused")
