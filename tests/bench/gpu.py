#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu.py BIN: every measurement that needs a GPU, and where ncu is installed its figure beside ours.

One JSON object a line. Without a GPU each says why it was not made; nothing then is a failure.
"""
import csv
import io
import json
import shutil
import subprocess
import sys

BAR = 5  # points between the live figure and ncu's
METRIC = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"


def ncu_percent(program, case):
    """ncu's figure for the product's kernel: the mean of three launches behind the warm-up."""
    command = ["ncu", "--csv", "--clock-control", "none", "--cache-control", "none", "--launch-skip", "4",
               "--metrics", METRIC, "-k", "regex:gemm|nvjet|cutlass|xmma", "-c", "3", program, "run", case]
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
    table = text[text.find('"ID"'):]
    values = [float(row["Metric Value"].replace(",", "")) for row in csv.DictReader(io.StringIO(table))
              if row.get("Metric Name") == METRIC]
    return sum(values) / len(values) if values else None


def main():
    program = sys.argv[1] + "/bench_gpu"
    process = subprocess.Popen([program], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        figure = json.loads(line)
        print(json.dumps(figure), flush=True)
        if figure["bench"] != "gpu.together" or "live_percent" not in figure:
            continue
        if not shutil.which("ncu"):
            print(json.dumps({"bench": "gpu.ncu", "case": figure["case"], "reason": "ncu is not installed"}), flush=True)
            continue
        theirs = ncu_percent(program, figure["case"])
        if theirs is None:
            print(json.dumps({"bench": "gpu.ncu", "case": figure["case"], "reason": "ncu gave no figure"}), flush=True)
            continue
        apart = abs(theirs - figure["call_percent"])
        print(json.dumps({"bench": "gpu.ncu", "case": figure["case"], "value": apart, "unit": "points", "ncu": theirs,
                          "bar": BAR, "better": "lower", "pass": apart <= BAR}), flush=True)
    return process.wait()


if __name__ == "__main__":
    sys.exit(main())
