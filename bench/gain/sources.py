#===- bench/gain/sources.py - Source packages of the machine's archive -----===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Fetches source packages from where the machine gets its packages.

The machine's configuration stays as it is. The bench has an apt folder of its own, with sources,
lists and cache in it. Its sources are the machine's, in each form that apt reads, with deb-src for
deb.
"""

import functools
import os
import pathlib
import re
import subprocess

from bench_error import BenchError, run

ONE_LINE = re.compile(r"^\s*deb(-src)?\s+(.*\S)\s*$")


def source_lines(text):
    """The deb-src lines that a file in apt's one-line form (`.list`) leads to, each once."""
    lines = []
    for line in text.splitlines():
        entry = ONE_LINE.match(line.split("#", 1)[0])
        if entry:
            # Source packages are of no architecture.
            words = re.sub(r"\barch=\S+?(?=[\s\]])", "", entry[2])
            words = re.sub(r"\s+", " ", words).replace("[ ", "[").replace(" ]", "]")
            line = "deb-src " + re.sub(r"^\[\] ", "", words)
            if line not in lines:
                lines.append(line)
    return "".join(line + "\n" for line in lines)


def source_stanzas(text):
    """The stanzas of source packages that a file in apt's deb822 form (`.sources`) leads to, each
    once. Disabled stanzas lead to none."""
    stanzas = []
    for stanza in re.split(r"\n(?:[ \t]*\n)+", text):
        fields, name = {}, None
        for line in stanza.splitlines():
            if line.startswith("#"):
                continue
            if line[:1] in (" ", "\t") and name:
                fields[name].append(line)
            elif ":" in line:
                name = line.split(":", 1)[0].strip().lower()
                fields[name] = [line]
        if "types" not in fields or "uris" not in fields:
            continue
        enabled = fields.pop("enabled", ["Enabled: yes"])[0].split(":", 1)[1].strip().lower()
        if enabled in ("no", "false", "off", "without", "disable", "0"):
            continue
        # Source packages are of no architecture.
        fields.pop("architectures", None)
        fields["types"] = ["Types: deb-src"]
        new = "\n".join(line for lines in fields.values() for line in lines)
        if new not in stanzas:
            stanzas.append(new)
    return "\n\n".join(stanzas) + "\n" if stanzas else ""


def machine_sources():
    """The machine's files of sources."""
    said = run(["apt-config", "shell", "FILE", "Dir::Etc::sourcelist/f", "FOLDER",
                "Dir::Etc::sourceparts/d"])
    named = dict(re.findall(r"^(\w+)='(.*)'$", said, re.M))
    folder = pathlib.Path(named.get("FOLDER", "/etc/apt/sources.list.d"))
    files = [pathlib.Path(named.get("FILE", "/etc/apt/sources.list")), *sorted(folder.glob("*"))]
    return [file for file in files if file.suffix in (".list", ".sources") and file.is_file()]


class Archive:
    """Source packages, fetched into a folder."""

    def __init__(self, folder):
        self.folder = folder

    @functools.cached_property
    def config(self):
        """apt's configuration of the bench, with the lists of packages fetched."""
        parts = self.folder / "parts"
        for name in (parts, self.folder / "state/lists/partial",
                     self.folder / "cache/archives/partial"):
            name.mkdir(parents=True, exist_ok=True)
        found = False
        for file in machine_sources():
            make = source_lines if file.suffix == ".list" else source_stanzas
            text = make(file.read_text())
            if text:
                found = True
                (parts / file.name).write_text(text)
        if not found:
            raise BenchError("apt has no sources on this machine, so there are no source packages")
        config = self.folder / "apt.conf"
        config.write_text("".join(f"{line};\n" for line in [
            'Dir::Etc::SourceList "/dev/null"', f'Dir::Etc::SourceParts "{parts}"',
            f'Dir::State "{self.folder}/state"', f'Dir::Cache "{self.folder}/cache"',
            'Dir::State::status "/dev/null"', 'APT::Sandbox::User "root"',
            # What the machine does after an update is for its own lists.
            "#clear APT::Update::Post-Invoke", "#clear APT::Update::Post-Invoke-Success"]))
        # One archive that is out of reach, or has no source packages, does not matter if another
        # one has the package.
        update = subprocess.run(["apt-get", "-c", str(config), "update", "-q"],
                                capture_output=True, text=True)
        self.said = (update.stdout + update.stderr).strip().splitlines()
        return config

    def versions(self, package):
        """The versions of a source package, newest first."""
        # apt-cache fails if there is none.
        done = subprocess.run(["apt-cache", "-c", str(self.config), "showsrc", "--only-source",
                               package], capture_output=True, text=True)
        found = set(re.findall(r"^Version: (\S+)", done.stdout, re.M))
        if not found:
            errors = [line for line in self.said if line.startswith(("E:", "W:"))]
            raise BenchError("\n".join([f"apt finds no source package '{package}'", *errors[:5]]))

        def order(one, other):
            return 1 if subprocess.run(["dpkg", "--compare-versions", one, "lt", other]
                                       ).returncode == 0 else -1
        return sorted(found, key=functools.cmp_to_key(order))

    def tree(self, package):
        """The unpacked source of a package, with its version."""
        tree = self.folder.parent / "sources" / package
        stamp = tree.with_name(package + ".version")
        if stamp.exists():
            return tree, stamp.read_text()
        tree.parent.mkdir(parents=True, exist_ok=True)
        run(["rm", "-rf", tree])
        errors = []
        # A mirror may lack the files of the newest version.
        for version in self.versions(package):
            folder = self.folder / "packages" / f"{package}_{version.replace(':', '%')}"
            folder.mkdir(parents=True, exist_ok=True)
            try:
                run(["apt-get", "-c", self.config, "source", "-qq", "--download-only",
                     f"{package}={version}"], cwd=folder)
                run(["dpkg-source", "--no-check", "-x", next(folder.glob("*.dsc")), tree],
                    env=dict(os.environ, LC_ALL="C"))
            except BenchError as error:
                errors.append(str(error))
                continue
            stamp.write_text(version)
            return tree, version
        raise BenchError(f"cannot fetch the source of {package}: " + "; ".join(errors))
