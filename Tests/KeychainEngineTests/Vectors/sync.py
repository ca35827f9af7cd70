#!/usr/bin/env python3
"""Computes the names and digests of Vectors/sync.txt from Documentation/Spec alone.

    sync.py > sync.txt
"""
import hashlib
import struct

DATE = 762523200.0


def entry(letters, value):
    if isinstance(value, str):
        tag, body = 1, value.encode()
    elif isinstance(value, bytes):
        tag, body = 2, value
    elif isinstance(value, int):
        tag, body = 3, struct.pack("<q", value)
    else:
        tag, body = 5, struct.pack("<d", value)
    return letters.encode() + bytes([tag]) + struct.pack("<I", len(body)) + body


def canonical(value, is_number):
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    if is_number:
        return b"\xff" + struct.pack("<q", value)
    return struct.pack("<i", value)


PRIMARY = {
    "genp": "acct agrp svce sync",
    "inet": "acct agrp atyp path port ptcl sdmn srvr sync",
    "keys": "agrp atag bsiz esiz kcls klbl sync tkid type",
}
NUMBERS = {"sync", "port", "ptcl", "bsiz", "esiz", "kcls", "type"}


def item(label, kind, protection, attributes, value):
    # A change at the same moment is a thousandth later.
    modified = DATE + 0.001 if value is None else DATE
    attributes = dict(attributes, cdat=DATE, mdat=modified)
    message = b"pkey" + kind.encode()
    for letters in PRIMARY[kind].split():
        present = dict(attributes, sync=1).get(letters, 0 if letters in NUMBERS else "")
        body = canonical(present, letters in NUMBERS)
        message += letters.encode() + struct.pack("<I", len(body)) + body
    entries = b"".join(entry(name, attributes[name]) for name in sorted(attributes))
    head = kind.encode() + bytes([protection, 1 if value is None else 0])
    digest = hashlib.sha256(head + struct.pack(">I", len(entries)) + entries + (value or b""))
    print(f"{label} name: {hashlib.sha256(message).hexdigest()}")
    print(f"{label} attributes: {entries.hex()}")
    print(f"{label} digest: {digest.hexdigest()}")


ADA = {"acct": "ada", "agrp": "TEAM.app", "svce": "mail"}
item("password", "genp", 6, dict(ADA, musr=b""), b"open sesame")
item("tombstone", "genp", 6, ADA, None)
item(
    "web",
    "inet",
    7,
    {
        "acct": "Zoë", "agrp": "TEAM.shared", "atyp": "", "labl": "Ein Schlüssel", "musr": b"",
        "path": "/a", "port": 8443, "ptcl": "htps", "sdmn": "", "srvr": "example.com",
    },
    b"",
)
