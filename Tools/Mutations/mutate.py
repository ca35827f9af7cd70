#!/usr/bin/env python3
"""Plants the mutations of mutations.json and reports which of them no test notices.

A copy of the checkout gets every mutation at once, each behind a switch that the environment
variable KEYCHAIN_MUTATION turns on. So one build serves all, and the shipped sources hold none.

    Tools/Mutations/mutate.py                          plant, build, run all
    Tools/Mutations/mutate.py --only no-mlock          run some
    Tools/Mutations/mutate.py --check                  only check that every text is still there

"rows" of a mutation names rows of Documentation/Conformance.md that it breaks. TidyTests check that
its tests claim them, and have the list of rows that no mutation breaks.

Exit status: 0 if every mutation was killed, 1 if one survived, 2 if the table, the build or a test
without a mutation is wrong.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
TABLE = os.path.join(ROOT, "Tools", "Mutations", "mutations.json")
VARIABLE = "KEYCHAIN_MUTATION"
SWITCH = """import Glibc

/// The mutation that is on; only copies made by Tools/Mutations have this file.
package enum Mutation {
    // A test may start our programs with an environment of its own: whoever started it is asked. Of
    // another account's process only the arguments are to be seen.
    private static let chosen: String? = {
        var process = getpid()
        while process > 1 {
            let found = ["environ", "cmdline"]
                .flatMap { lines(of: "/proc/\\(process)/\\($0)", endingIn: 0) }
                .first { $0.hasPrefix("%(name)s=") }
            if let found { return String(found.dropFirst("%(name)s=".count)) }
            let parent = lines(of: "/proc/\\(process)/status", endingIn: 10)
                .first { $0.hasPrefix("PPid:") }
            process = parent.flatMap { pid_t($0.split(separator: "\\t").last ?? "") } ?? 0
        }
        return nil
    }()

    private static func lines(of path: String, endingIn end: UInt8) -> [String] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = read(descriptor, &bytes, bytes.count)
        return bytes.prefix(max(count, 0)).split(separator: end)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    package static func isOn(_ id: String) -> Bool { chosen == id }
}
""" % {"name": VARIABLE}


class TableError(Exception):
    """The table does not fit the sources."""


def load(path):
    """Reads the table, and refuses rows that are incomplete or doubled."""
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["mutations"]
    ids = [row["id"] for row in rows]
    if len(set(ids)) != len(ids):
        raise TableError("an id is there twice: " + ", ".join(i for i in ids if ids.count(i) > 1))
    for row in rows:
        missing = {"id", "file", "form", "before", "mutant", "why", "tests"} - row.keys()
        if missing:
            raise TableError(f"{row['id']}: {', '.join(sorted(missing))} missing")
        if row["form"] not in ("expression", "statement", "text"):
            raise TableError(f"{row['id']}: unknown form '{row['form']}'")
    return rows


def switched(row):
    """The text that behaves as either the original or the mutant."""
    on = f'Mutation.isOn("{row["id"]}")'
    before, mutant = row["before"], row["mutant"]
    if row["form"] == "expression":
        return f"({on} ? ({mutant}) : ({before}))"
    if row["form"] == "statement":
        return f"if {on} {{\n{mutant}\n}} else {{\n{before}\n}}"
    return mutant.replace("{on}", on)


def check(rows):
    """Every text has to be in its file exactly once, and no two may overlap."""
    problems = []
    for row in rows:
        with open(os.path.join(ROOT, row["file"]), encoding="utf-8") as file:
            count = file.read().count(row["before"])
        if count != 1:
            problems.append(f"{row['id']}: its text is {count} times in {row['file']}")
    if problems:
        raise TableError("\n".join(problems))
    for name, its in by_file(rows).items():
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            planted(file.read(), its)


def by_file(rows):
    """The rows of each file."""
    files = {}
    for row in rows:
        files.setdefault(row["file"], []).append(row)
    return files


def planted(text, rows):
    """The text of a file with the switches of its rows in it."""
    for row in rows:
        text = text.replace(row["before"], f"\0{row['id']}\0")
    for row in rows:
        place = f"\0{row['id']}\0"
        if place not in text:
            raise TableError(f"{row['id']}: overlaps with another mutation")
        text = text.replace(place, switched(row))
    return text


def write_if_changed(path, text):
    """Leaves a file with the same text alone, so that it is not built again."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def copy(workspace):
    """Brings the workspace in step with the checkout's files, which git names."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")
    names = [name for name in names if name and os.path.exists(os.path.join(ROOT, name))]
    for name in names:
        source, target = os.path.join(ROOT, name), os.path.join(workspace, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not name.startswith("Sources/") or not name.endswith(".swift"):
            same = os.path.exists(target) and os.path.getmtime(target) == os.path.getmtime(source)
            if not same:
                shutil.copy2(source, target)
    kept = set(names)
    for folder in ("Sources", "Tests", "Tools", "Fuzz"):
        for path, _, files in os.walk(os.path.join(workspace, folder)):
            for file in files:
                name = os.path.relpath(os.path.join(path, file), workspace)
                if name not in kept:
                    os.remove(os.path.join(path, file))
    return [name for name in names if name.startswith("Sources/") and name.endswith(".swift")]


def plant(workspace, sources, rows):
    """Writes the sources, with the switches of the rows in them."""
    files = by_file(rows)
    for name in sources:
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            text = planted(file.read(), files.get(name, []))
        if name in files and not name.startswith("Sources/Secrets/"):
            if not re.search(r"^import Secrets$", text, re.M):
                text = re.sub(r"^import ", "import Secrets\nimport ", text, count=1, flags=re.M)
                if "import Secrets" not in text:
                    text = "import Secrets\n\n" + text
        write_if_changed(os.path.join(workspace, name), text)
    write_if_changed(os.path.join(workspace, "Sources/Secrets/Mutation.swift"), SWITCH)


def build(workspace, log):
    """Builds the tests; returns the files that the compiler named in errors, or None."""
    with open(log, "w", encoding="utf-8") as file:
        code = subprocess.run(
            ["swift", "build", "--build-tests"], cwd=workspace, stdout=file, stderr=file
        ).returncode
    if code == 0:
        return None
    with open(log, encoding="utf-8", errors="replace") as file:
        found = re.findall(r"^(/\S+?\.swift):\d+:\d+: error:.*$", file.read(), re.M)
    return sorted({os.path.relpath(path, workspace) for path in found})


def kill_session(leader):
    """Ends what a run has started and nothing else: tests give some programs their own group."""
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.getsid(int(name)) == leader:
                os.kill(int(name), 9)
        except ProcessLookupError:
            pass


def program(workspace):
    """The program that holds all tests; swift-test would plan the build anew for each run."""
    found = glob.glob(os.path.join(workspace, ".build", "debug", "*PackageTests.xctest"))
    if len(found) != 1:
        raise TableError(f"there is no one program with the tests in {workspace}: {found}")
    return found[0]


def run(workspace, tests, mutation, seconds):
    """Runs the tests of a filter; returns (how it ended, how many ran, who noticed, seconds)."""
    environment = dict(os.environ)
    environment.pop(VARIABLE, None)
    command = [program(workspace), "--testing-library", "swift-testing", "--filter", tests]
    if mutation:
        environment[VARIABLE] = mutation
        command.append(f"{VARIABLE}={mutation}")
    start = time.monotonic()
    process = subprocess.Popen(
        command, cwd=workspace, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
        ended = "passed" if process.returncode == 0 else "failed"
    except subprocess.TimeoutExpired:
        kill_session(process.pid)
        output, _ = process.communicate()
        ended = "hung"
    output = re.sub(r"\x1b\[[0-9;]*m", "", output)
    counts = [int(n) for n in re.findall(r"Test run with (\d+) tests?", output)]
    noticed = sorted(set(re.findall(r'^✘ Test "([^"]+)" (?:recorded|failed)', output, re.M)))
    if ended == "failed" and not noticed:
        noticed = [f"(the tests ended with {process.returncode})"]
    return ended, sum(counts), noticed, time.monotonic() - start


def verdict(ended, row):
    if ended != "passed":
        return "killed"
    return "pending" if "pending" in row else "survived"


def test_one(workspace, row, seconds):
    """Runs the tests of one row with its mutation on."""
    ended, count, noticed, taken = run(workspace, row["tests"], row["id"], seconds)
    result = {
        "id": row["id"], "verdict": verdict(ended, row), "ended": ended,
        "tests": count, "noticed": noticed, "seconds": round(taken, 1),
    }
    first = noticed[0] if noticed else row.get("pending", "")
    print(f"{result['verdict']:9} {row['id']:32} {taken:4.0f} s  {first}", flush=True)
    return result


def test_all(workspace, rows, seconds, jobs):
    """Runs each filter once without a mutation, then with each of its mutations.

    A filter that fails by itself shows nothing: its rows are untested.
    """
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        filters = sorted({row["tests"] for row in rows})
        runs = pool.map(lambda tests: run(workspace, tests, None, seconds), filters)
        broken = set()
        for tests, (ended, count, noticed, _) in zip(filters, runs):
            if ended != "passed" or count == 0:
                broken.add(tests)
                print(f"without a mutation '{tests}' {ended}: {count} tests, {noticed}", flush=True)
        unusable = [row for row in rows if row["tests"] in broken]
        untested = [{"id": row["id"], "verdict": "untested"} for row in unusable]
        sound = [row for row in rows if row["tests"] not in broken]
        return untested + list(pool.map(lambda row: test_one(workspace, row, seconds), sound))


def summary(results):
    counts = {}
    for result in results:
        counts[result["verdict"]] = counts.get(result["verdict"], 0) + 1
    return ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare table and sources")
    parser.add_argument("--only", metavar="ID", nargs="+", help="run these mutations")
    parser.add_argument("--workspace", metavar="DIR", help="keep the copy there, and its build")
    parser.add_argument("--json", metavar="FILE", help="write the results there")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one run [300]")
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side [2]")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    rows = load(TABLE)
    check(rows)
    if arguments.check:
        print(f"{len(rows)} mutations, each text once")
        return 0
    workspace = arguments.workspace or tempfile.mkdtemp(prefix="keychain-mutations-")
    try:
        os.makedirs(workspace, exist_ok=True)
        plant(workspace, copy(workspace), rows)
        log = os.path.join(workspace, "build.log")
        failed = build(workspace, log)
        if failed is not None:
            ids = [row["id"] for row in rows if row["file"] in failed]
            print(f"not built: errors in {failed or log}; one of {ids}", file=sys.stderr)
            return 2
        chosen = [row for row in rows if not arguments.only or row["id"] in arguments.only]
        results = test_all(workspace, chosen, arguments.timeout, arguments.jobs)
    finally:
        if not arguments.workspace:
            shutil.rmtree(workspace, ignore_errors=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"mutations": results}, file, indent=2, ensure_ascii=False)
            file.write("\n")
    print(summary(results))
    verdicts = {result["verdict"] for result in results}
    return 1 if "survived" in verdicts else 2 if "untested" in verdicts else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TableError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
