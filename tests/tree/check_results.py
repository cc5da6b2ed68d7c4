#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what CTest wrote (--output-junit) and says what ran, down to the single test function.

With --features, every row of that list that names a test (`<ctest name>::<function>`) must find it among those that
ran and passed: a feature is not shown by a test that was renamed, skipped or left out of the build. A row with
`statement` names a heading instead, which the test tree.Features checks.

The last line is `N passed, N failed, N skipped`; the exit code is 0 where nothing failed.
"""
import argparse
import csv
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict

# A line of Qt Test: `PASS   : Suite::function(row)`.
LINE = re.compile(r"^(PASS|FAIL!|SKIP|XPASS|BPASS|BFAIL)\s*: (?:\w+::)*(\w+)\(", re.MULTILINE)
FRAME = {"initTestCase", "cleanupTestCase"}


class Results:
    """What ran: counts, and the outcomes of every function by `<ctest name>::<function>`."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.functions = defaultdict(set)
        self.broken = []

    def add(self, name, status, output):
        outcomes = LINE.findall(output)
        failed = 0
        for outcome, function in outcomes:
            self.functions[f"{name}::{function}"].add(outcome)
            if outcome in ("FAIL!", "XPASS"):
                failed += 1
            elif function in FRAME:
                continue
            elif outcome == "PASS":
                self.passed += 1
            else:
                self.skipped += 1
        if status == "disabled":
            self.skipped += 1
        elif status != "run" and failed == 0:
            # Crashed, timed out or not built: no function could report it.
            failed = 1
            self.broken.append(name)
        elif not outcomes:
            self.passed += 1
        self.failed += failed

    def shows(self, test):
        """None where `test` ran and passed, else why not."""
        outcomes = self.functions.get(test)
        if not outcomes:
            return "did not run"
        if outcomes & {"FAIL!", "XPASS"} or test.rpartition("::")[0] in self.broken:
            return "failed"
        return None if "PASS" in outcomes else "was skipped"


def read_results(path):
    results = Results()
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        status = case.get("status", "fail")
        results.add(case.get("name"), status, case.findtext("system-out") or "")
    return results


def check_features(path, results):
    """Prints each feature whose test does not show it; returns how many there are."""
    missing = named = still_open = statements = 0
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["test"] == "open":
                still_open += 1
                continue
            if row["test"].startswith("statement "):
                statements += 1
                continue
            named += 1
            why = results.shows(row["test"])
            if why:
                missing += 1
                print(f"{row['id']} ({row['feature']}): {row['test']} {why}")
    print(
        f"features: {named} of {named + still_open + statements} name their test, {statements} are statements, "
        f"{still_open} are open, {missing} not shown"
    )
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--junit", required=True, help="what ctest --output-junit wrote")
    parser.add_argument("--features", help="the feature list to hold against it")
    arguments = parser.parse_args()

    results = read_results(arguments.junit)
    for name in results.broken:
        print(f"{name} crashed, timed out or did not start")
    missing = check_features(arguments.features, results) if arguments.features else 0
    failed = results.failed + missing
    print(f"{results.passed} passed, {failed} failed, {results.skipped} skipped")
    return 1 if failed or results.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
