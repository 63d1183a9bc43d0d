"""Prints the heap profile annotation of a module in a canonical form.

Usage: annotations.py FILE.ll [--callee REGEX] [--names] [--no-sizes]
                      [--no-callsites] [--one-line]

For each annotated call a line with its function, its callee and the inlined
frames of its debug location, then a line for each thing that it carries; with
--one-line they are joined. Numbers of metadata nodes do not
show, so that two compilations of one source can be compared with diff. --names
prints a stack id as FUNCTION+LINEOFFSET:COLUMN if a call that has it as
!callsite shows what it stands for.
"""

import argparse
import re
import sys


def nodes_of(text):
    nodes = {}
    for match in re.finditer(r"^(!\d+) = (?:distinct )?(.*)$", text, re.M):
        nodes[match[1]] = match[2]
    return nodes


def operands(node):
    body = re.fullmatch(r"!\{(.*)\}", node)[1]
    return [part.strip() for part in body.split(",")] if body else []


def field(node, name):
    match = re.search(r"\b%s: (\"[^\"]*\"|!?\w+)" % name, node)
    return match[1].strip('"') if match else ""


def frames(nodes, location):
    result = []
    while location:
        node = nodes[location]
        scope = nodes[field(node, "scope")]
        while not scope.startswith("!DISubprogram"):
            scope = nodes[field(scope, "scope")]
        name = field(scope, "linkageName") or field(scope, "name")
        offset = int(field(node, "line") or 0) - int(field(scope, "line") or 0)
        result.append("%s+%d:%s" % (name, offset, field(node, "column") or "0"))
        location = field(node, "inlinedAt")
    return result


def integers(nodes, name):
    return [part.split()[1] for part in operands(nodes[name])]


def stack(nodes, name, names):
    return " < ".join(names.get(i, i) for i in integers(nodes, name))


def contexts(nodes, name, names, sizes):
    result = []
    for mib in operands(nodes[name]):
        parts = operands(nodes[mib])
        text = parts[1].strip('!"') + " " + stack(nodes, parts[0], names)
        if sizes:
            # The id of the whole context does not show.
            text += "".join(" (%s)" % integers(nodes, pair)[1] for pair in parts[2:])
        result.append(text)
    return sorted(result)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--callee", default="")
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--no-sizes", action="store_true")
    parser.add_argument("--no-callsites", action="store_true")
    parser.add_argument("--one-line", action="store_true")
    options = parser.parse_args()
    with open(options.file) as file:
        text = file.read()
    nodes = nodes_of(text)
    groups = {
        match[1]: match[2]
        for match in re.finditer(r"^attributes (#\d+) = \{(.*)\}$", text, re.M)
    }
    # An invoke has its destinations, and its metadata, on the next line.
    text = re.sub(r"\n +to label ", " to label ", text)
    calls = []
    function = ""
    for line in text.splitlines():
        if line.startswith("define "):
            function = re.search(r"@\"?([^\"(]+)\"?\(", line)[1]
        if line.startswith("  ") and re.search(r"\b(call|invoke)\b", line):
            calls.append((function, line, dict(re.findall(r"!(\w+) (!\d+)", line))))
    names = {}
    for _, _, metadata in calls if options.names else []:
        if "callsite" in metadata:
            ids = integers(nodes, metadata["callsite"])
            where = frames(nodes, metadata.get("dbg"))
            # Innermost frames that the profile lacks have no id.
            names.update(zip(ids, where[len(where) - len(ids) :]))
    lines = []
    separator = "; " if options.one_line else "\n  "
    for function, line, metadata in calls:
        found = re.search(r"\b(?:call|invoke)\b.*?([@%]\"?[\w.$]+\"?)\(", line)
        callee = found[1] if found else "?"
        if not re.search(options.callee, callee):
            continue
        what = []
        group = re.search(r"\) (#\d+)", line)
        attribute = group and re.search(r'"memprof"="(\w+)"', groups[group[1]])
        if attribute:
            what.append("attribute " + attribute[1])
        if "memprof" in metadata:
            what += contexts(nodes, metadata["memprof"], names, not options.no_sizes)
        elif options.no_callsites:
            metadata.pop("callsite", None)
        if "callsite" in metadata:
            what.append("callsite " + stack(nodes, metadata["callsite"], names))
        if what:
            where = " < ".join(frames(nodes, metadata.get("dbg")))
            # An indirect callee is a numbered value.
            callee = "indirect" if callee.startswith("%") else callee.replace('"', "")
            lines.append(separator.join(["%s: %s at %s" % (function, callee, where)] + what))
    print("\n".join(sorted(lines)))
    print("%d annotated calls" % len(lines))
    return 0


sys.exit(main())
