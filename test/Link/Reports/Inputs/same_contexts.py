"""same_contexts.py CSV JSON: checks that both reports of a link have the same contexts."""
import csv
import json
import sys

with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file, strict=True))
with open(sys.argv[2]) as file:
    contexts = json.load(file)["contexts"]


def text(value):
    return json.dumps(value) if isinstance(value, (bool, int)) else value


assert rows and len(rows) == len(contexts), (rows, contexts)
for row, context in zip(rows, contexts):
    for key in ("context", "id", "owner", "bytes", "cold", "hintedCold", "separable", "outcome"):
        assert row[key] == text(context[key]), (key, row, context)
    assert row["collidesWith"] == text(context.get("collidesWith", "")), (row, context)
    assert len(row["frames"].split("; ")) == len(context["frames"]), (row, context)
    for shown, frame in zip(row["frames"].split("; "), context["frames"]):
        assert shown.endswith(f":{frame['column']}"), (row, context)
