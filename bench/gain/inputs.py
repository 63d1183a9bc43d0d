#===- bench/gain/inputs.py - Inputs that are made with a seed --------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Files that programs read, made when a run first needs them, the same on each machine."""

import json
import random

WORDS = "amber basalt cedar delta ember fjord garnet harbor island juniper".split()


class Draw(random.Random):
    """Numbers by a fixed seed, and texts of a few words."""

    def word(self):
        return self.choice(WORDS)

    def text(self, words):
        return " ".join(self.word() for _ in range(words))


def made(file, size, seed, write):
    """The arguments of a run on `file`, which `write` makes unless it is there: of the open file,
    what to draw from, and the amount."""
    if not file.exists():
        with open(file, "w") as out:
            write(out, Draw(seed), size.amount)
    return [str(file), str(size.rounds)]


def write_issues(out, draw, amount):
    """A list of issues in JSON, as a forge's API gives it: few fields that one asks for, and many
    addresses."""
    items = []
    for number in range(amount):
        address = f"https://api.example.com/repos/garnet/{draw.word()}/issues/{number}"
        items.append({
            "id": number, "url": address, "comments_url": f"{address}/comments",
            "events_url": f"{address}/events", "labels_url": f"{address}/labels",
            "title": f"{draw.text(5)} {number}",
            "author": {"login": f"user{draw.randrange(5000)}", "url": f"/users/{number}"},
            "labels": [draw.word() for _ in range(draw.randrange(4))],
            "state": draw.choice(["open", "closed", "merged"]), "open": draw.random() < 0.5,
            "blocks": draw.randrange(amount), "comments": draw.randrange(40),
            "created": f"2026-01-{number % 28 + 1:02}", "body": draw.text(30)})
    json.dump(items, out)
