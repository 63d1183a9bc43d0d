#!/usr/bin/env python3
"""Checks that includes run one way, and that no folder is crowded.

scripts/rooms.txt lists the rooms of the source tree, each with its folders and with the rooms
whose files its own may include. In a folder's path, * is any name. Reported are: an include that goes to a room not listed; a room
listed that nothing is included of; a source file in no room; a circle of units, a unit being a
header and the source file of the same name; and a folder of more units than a reader can take in
at a glance. Prints nothing else, and fails if there was any.
"""

import argparse
import fnmatch
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
SOURCES = (".h", ".cpp", ".c")
MOST_UNITS = 16


class Room:
    """A line of rooms.txt."""

    def __init__(self, name, folders, allowed):
        self.name, self.folders, self.allowed = name, folders, allowed


def read_rooms(path):
    rooms = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        parts = line.split(":")
        if len(parts) != 3:
            sys.exit(f"{path}:{number}: not of the form 'room: folders: rooms'")
        name, folders, allowed = parts[0].strip(), parts[1].split(), set(parts[2].split())
        if name in rooms:
            sys.exit(f"{path}:{number}: there is a room '{name}' already")
        # Arrows lead to what was listed before, so that there is no circle of rooms.
        for other in sorted(allowed - rooms.keys()):
            sys.exit(f"{path}:{number}: '{other}' is not listed above '{name}'")
        rooms[name] = Room(name, folders, allowed)
    return rooms


def room_of(rooms, file):
    """The room with the innermost folder that has the file."""
    folders = file.split("/")[:-1]
    found = []
    for room in rooms.values():
        for folder in room.folders:
            names = folder.split("/")
            if len(names) <= len(folders) and all(map(fnmatch.fnmatchcase, folders, names)):
                found.append((len(names), room))
    return max(found, key=lambda item: item[0])[1] if found else None


def included_by(tree, files, roots, file):
    for name in INCLUDE.findall((tree / file).read_text()):
        folders = [pathlib.PurePosixPath(file).parent] + roots
        for folder in folders:
            target = (tree / folder / name).resolve()
            if target.is_file() and target.is_relative_to(tree):
                target = target.relative_to(tree).as_posix()
                if target in files:
                    yield target
                break


def unit_of(file):
    """A public header belongs to the source file of its name in lib."""
    stem = file.rsplit(".", 1)[0]
    return stem.replace("include/thermocline/", "lib/")


def units_by_folder(files):
    folders = {}
    for file in files:
        folder, name = file.rsplit("/", 1)
        folders.setdefault(folder, set()).add(name.rsplit(".", 1)[0])
    return folders


def circles(arrows):
    """The strongly connected units, by Tarjan's algorithm, without recursion."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for start in sorted(arrows):
        if start in index:
            continue
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        work = [(start, iter(sorted(arrows[start])))]
        while work:
            unit, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(arrows.get(target, ())))))
                    break
                if target in on_stack:
                    low[unit] = min(low[unit], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    circle = []
                    while not circle or circle[-1] != unit:
                        circle.append(stack.pop())
                        on_stack.remove(circle[-1])
                    if len(circle) > 1:
                        found.append(sorted(circle))
    return found


def check(tree, list_path, print_arrows):
    rooms = read_rooms(list_path)
    roots = sorted({pathlib.PurePosixPath(top) for top in
                    ("arch", "include", "lto", "runtime/profile", "runtime/alloc",
                     "runtime/alloc/hints", "runtime/alloc/include")}
                   | {path.relative_to(tree) for path in (tree / "lib").glob("*") if path.is_dir()}
                   | {path.relative_to(tree) for path in (tree / "tools").glob("*")
                      if path.is_dir()})
    files = sorted(path.relative_to(tree).as_posix()
                   for top in ("arch", "include", "lib", "lto", "runtime", "tools")
                   for path in (tree / top).rglob("*") if path.suffix in SOURCES)
    known = set(files)
    errors, used, units = [], {}, {}
    for file in files:
        room = room_of(rooms, file)
        if not room:
            errors.append(f"{file}: is in no room of {list_path.name}")
            continue
        unit = units.setdefault(unit_of(file), set())
        for target in included_by(tree, known, roots, file):
            other = room_of(rooms, target)
            if unit_of(target) != unit_of(file):
                unit.add(unit_of(target))
            if not other or other is room:
                continue
            used.setdefault(room.name, set()).add(other.name)
            if other.name not in room.allowed:
                errors.append(f"{file}: '{room.name}' may not include '{other.name}' ({target})")
    for room in rooms.values():
        for other in sorted(room.allowed - used.get(room.name, set())):
            errors.append(f"{list_path.name}: '{room.name}' includes nothing of '{other}'")
    for folder, names in sorted(units_by_folder(files).items()):
        if len(names) > MOST_UNITS:
            errors.append(f"{folder}: {len(names)} units, more than {MOST_UNITS}")
    for circle in circles(units):
        errors.append("circle: " + " ".join(circle))
    if print_arrows:
        for room in rooms.values():
            print(f"{room.name}: {' '.join(sorted(used.get(room.name, ())))}")
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tree", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent,
                        help="the checkout (default: that of this script)")
    parser.add_argument("--rooms", type=pathlib.Path,
                        help="the list (default: scripts/rooms.txt of the checkout)")
    parser.add_argument("--arrows", action="store_true", help="print which room includes which")
    arguments = parser.parse_args()
    tree = arguments.tree.resolve()
    errors = check(tree, arguments.rooms or tree / "scripts" / "rooms.txt", arguments.arrows)
    for error in errors:
        print(error)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
