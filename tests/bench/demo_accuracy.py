#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""demo.accuracy: what the demo promises, measured as its user would see it.

First the demo itself: accuracy on the test half, seconds, and when the first skip, back-off and growth were seen. Then
three seeds of the same run in float16 and in float32: how far their accuracies are apart.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

SEEDS = (1, 2, 3)


def say(case, value, unit, bar, better):
    met = value <= bar if better == "lower" else value >= bar
    figure = {"bench": "demo.accuracy", "case": case, "value": round(value, 4), "unit": unit}
    print(json.dumps(figure | {"bar": bar, "better": better, "pass": met}), flush=True)


def run(program, *options):
    """Runs the demo; returns its events, each with the seconds since the start."""
    start = time.monotonic()
    events = []
    command = [program, "demo", "--json", "--run-file", "none", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        for line in process.stdout:
            events.append(json.loads(line) | {"at": time.monotonic() - start})
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return events


def accuracy(events):
    return [event["accuracy"] for event in events if event["event"] == "evaluated"][-1]


def first(events, shows):
    """Seconds until two steps in a row, a then b, show something."""
    steps = [event for event in events if event["event"] == "step"]
    return next((after["at"] for before, after in zip(steps, steps[1:]) if shows(before, after)), float("inf"))


def main():
    program = os.path.join(sys.argv[1], "binade-engine")
    events = run(program)
    say("test accuracy", accuracy(events), "share", 0.85, "higher")
    say("whole demo", events[-1]["at"], "s", 180, "lower")
    say("first skip seen", first(events, lambda a, b: not a["stepped"]), "s", 60, "lower")
    say("first back-off seen", first(events, lambda a, b: b["scale"] < a["scale"]), "s", 60, "lower")
    say("first growth seen", first(events, lambda a, b: b["scale"] > a["scale"]), "s", 60, "lower")

    half = [accuracy(run(program, "--seed", str(seed))) for seed in SEEDS]
    with tempfile.NamedTemporaryFile("w", suffix=".policy.json") as policy:
        policy.write('{ "binade_policy": 1, "name": "float32", "base": "all-float32" }\n')
        policy.flush()
        full = [accuracy(run(program, "--seed", str(seed), "--policy", policy.name)) for seed in SEEDS]
    apart = abs(statistics.mean(half) - statistics.mean(full))
    say(f"float16 against float32, {len(SEEDS)} seeds", 100 * apart, "points", 1, "lower")


if __name__ == "__main__":
    main()
