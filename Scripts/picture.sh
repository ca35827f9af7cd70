#!/usr/bin/env bash
# Draws Documentation/Pictures/time-line.svg, the picture of the README, from the scenario beside it:
# what `keychainctl simulate --html` draws, without the rows of the keys and the column before the
# first event, in one image for light and dark pages. The tutorials have copies.
#
#   Scripts/picture.sh [DIR]      DIR has keychainctl and keychain-simulate; the debug build if left out
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-$(swift build --show-bin-path)}
page=$(mktemp)
trap 'rm -f "$page"' EXIT

"$bin/keychainctl" simulate --html "$page" Documentation/Pictures/time-line.json >/dev/null
python3 - "$page" Documentation/Pictures/time-line.svg <<'PYTHON'
import re
import sys
import xml.etree.ElementTree as Tree

page = open(sys.argv[1]).read()
style = page[page.index("<style>") + 7:page.index("</style>")]


def drawing(kind):
    start = page.index(f'<svg class="{kind}"')
    return Tree.fromstring(page[start:page.index("</svg>", start) + 6])


labels, rows = drawing("labels"), drawing("rows")
patterns = re.search(r"<defs>.*?</defs>", page, re.S).group()
keys = [float(text.get("y")) for text in labels.iter("text") if text.get("class") == "small"]
top, bottom = min(keys) - 13, max(keys) + 3
lower = top - bottom
column, margin = 96.0, 84.0


def across(element):
    """Moves the drawing to the left by the first column; False for what is in it alone."""
    for name in ("x", "x1", "x2", "cx"):
        if element.get(name) is None:
            continue
        x = float(element.get(name))
        if element.tag == "rect" and x < column:
            width = float(element.get("width")) - column
            if width <= 0:
                return False
            element.set("width", f"{width:g}")
            x += column
        elif x < column:
            if element.get("class") not in ("on", None):
                return False
            x += column
        element.set(name, f"{x - column + margin:g}")
    return True


def down(element):
    for name in ("y", "y2"):
        if element.get(name) is not None and float(element.get(name)) > top:
            element.set(name, f"{float(element.get(name)) + lower:g}")


def kept(element):
    """Whether the picture has it; moves it to its place."""
    for child in list(element):
        if child.tag != "title" and not kept(child):
            element.remove(child)
    # A page marks the place that a link leads to.
    element.attrib.pop("id", None)
    if {"key", "place"}.intersection((element.get("class") or "").split()):
        return False
    if element.tag == "g":
        return any(child.tag != "title" for child in element)
    if element.tag == "path" and element.get("d"):
        x = float(re.match(r"M([\d.]+)", element.get("d")).group(1))
        element.set("d", re.sub(r"^M[\d.]+", f"M{x - column + margin:g}", element.get("d")))
    down(element)
    return across(element)


for label in list(labels):
    if any(text.get("class") == "small" for text in label.iter("text")):
        labels.remove(label)
        continue
    for text in label.iter("text"):
        down(text)
        text.set("x", f"{margin - 4:g}")
for element in list(rows):
    if not kept(element):
        rows.remove(element)
for drawing in (labels, rows):
    for parent in drawing.iter():
        for title in parent.findall("title"):
            parent.text = (parent.text or "") + (title.tail or "")
            parent.remove(title)

width = float(rows.get("width")) - column + margin
height = float(rows.get("height")) + lower
# What a picture needs of the page's style.
rules = [rule for rule in style.split("\n") if re.match(r":root|@media|svg|\.(grid|cell|read|asks|abs|ref|key|state|over|ink|mark)", rule)]
inside = "".join(Tree.tostring(part, encoding="unicode") for part in [*labels, *rows])
with open(sys.argv[2], "w") as file:
    file.write(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" role="img"><title>A time line of two tokens on a phone</title>'
        f'<style>{chr(10).join(rules)}</style>{patterns}'
        f'<rect width="100%" height="100%" rx="8" style="fill:var(--panel)"/>{inside}</svg>\n')
PYTHON
for module in KeychainSimulator KeychainMigration; do
    cp Documentation/Pictures/time-line.svg "Sources/$module/$module.docc/Resources/"
done
