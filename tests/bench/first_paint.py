#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""app.first_paint: from exec to the end of the explorer's first paint, in a fresh process each time, offscreen unless
QT_QPA_PLATFORM names another platform."""
import json
import os
import statistics
import subprocess
import sys
import time

RUNS = 15
BAR = 150.0


def main():
    program = os.path.join(sys.argv[1], "binade")
    environment = {"QT_QPA_PLATFORM": "offscreen"} | os.environ | {"BINADE_EXIT_AFTER_PAINT": "1"}
    times = []
    for _ in range(RUNS + 1):
        start = time.monotonic()
        subprocess.run([program], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(1000 * (time.monotonic() - start))
    # The first run reads the program from disk and is dropped.
    times = sorted(times[1:])
    median = statistics.median(times)
    figure = {"bench": "app.first_paint", "case": f"empty window, {environment['QT_QPA_PLATFORM']}", "value": round(median, 1)}
    figure |= {"low": round(times[3], 1), "high": round(times[-4], 1), "unit": "ms"}
    print(json.dumps(figure | {"bar": BAR, "better": "lower", "pass": median <= BAR}))


if __name__ == "__main__":
    main()
