#!/usr/bin/env python3
"""Writes status.sample: an invented package database in dpkg's format, for
machines that have none. The same on every run."""

import random

random.seed(22)

AREAS = ["net", "text", "image", "audio", "crypto", "math", "font", "kernel"]
ROOTS = ["alder", "birch", "cedar", "dahlia", "elm", "fern", "gorse", "hazel",
         "iris", "juniper", "kelp", "larch", "maple", "nettle", "oak"]
KINDS = [("", "utils"), ("-common", "utils"), ("-dev", "libdevel"),
         ("-doc", "doc")]
WORDS = """the package provides tools which read write and convert files of
many formats for programs that handle large amounts of data with little memory
it also contains a library whose interface is stable since its first release
and examples that show common uses such as filters servers and batch jobs""".split()


def version():
    epoch = "1:" if random.random() < 0.1 else ""
    return "%s%d.%d.%d%s-%d" % (epoch, random.randint(0, 9), random.randint(0, 30),
                                random.randint(0, 9),
                                random.choice(["", "", "~rc1", "+ds"]),
                                random.randint(1, 5))


def prose(count):
    words = [random.choice(WORDS) for _ in range(count)]
    lines = [" ".join(words[i:i + 11]) for i in range(0, count, 11)]
    return "\n".join(" " + line for line in lines)


def limit(name, versions):
    if random.random() < 0.4 and name in versions:
        upstream = versions[name].split("-")[0]
        return "%s (>= %s)" % (name, upstream)
    return name


def main():
    names = ["libbase", "libmath0", "shell"]
    for root in ROOTS:
        for area in AREAS:
            for suffix, _ in random.sample(KINDS, 2):
                names.append("%s-%s%s" % (root, area, suffix))
    versions = {name: version() for name in names}
    paragraphs = []
    for place, name in enumerate(names):
        fields = [("Package", name), ("Status", "install ok installed"),
                  ("Priority", random.choice(["optional", "required", "extra"])),
                  ("Section", next(s for k, s in reversed(KINDS) if name.endswith(k))),
                  ("Installed-Size", str(random.randint(20, 90000))),
                  ("Maintainer", "Keepers of %s <%s@packages.example>" %
                   (name.split("-")[0].title(), name.split("-")[0])),
                  ("Architecture", "amd64"), ("Version", versions[name])]
        earlier = names[:place]
        if earlier:
            needed = random.sample(earlier, min(len(earlier), random.randint(1, 6)))
            clauses = [limit(other, versions) for other in needed]
            if random.random() < 0.3:
                clauses.append(" | ".join(
                    ["absent-%s" % random.choice(AREAS)] +
                    random.sample(earlier, min(len(earlier), random.randint(1, 4)))))
            fields.append(("Depends", ", ".join(clauses)))
        for field, chance in [("Recommends", 0.3), ("Suggests", 0.5),
                              ("Breaks", 0.3), ("Replaces", 0.2), ("Conflicts", 0.1)]:
            if random.random() < chance:
                others = random.sample(names, random.randint(1, 3))
                fields.append((field, ", ".join("%s (<< %s)" % (o, version())
                                                for o in others)))
        if random.random() < 0.15:
            fields.append(("Provides", "virtual-%s" % random.choice(AREAS)))
        if random.random() < 0.2:
            fields.append(("Conffiles", "\n" + "\n".join(
                " /etc/%s/%s.conf %032x" % (name, part, random.getrandbits(128))
                for part in ["main", "site"])))
        fields.append(("Description", "%s for everyday use\n%s\n .\n%s" %
                       (name, prose(random.randint(15, 44)),
                        prose(random.randint(10, 30)))))
        fields.append(("Homepage", "https://%s.example/" % name))
        paragraphs.append("\n".join("%s: %s" % (k, v) if not v.startswith("\n")
                                    else "%s:%s" % (k, v) for k, v in fields))
    with open("status.sample", "w") as out:
        out.write("\n\n".join(paragraphs) + "\n\n")


main()
