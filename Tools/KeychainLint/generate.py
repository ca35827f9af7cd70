#!/usr/bin/env python3
"""Writes the examples of the rules, and the table in Documentation/Linting.md.

Without arguments it writes both. With --check it writes nothing and fails if one is out of date.
The examples come from Fixtures; the table comes from the built command.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "../../Documentation/Linting.md"
FAMILIES = ["KC1", "KC2", "KC3", "KC4", "KC5", "KC6", "KC7", "KC8", "KC9", "KX"]
BEGIN = "<!-- rules: begin (Tools/KeychainLint/generate.py writes this part) -->"
END = "<!-- rules: end -->"


def cleaned(rule, text):
    """A fixture without marks, and without what every file of its kind begins with."""
    lines = [line.replace("<!-- expect -->", "").rstrip() for line in text.splitlines()]
    lines = [line for line in lines if not line.startswith(("<?xml", "<!DOCTYPE"))]
    if rule not in ("KC914", "KC911", "KC605", "KC803"):
        lines = [line for line in lines if not line.startswith("import ")]
    return "\n".join(line.removesuffix("  // expect") for line in lines).strip("\n")


def project(rule, kind):
    """The files of a fixture that is a directory, by their name in it."""
    folder = HERE / "Fixtures" / rule / kind
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.suffix != ".json"]
    return {str(file.relative_to(folder)): file.read_text() for file in files}


def example(rule, kind):
    """The first fixture of a kind; of a project, what the other kind has not, and what is marked."""
    file = HERE / "Fixtures" / rule / f"{kind}.swift"
    if file.exists():
        return cleaned(rule, file.read_text())
    files = project(rule, kind)
    other = project(rule, "good" if kind == "bad" else "bad")
    same = {name for name, text in files.items() if cleaned(rule, text) == cleaned(rule, other.get(name, ""))}
    marked = {name for name, text in files.items() if "expect" in text}
    texts = {name: cleaned(rule, text) for name, text in files.items() if name in marked or name not in same}
    parts = []
    for name, text in texts.items():
        mark = f"// {name}" if name.endswith(".swift") else f"<!-- {name} -->"
        if text:
            parts.append(f"{mark}\n{text}" if len(texts) > 1 else text)
    return "\n\n".join(parts) or None


def examples(family):
    rules = sorted(path.name for path in (HERE / "Fixtures").iterdir() if path.is_dir())
    out = [
        f"// ★ Made from Fixtures by generate.py: examples of the rules of {family}.",
        "",
        "extension Examples {",
    ]
    for kind in ("bad", "good"):
        out.append(f"    static let {kind}{family}: [String: String] = [")
        count = 0
        for rule in rules:
            text = example(rule, kind) if rule.startswith(family) else None
            if text is None:
                continue
            count += 1
            out.append(f'        "{rule}": ##"""')
            out += [f"            {line}".rstrip() for line in text.splitlines()]
            out.append('            """##,')
        if count == 0:
            out[-1] = out[-1] + ":]"
        else:
            out.append("    ]")
    out.append("}")
    return formatted("\n".join(out) + "\n")


def formatted(text):
    """The text as `swift format` writes it, so that both agree."""
    command = ["swift", "format", "--configuration", HERE / "../../.swift-format"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def findings():
    """What the keychain records at run time for the mistake of a rule."""
    names = {}
    for line in (HERE / "twins.tsv").read_text().splitlines()[1:]:
        rule, finding, call, status = line.split("\t")
        name = f"`{finding}`" + (f" of {call} ({status})" if call else "")
        names.setdefault(rule, []).append(name)
    return {rule: ", ".join(found) for rule, found in names.items()}


def table():
    command = HERE / ".build" / "debug" / "keychain-lint"
    run = subprocess.run(
        [command, "--format", "sarif", HERE / "Package.swift"], capture_output=True, text=True
    )
    twins = findings()
    driver = json.loads(run.stdout)["runs"][0]["tool"]["driver"]
    lines = ["| Rule | Name | Level | What goes wrong | What to do | At run time | Source |", "|---|---|---|---|---|---|---|"]
    for rule in driver["rules"]:
        if not rule["id"].startswith("K"):
            continue
        level = rule["defaultConfiguration"]["level"]
        cells = [
            rule["id"], f"`{rule['name']}`", level, rule["shortDescription"]["text"],
            rule["help"]["text"], twins.get(rule["id"], ""), rule["properties"]["source"],
        ]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def page():
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    return head + BEGIN + "\n\n" + table() + "\n\n" + END + rest.split(END)[1]


def main():
    outputs = {
        HERE / "Sources/LintRules/Examples" / f"Examples+{family}.swift": examples(family)
        for family in FAMILIES
    }
    if PAGE.exists():
        outputs[PAGE] = page()
    stale = [path for path, text in outputs.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.name} is out of date; run Tools/KeychainLint/generate.py", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(outputs[path])
        print(f"wrote {path.name}")
    return 0


sys.exit(main())
