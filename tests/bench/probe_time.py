#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""probe_time.py BIN: how long `binade-engine probe` takes, from exec to exit, with or without a driver."""
import json
import subprocess
import sys
import time

ROUNDS = 15
BAR = 250


def once(program):
    start = time.perf_counter()
    subprocess.run([program, "probe", "--json"], check=True, stdout=subprocess.PIPE)
    return 1e3 * (time.perf_counter() - start)


def main():
    program = sys.argv[1] + "/binade-engine"
    state = json.loads(subprocess.run([program, "probe", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    times = sorted(once(program) for _ in range(ROUNDS))
    median = times[ROUNDS // 2]
    # Order statistics 4 and 12 of 15 enclose the median with 96 % confidence.
    print(json.dumps({"bench": "profiler.probe", "case": state["cupti"]["state"], "value": median, "low": times[3],
                      "high": times[11], "unit": "ms", "bar": BAR, "better": "lower", "pass": median <= BAR}))


if __name__ == "__main__":
    main()
