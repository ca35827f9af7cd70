#!/usr/bin/env python3
"""Says which suites belong to what changed: quick.py DESCRIPTION <NAMES

DESCRIPTION is what `swift package describe --type json` says; NAMES are changed files. The answer
has four lines: targets that changed, suites to run, suites that use a changed target and do not
run, and `command` if keychainctl uses one.
"""

import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        targets = json.load(file)["targets"]
    uses = {target["name"]: set(target.get("target_dependencies", [])) for target in targets}
    for name, used in uses.items():
        used |= {product for target in targets if target["name"] == name
                 for product in target.get("product_dependencies", [])}
    paths = {target["name"]: target["path"].rstrip("/") + "/" for target in targets}
    tests = {target["name"] for target in targets if target["type"] == "test"}
    return uses, paths, tests


def reached(uses, name):
    """All targets that a target needs."""
    found, waiting = set(), [name]
    while waiting:
        for other in uses.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def suites(target, uses, tests):
    """The suites of a target: those with its name, or else the closest ones that use it."""
    if target in tests:
        return {target}
    own = {name for name in tests if name == target + "Tests"}
    if own:
        return own
    users = [name for name in tests if target in uses[name]]
    return set(sorted(users, key=lambda name: (len(reached(uses, name)), name))[:1])


def main():
    uses, paths, tests = read(sys.argv[1])
    files = [line.strip() for line in sys.stdin if line.strip()]
    homes = {name: max((target for target in paths if name.startswith(paths[target])),
                       key=lambda target: len(paths[target]), default=None) for name in files}
    changed = {target for target in homes.values() if target}
    run = set().union(*(suites(target, uses, tests) for target in changed)) if changed else set()
    users = {name for name in tests if changed & reached(uses, name)} - run
    print(*sorted(changed), sep=",")
    print(*sorted(run), sep=",")
    print(*sorted(users), sep=",")
    print("command" if changed & (reached(uses, "keychainctl") | {"keychainctl"}) else "")


main()
