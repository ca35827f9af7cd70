#!/usr/bin/env python3
"""Writes the Swift sources of all statuses from statuses.tsv.

    Tools/Statuses/generate.py            write the sources
    Tools/Statuses/generate.py --check    compare them with the table and change nothing
    Tools/Statuses/generate.py --check FILE    compare them with another table

Each group of the table becomes two files: the rows that the engine and the command read
(KeychainModel), and the public constants with the names of Apple's SecBase.h (KeychainServices).
The internal group has no public constants. The column "older name" holds a second name for the
same code and says whether it is deprecated or misspelled in Apple's header.

Exit status: 0 if the sources are in step, 1 if --check found a difference, 2 for a wrong table.
"""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(HERE, "statuses.tsv")
COLUMNS = ["group", "code", "name", "sentence", "older name"]
NOTE = "// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead."
LINE_LIMIT = 100

# What each group is about.
GROUPS = {
    "keychain": "The codes of keychain items, keychain files, import and export.",
    "trust": "The codes of certificate, revocation and account checks.",
    "module": "The codes of cryptographic modules, handles and keys.",
    "context": "The codes of attributes that a cryptographic context lacks or cannot use.",
    "policy": "The codes of trust policies, data stores and time stamps.",
    "internal": "Codes of Apple's own use, seen in logs and never in the public headers.",
}
OLDER = {"deprecated": "older name", "misspelled": "older, misspelled name"}


def fail(number, reason):
    print(f"statuses.tsv:{number}: {reason}", file=sys.stderr)
    sys.exit(2)


def rows(path):
    """The rows of a table by group; a table that is not whole ends the program."""
    found = {group: [] for group in GROUPS}
    seen = {"code": set(), "name": set(), "sentence": set()}
    with open(path, encoding="utf-8") as table:
        lines = table.read().split("\n")
    if lines[0].split("\t") != COLUMNS:
        fail(1, f"the columns are {', '.join(COLUMNS)}")
    for number, line in enumerate(lines[1:], 2):
        if not line and number == len(lines):
            break
        fields = line.split("\t")
        if len(fields) != len(COLUMNS):
            fail(number, f"a row has {len(COLUMNS)} fields, this one has {len(fields)}")
        row = dict(zip(COLUMNS, fields))
        if row["group"] not in found:
            fail(number, f"there is no group {row['group']}")
        if not row["code"].lstrip("-").isdigit() or not row["name"].isidentifier():
            fail(number, "the code is a whole number, the name an identifier")
        if '"' in row["sentence"] or "\\" in row["sentence"] or not row["sentence"].endswith("."):
            fail(number, "the sentence ends with a full stop and has no quotation mark")
        kind = row["older name"].split(" ")[0]
        if row["older name"] and kind not in OLDER:
            fail(number, f"an older name is one of: {', '.join(OLDER)}")
        for column, values in seen.items():
            if row[column] in values:
                fail(number, f"another row has the {column} {row[column]}")
            values.add(row[column])
        found[row["group"]].append(row)
    return found


def entry(row):
    """One row of the engine's table, on one line where it fits."""
    fields = [row["code"], f'"{row["name"]}"', f'"{row["sentence"]}"']
    line = f"        .init({', '.join(fields)}),"
    if len(line) <= LINE_LIMIT:
        return line
    inner = ",\n".join(f"            {field}" for field in fields)
    return f"        .init(\n{inner}\n        ),"


def model(group, entries):
    lines = "\n".join(entry(row) for row in entries)
    return (
        f"{NOTE}\n\nextension SecurityStatus {{\n    /// {GROUPS[group]}\n"
        f"    static let {group}Rows: [Entry] = [\n{lines}\n    ]\n}}\n"
    )


def constants(row):
    code = row["code"]
    text = f"/// {row['sentence']}\npublic let errSec{row['name']}: OSStatus = {code}\n"
    if not row["older name"]:
        return text
    kind, name = row["older name"].split(" ")
    text += f"/// The same code under its {OLDER[kind]}.\n"
    if kind == "deprecated":
        text += f'@available(*, deprecated, renamed: "errSec{row["name"]}")\n'
    return text + f"public let errSec{name}: OSStatus = {code}\n"


def services(group, entries):
    text = "".join(constants(row) for row in entries)
    return f"{NOTE}\n\nimport CoreFoundation\n\n// {GROUPS[group]}\n\n{text}"


def sources(table):
    """The text of each generated file by its path."""
    files = {}
    for group, entries in rows(table).items():
        title = group.capitalize()
        files[f"Sources/KeychainModel/Status/SecurityStatus+{title}.swift"] = model(group, entries)
        if group != "internal":
            path = f"Sources/KeychainServices/Status/ErrSec{title}.swift"
            files[path] = services(group, entries)
    return files


def read(path):
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def main():
    arguments = sys.argv[1:]
    checks = arguments[:1] == ["--check"]
    if len(arguments) > 2 or (arguments and not checks):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    table = arguments[1] if len(arguments) > 1 else TABLE
    stale = {path: text for path, text in sources(table).items() if read(path) != text}
    if checks:
        for path in stale:
            print(f"{path}: not what the table says; run Tools/Statuses/generate.py")
        sys.exit(1 if stale else 0)
    for path, text in stale.items():
        with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
            file.write(text)
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
