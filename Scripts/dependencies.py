#!/usr/bin/env python3
"""Prints which component uses which, and every circle among them.

There are two graphs. In the first a component is a target, and its uses are its imports. In the
second a component is a directory of a target in TARGETS, and its uses are the types that it names
and another directory declares. Files outside of a directory form a component named after the target.

    Scripts/dependencies.py             prints both graphs; exit status 1 if there is a circle
    Scripts/dependencies.py --circles   prints the circles alone
    Scripts/dependencies.py … FOLDER    looks at the checkout in another folder

KNOWN lists accepted uses against the order, each with its reason. They do not count as circles. An
entry that no longer applies must leave the list.
"""

import os
import re
import sys

HERE = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
FOLDERS = [word for word in sys.argv[1:] if not word.startswith("--")]
SOURCES = os.path.join(FOLDERS[0] if FOLDERS else HERE, "Sources")
TARGETS = ["KeychainEngine", "DataProtection", "KeychainCommand"]
# (component, other): reason
KNOWN = {}

IMPORT = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+|package |public |internal |private |fileprivate )*"
                    r"import (?:struct |class |enum |protocol |func )?(\w+)", re.M)
DECLARED = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+|package |public |internal |final |indirect )*"
                      r"(?:struct|class|enum|protocol|actor|typealias) (\w+)", re.M)
PLAIN = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:.|\n)*?\*/')
NAME = re.compile(r"\b[A-Z]\w*\b")


def swift_files(folder):
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".swift"):
                yield os.path.join(path, name)


def text(path):
    """A file without comments and string literals."""
    with open(path, encoding="utf-8") as file:
        return PLAIN.sub(" ", file.read())


def target_graph():
    targets = sorted(name for name in os.listdir(SOURCES)
                     if any(swift_files(os.path.join(SOURCES, name))))
    graph = {}
    for target in targets:
        files = swift_files(os.path.join(SOURCES, target))
        imported = {name for path in files for name in IMPORT.findall(text(path))}
        graph[target] = {name: {"import"} for name in imported & set(targets) - {target}}
    return graph


def directory_graph(target):
    """Returns which other directories each directory uses, and by which types."""
    folder = os.path.join(SOURCES, target)
    texts = {}
    for path in swift_files(folder):
        parts = os.path.relpath(path, folder).split(os.sep)
        component = f"{target}/{parts[0]}" if len(parts) > 1 else target
        texts.setdefault(component, []).append(text(path))
    homes = {}
    for component, files in texts.items():
        for name in (name for content in files for name in DECLARED.findall(content)):
            homes.setdefault(name, set()).add(component)
    graph = {}
    for component, files in sorted(texts.items()):
        graph[component] = {}
        for name in sorted({name for content in files for name in NAME.findall(content)}):
            for home in homes.get(name, set()) - {component}:
                # A name that several components declare means the component's own.
                if component not in homes[name]:
                    graph[component].setdefault(home, set()).add(name)
    return graph


def circles(graph):
    """Returns the sets of components that reach each other."""
    reach = {}
    for start in graph:
        found, waiting = set(), list(graph[start])
        while waiting:
            component = waiting.pop()
            if component not in found:
                found.add(component)
                waiting += graph.get(component, {})
        reach[start] = found
    sets = {frozenset(other for other in graph if other in reach[component] and component in reach[other])
            for component in graph if component in reach[component]}
    return sorted(map(sorted, sets))


def without_known(graph):
    return {component: {other: names for other, names in others.items()
                   if (component, other) not in KNOWN} for component, others in graph.items()}


def main():
    graphs = [target_graph()] + [directory_graph(target) for target in TARGETS]
    faults = []
    steps = {(component, other) for graph in graphs for component in graph for other in graph[component]}
    for component, other in [] if FOLDERS else sorted(set(KNOWN) - steps):
        faults.append(f"{component} no longer uses {other}: remove it from KNOWN")
    for graph in graphs:
        if "--circles" not in sys.argv[1:]:
            for component, others in graph.items():
                print(f"{component} ▸ {', '.join(sorted(others)) or 'nothing'}")
            print()
        plain = without_known(graph)
        for circle in circles(plain):
            faults.append("circle: " + " ◂▸ ".join(circle))
            for component in circle:
                for other in sorted(set(plain[component]) & set(circle)):
                    names = ", ".join(sorted(plain[component][other]))
                    faults.append(f"    {component} ▸ {other}: {names}")
    for (component, other), reason in sorted(KNOWN.items()):
        print(f"known: {component} ▸ {other}: {reason}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
