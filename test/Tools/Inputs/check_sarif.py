"""check_sarif.py FILE: checks a file against the schema of SARIF 2.1.0, as far as it has what is
written here, and prints a line for each result: file, line, bytes, rule and message."""
import json
import re
import sys

# Of each object: the properties that must be there, and those that may.
FORMS = {
    "log": ({"version": "2.1.0", "runs": ["run"]}, {"$schema": str}),
    "run": ({"tool": "tool"}, {"results": ["result"], "originalUriBaseIds": {"": "artifact"}}),
    "tool": ({"driver": "driver"}, {}),
    "driver": ({"name": str}, {"version": str, "rules": ["rule"]}),
    "rule": ({"id": str}, {"shortDescription": "message", "defaultConfiguration": "setting"}),
    "setting": ({}, {"level": "level"}),
    "message": ({"text": str}, {}),
    "result": ({"message": "message"},
               {"ruleId": str, "ruleIndex": int, "level": "level", "locations": ["location"],
                "stacks": ["stack"], "partialFingerprints": {"": str}, "properties": {"": int}}),
    "location": ({}, {"physicalLocation": "physical", "logicalLocations": ["logical"]}),
    "physical": ({"artifactLocation": "artifact"}, {"region": "region"}),
    "artifact": ({"uri": str}, {"uriBaseId": str}),
    "region": ({"startLine": int}, {"startColumn": int}),
    "logical": ({}, {"fullyQualifiedName": str, "kind": str}),
    "stack": ({"frames": ["frame"]}, {}),
    "frame": ({}, {"location": "location"}),
}


def check(value, form, path):
    if form == "level":
        assert value in ("none", "note", "warning", "error"), path
    elif isinstance(form, str) and form not in FORMS:
        assert value == form, path
    elif isinstance(form, type):
        assert isinstance(value, form), path
        assert form is not int or value >= 0, path
    elif isinstance(form, list):
        for number, each in enumerate(value):
            check(each, form[0], f"{path}/{number}")
    elif isinstance(form, dict):
        for key, each in value.items():
            check(each, form[""], f"{path}/{key}")
    else:
        must, may = FORMS[form]
        assert must.keys() <= value.keys() <= (must | may).keys(), (path, value.keys())
        for key, each in value.items():
            check(each, (must | may)[key], f"{path}/{key}")


with open(sys.argv[1]) as file:
    log = json.load(file)
check(log, "log", "")
run, = log["runs"]
rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
assert len(set(rules)) == len(rules)
for base in run["originalUriBaseIds"].values():
    assert re.fullmatch(r"file:///(.*/)?", base["uri"]), base
for result in run["results"]:
    assert rules[result["ruleIndex"]] == result["ruleId"]
    location, = result["locations"]
    artifact = location["physicalLocation"]["artifactLocation"]
    assert re.fullmatch(r"[-/.:~+%\w]+", artifact["uri"]), artifact
    assert artifact.get("uriBaseId", "SRCROOT") in run["originalUriBaseIds"]
    assert ("uriBaseId" in artifact) == (not artifact["uri"].startswith("file:")), artifact
    region = location["physicalLocation"]["region"]
    assert region["startLine"] > 0
    print(f"{artifact['uri']}:{region['startLine']}: {result['properties']['lostBytes']} "
          f"{result['ruleId']}: {result['message']['text']}")
