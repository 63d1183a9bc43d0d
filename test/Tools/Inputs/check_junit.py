"""check_junit.py FILE: checks a file against what CI servers take for JUnit's XML, and prints a
line for each test: its name, "passed" or "failed", and what was seen."""
import sys
import xml.etree.ElementTree

ATTRIBUTES = {
    "testsuites": {"tests", "failures"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"classname", "name"},
    "failure": {"message"},
    "system-out": set(),
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "system-out"},
    "failure": set(),
    "system-out": set(),
}


def check(element):
    assert set(element.attrib) == ATTRIBUTES[element.tag], (element.tag, element.attrib)
    for child in element:
        assert child.tag in CHILDREN[element.tag], (element.tag, child.tag)
        check(child)


root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
assert root.tag == "testsuites"
check(root)
for of in [root, *root]:
    assert int(of.get("tests")) == len(list(of.iter("testcase"))), of.attrib
    assert int(of.get("failures")) == len(list(of.iter("failure"))), of.attrib
for case in root.iter("testcase"):
    failure = case.find("failure")
    seen = case.findtext("system-out") if failure is None else failure.get("message")
    print(f"{case.get('name')}: {'passed' if failure is None else 'failed'}: {seen}")
