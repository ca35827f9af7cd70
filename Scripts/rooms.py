#!/usr/bin/env python3
"""Shows which room names which, and every circle among them.

Two graphs: the targets, by what their files import; and the rooms of the targets in ROOMS, which
are their directories, by the types that one declares and another names. The files of a target that
lie in no directory are a room of the target's own name.

    Scripts/rooms.py             prints both graphs; exit status 1 if there is a circle
    Scripts/rooms.py --circles   prints the circles alone
    Scripts/rooms.py … FOLDER    looks at the checkout in another folder

A step back that is known stands in KNOWN with its reason, and is left out when circles are looked
for. One that is there no more must leave the list.
"""

import os
import re
import sys

HERE = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
FOLDERS = [word for word in sys.argv[1:] if not word.startswith("--")]
SOURCES = os.path.join(FOLDERS[0] if FOLDERS else HERE, "Sources")
ROOMS = ["KeychainEngine", "DataProtection", "KeychainCommand"]
# (room, other): reason
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


def room_graph(target):
    """Room by room: which other rooms it names, and by which types."""
    folder = os.path.join(SOURCES, target)
    texts = {}
    for path in swift_files(folder):
        parts = os.path.relpath(path, folder).split(os.sep)
        room = f"{target}/{parts[0]}" if len(parts) > 1 else target
        texts.setdefault(room, []).append(text(path))
    homes = {}
    for room, files in texts.items():
        for name in (name for content in files for name in DECLARED.findall(content)):
            homes.setdefault(name, set()).add(room)
    graph = {}
    for room, files in sorted(texts.items()):
        graph[room] = {}
        for name in sorted({name for content in files for name in NAME.findall(content)}):
            for home in homes.get(name, set()) - {room}:
                # A name that several rooms declare is one's own first.
                if room not in homes[name]:
                    graph[room].setdefault(home, set()).add(name)
    return graph


def circles(graph):
    """The sets of rooms that reach each other."""
    reach = {}
    for start in graph:
        found, waiting = set(), list(graph[start])
        while waiting:
            room = waiting.pop()
            if room not in found:
                found.add(room)
                waiting += graph.get(room, {})
        reach[start] = found
    sets = {frozenset(other for other in graph if other in reach[room] and room in reach[other])
            for room in graph if room in reach[room]}
    return sorted(map(sorted, sets))


def without_known(graph):
    return {room: {other: names for other, names in others.items()
                   if (room, other) not in KNOWN} for room, others in graph.items()}


def main():
    graphs = [target_graph()] + [room_graph(target) for target in ROOMS]
    faults = []
    steps = {(room, other) for graph in graphs for room in graph for other in graph[room]}
    for room, other in [] if FOLDERS else sorted(set(KNOWN) - steps):
        faults.append(f"{room} no longer names {other}: take the step out of the list")
    for graph in graphs:
        if "--circles" not in sys.argv[1:]:
            for room, others in graph.items():
                print(f"{room} ▸ {', '.join(sorted(others)) or 'nothing'}")
            print()
        plain = without_known(graph)
        for circle in circles(plain):
            faults.append("circle: " + " ◂▸ ".join(circle))
            for room in circle:
                for other in sorted(set(plain[room]) & set(circle)):
                    names = ", ".join(sorted(plain[room][other]))
                    faults.append(f"    {room} ▸ {other}: {names}")
    for (room, other), reason in sorted(KNOWN.items()):
        print(f"known: {room} ▸ {other}: {reason}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
