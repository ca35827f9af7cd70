#!/usr/bin/env python3
"""Parts of Scripts/site.sh: the pages as a catalogue, the order of modules, and what they lack.

    site.py order ROOT                  modules, each after those that its documents link to
    site.py pages ROOT CATALOGUE        writes Documentation/*.md and its like as DocC articles
    site.py undocumented SYMBOLS…       lists public symbols without a comment; exits with 1
    site.py steps ROOT                  tutorials' files of code, one a line
"""

import json
import os
import re
import sys
from pathlib import Path

# The ledger's table is for the repository: it names tests, and is ten times as long as any page.
LEFT_OUT = {"Conformance.md"}
TOP = ["SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
GROUPS = {
    "Use it": [
        "Installing", "Vault", "Command", "FromSecurity", "Backup", "Testing", "Migration", "Files", "Recipes",
        "Tools", "Doors", "AutoFill", "Daemon", "Sync",
    ],
    "Write for it": ["Questions", "Linting", "Shims", "AppleNames", "Diagnostics",
                     "Contradictions"],
    "Judge it": ["SECURITY", "Reliability", "Performance", "SyncScale", "Glossary"],
    "Work on it": ["ARCHITECTURE", "CONTRIBUTING", "CHANGELOG"],
}
# Code that has a backquote in it; for DocC these marks are a link to a symbol.
DOUBLE = re.compile(r"(?<!`)``(?!`)(.+?)(?<!`)``(?!`)", re.S)
LINK = re.compile(r"(?<!!)\[([^\]\n]*(?:\n[^\]\n]*)?)\]\(([^)\s]+)\)")


def modules(root):
    """Library products, and every module with a catalogue."""
    text = (root / "Package.swift").read_text()
    names = re.findall(r'\.library\(name: "(\w+)", targets: \["\1"\]\)', text)
    catalogues = [path.stem for path in sorted(root.glob("Sources/*/*.docc"))]
    return list(dict.fromkeys(names + catalogues))


def catalogue(root, module):
    return root / "Sources" / module / f"{module}.docc"


def order(root):
    """Each module after those that its documents name, as in doc:/KeychainServices"""
    links = {}
    for module in modules(root):
        texts = [path.read_text() for path in catalogue(root, module).rglob("*.*")
                 if path.suffix in (".md", ".tutorial")]
        found = set(re.findall(r"doc:/(\w+)", "\n".join(texts)))
        links[module] = (found & set(modules(root))) - {module}
    done = []
    while links:
        ready = [name for name, needs in links.items() if needs <= set(done)]
        if not ready:
            sys.exit(f"site: these modules link to each other in a circle: {', '.join(links)}")
        done += ready
        links = {name: needs for name, needs in links.items() if name not in ready}
    return done


def slug(heading):
    """The anchor that a Markdown host gives a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return kept.replace(" ", "-")


def fragment(heading):
    """The anchor that DocC gives it."""
    kept = re.sub(r"[`\"']", "", heading)
    kept = re.sub(r"[^\w\-]+", "-", kept)
    return kept.strip("-")


def headings(text):
    return re.findall(r"^#{2,6} (.+)$", re.sub(r"```.*?```", "", text, flags=re.S), flags=re.M)


class Pages:
    """The pages of the repository that the site shows."""

    def __init__(self, root):
        files = sorted((root / "Documentation").glob("*.md"))
        files += sorted((root / "Documentation/Spec").glob("*.md"))
        files += [root / name for name in TOP]
        self.root = root
        self.texts = {path: path.read_text() for path in files if path.name not in LEFT_OUT}

    @staticmethod
    def name(path):
        return f"Spec-{path.stem}" if path.parent.name == "Spec" else path.stem

    def link(self, path, text, target):
        """A link as DocC understands it; only its words where the site lacks the page."""
        if re.match(r"\w+:", target):
            return f"[{text}]({target})"
        file, _, anchor = target.partition("#")
        page = Path(os.path.normpath(path.parent / file)) if file else path
        if page not in self.texts:
            return text
        place = ""
        if anchor:
            found = [head for head in headings(self.texts[page]) if slug(head) == anchor]
            if not found and f'id="{anchor}"' not in self.texts[page]:
                sys.exit(f"site: {path.relative_to(self.root)} links to {target}, which is no heading")
            # DocC has no anchors in tables.
            place = "#" + fragment(found[0]) if found else ""
        return f"[{text}](doc:{self.name(page)}{place})"

    @staticmethod
    def code(found):
        """The same between single marks, which DocC takes for code; its backquotes are named."""
        text = found[1].strip()
        return "a backquote" if text == "`" else "`" + text.replace("`", "'") + "`"

    def article(self, path):
        parts = re.split(r"(```.*?\n```)", self.texts[path], flags=re.S)
        for index in range(0, len(parts), 2):
            prose = re.sub(r'<!--.*?-->|<a id="[^"]*"></a>', "", parts[index], flags=re.S)
            prose = DOUBLE.sub(self.code, prose)
            parts[index] = LINK.sub(lambda found: self.link(path, *found.groups()), prose)
        return "".join(parts)

    def write(self, catalogue):
        catalogue.mkdir(parents=True)
        for path in self.texts:
            (catalogue / f"{self.name(path)}.md").write_text(self.article(path))
        for image in (self.root / "Documentation").glob("*.svg"):
            (catalogue / image.name).write_bytes(image.read_bytes())
        (catalogue / "Manual.md").write_text(self.contents())

    def contents(self):
        known = {self.name(path) for path in self.texts}
        specifications = sorted(name for name in known if name.startswith("Spec-"))
        groups = {**GROUPS, "Formats": specifications}
        groups["More"] = sorted(known - {name for names in groups.values() for name in names})
        lines = ["# Manual", "", "@Metadata {", "    @TechnologyRoot", "}", "",
                 "Every page of the repository, from first use to file formats.", "", "## Topics"]
        for title, names in groups.items():
            if known.intersection(names):
                lines += ["", f"### {title}", ""]
                lines += [f"- <doc:{name}>" for name in names if name in known]
        return "\n".join(lines) + "\n"


def undocumented(files):
    lacking = []
    for file in files:
        graph = json.loads(Path(file).read_text())
        for symbol in graph["symbols"]:
            if "::SYNTHESIZED::" in symbol["identifier"]["precise"] or "docComment" in symbol:
                continue
            place = symbol.get("location", {})
            line = place.get("position", {}).get("line", -1) + 1
            path = place.get("uri", graph["module"]["name"]).split("/Sources/")[-1]
            lacking.append(f"Sources/{path}:{line}: {'.'.join(symbol['pathComponents'])}")
    for line in sorted(lacking):
        print(f"site: no documentation: {line}", file=sys.stderr)
    return 1 if lacking else 0


def main(arguments):
    verb, rest = arguments[0], arguments[1:]
    if verb == "undocumented":
        return undocumented(rest)
    root = Path(rest[0]).resolve()
    if verb == "order":
        print("\n".join(order(root)))
    elif verb == "pages":
        Pages(root).write(Path(rest[1]))
    elif verb == "steps":
        print("\n".join(str(path) for path in sorted(root.glob("Sources/*/*.docc/Resources/*.swift"))))
    return 0


sys.exit(main(sys.argv[1:]))
