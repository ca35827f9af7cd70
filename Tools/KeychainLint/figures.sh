#!/usr/bin/env bash
# Prints recall, precision and speed of the linter. The guide blocks are optional:
# KEYCHAIN_GUIDE_BLOCKS names their directory.
set -euo pipefail
cd "$(dirname "$0")"

configuration=${1:-release}
swift build -c "$configuration" --product keychain-lint >/dev/null
lint=$(swift build -c "$configuration" --show-bin-path)/keychain-lint
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$lint" "$work" <<'PYTHON'
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

lint, work = sys.argv[1], pathlib.Path(sys.argv[2])
fixtures = pathlib.Path("Fixtures")


def run(path, *options):
    output = subprocess.run([lint, "--format", "json", *options, str(path)], capture_output=True, text=True)
    return json.loads(output.stdout)


def settings(path):
    names = {"--config": path / "config.json", "--baseline": path / "baseline.json"}
    return [word for option, file in names.items() if file.exists() for word in (option, str(file))]


rules, found, clean, wrong = 0, 0, 0, []
for rule in sorted(path for path in fixtures.glob("K*") if path.is_dir()):
    cases = sorted(rule.iterdir())
    bad = [case for case in cases if case.name.startswith("bad")]
    good = [case for case in cases if case.name.startswith("good")]
    rules += 1
    hits = []
    for case in bad:
        report = run(case, "--pack", "crypto", *settings(case))
        hits.append(any(finding["rule"] == rule.name for finding in report["findings"]))
    found += bool(hits) and all(hits)
    for case in good:
        report = run(case, "--pack", "crypto", *settings(case))
        clean += 1
        loud = [f for f in report["findings"] if f["severity"] != "note" or f["rule"] == rule.name]
        wrong += [f"{case}: {finding['rule']}" for finding in loud]
print(f"recall: {found} of {rules} rules find all of their bad fixtures ({100 * found // rules} %)")
print(f"precision: {len(wrong)} findings in {clean} good fixtures")
for line in wrong:
    print(f"  {line}")

for folder in ("Sources", "Examples", "Tools", "Fuzz"):
    path = pathlib.Path("../..") / folder
    if not path.exists():
        continue
    report = run(path, "--config", "own.json")
    loud = [f for f in report["findings"] if f["severity"] != "note" and "suppressed" not in f]
    print(f"precision: {len(loud)} findings in the {report['summary']['files']} files of {folder}")
    for finding in loud:
        print(f"  {finding['file']}:{finding['line']}: {finding['rule']}")
report = run("../../Tests", "--config", "own.json")
summary = report["summary"]
print(
    f"Tests of this repository, which make mistakes on purpose: {summary['errors']} errors and "
    f"{summary['warnings']} warnings in {summary['files']} files"
)

blocks = os.environ.get("KEYCHAIN_GUIDE_BLOCKS")
if blocks:
    loud = 0
    for block in sorted(pathlib.Path(blocks).glob("*.swift")):
        loud += sum(f["severity"] != "note" for f in run(block)["findings"])
    print(f"guide blocks: {loud} findings; the tests compare them with the table")
else:
    print("guide blocks: SKIPPED, set KEYCHAIN_GUIDE_BLOCKS")

sources = sorted(fixtures.rglob("*.swift"))
lines = 0
for number in range(1000):
    parts = [sources[(number * 7 + step) % len(sources)].read_text() for step in range(6)]
    text = "\n".join(
        f"enum Part{number}x{step} {{\n{part}\n}}" if "@main" not in part else ""
        for step, part in enumerate(parts)
    )
    lines += text.count("\n")
    (work / f"File{number}.swift").write_text(text)
times, used = [], []
for _ in range(3):
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    run(work)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    times.append(time.monotonic() - start)
    used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
print(
    f"speed: 1000 files, {lines} lines, in {min(times):.1f} to {max(times):.1f} s, "
    f"{min(used):.1f} to {max(used):.1f} s of processor time, "
    f"on {os.cpu_count()} processors ({os.path.basename(os.path.dirname(lint))} build)"
)
PYTHON
