"""Reads what `thermo-profdata export` writes, for scripts in Python: from exported import load.

Contexts then have all that belongs to them: `measures`, by name; `frames`, leaf first, each with the
`function`, its id, and the `name`; `type`, the text; and `allocatedIn`, the names of binaries. The
tables that the file has instead (docs/profdata.md) are there as well. A raw profile has no tables,
and stays as it is.
"""

import json


def load(path):
    with open(path) as file:
        return loads(file.read())


def loads(text):
    profile = json.loads(text)
    if "stacks" not in profile:
        return profile
    frames = []
    for frame in profile["frames"]:
        function = profile["functions"][frame["function"]]
        frame = dict(frame, function=function["id"])
        if "name" in function:
            frame["name"] = function["name"]
        frames.append(frame)
    frame_of, caller_of = profile["stacks"]["frame"], profile["stacks"]["caller"]
    for context in profile["contexts"]:
        context["measures"] = dict(zip(profile["measures"], context["measures"]))
        context["frames"] = []
        stack = context["stack"]
        while stack >= 0:
            context["frames"].append(frames[frame_of[stack]])
            stack = caller_of[stack]
        if "type" in context:
            context["type"] = profile["types"][context["type"]]
        if "allocatedIn" in context:
            context["allocatedIn"] = [profile["binaries"][i]["name"] for i in context["allocatedIn"]]
    return profile
