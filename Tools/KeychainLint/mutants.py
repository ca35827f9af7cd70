#!/usr/bin/env python3
"""Writes the table of mistakes in the samples into Documentation/Linting.md, from mutants.tsv.

Each row of mutants.tsv puts one mistake into a file of Examples/Patterns. The tests of the linter
apply it in memory and run the linter; they fail if the mistake is not found or the table is old.
"""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "../../Documentation/Linting.md"
BEGIN = "<!-- mutants: begin (Tools/KeychainLint/mutants.py writes this part) -->"
END = "<!-- mutants: end -->"


def rows(name):
    return [line.split("\t") for line in (HERE / name).read_text().splitlines()[1:]]


def main():
    page = PAGE.read_text()
    names = dict(re.findall(r"^\| (K[A-Z0-9]+) \| `([a-z-]+)` \|", page, re.M))
    twins = {}
    for rule, finding, *_ in rows("twins.tsv"):
        twins.setdefault(rule, f"`{finding}`")
    lines = ["| Mistake | Lint | Twin of the rule | Demonstration |", "|---|---|---|---|"]
    for sample, _, _, rule, demonstration in rows("mutants.tsv"):
        lines.append(f"| `{names[rule]}` in {sample} | {rule} | {twins.get(rule, '')} | {demonstration} |")
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
