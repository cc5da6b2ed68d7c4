#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu.py BIN [MEASUREMENT...]: every measurement that needs a GPU, and where ncu is installed its figures beside ours.

One JSON object a line. What cannot be made on this machine is a line with `state` and `reason`, never a figure. Exit
code: 0 where everything was made, 1 where something failed, 77 where nothing failed and something could not be made.
"""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys

NCU = os.environ.get("NCU", "ncu")
BAR = 5  # points between the live figure and ncu's; 2 is the aim
SHORT = 20  # microseconds: what runs for less is told and not judged
METRIC = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"
TIME = "gpu__time_duration.sum"
NOT_MEASURED = 77
NO_NCU = {"state": "no-ncu", "reason": "ncu (Nsight Compute) is not installed.",
          "next": "Install it (the CUDA Toolkit brings it), or name it in NCU."}
BESIDE = "other tools and users beside sampling"


class Report:
    """Prints lines, and remembers what they mean for the exit code."""

    def __init__(self):
        self.failed = self.lacking = False

    def tell(self, line):
        if line.get("pass") is False:
            self.failed = True
        elif "state" in line and "pass" not in line:
            self.lacking = True
        print(json.dumps(line), flush=True)

    def exit_code(self):
        if self.failed:
            return 1
        return NOT_MEASURED if self.lacking else 0


def nanoseconds(value, unit):
    return value * {"s": 1e9, "second": 1e9, "ms": 1e6, "msecond": 1e6, "us": 1e3, "usecond": 1e3}.get(unit, 1)


def ncu_kernels(program, *work):
    """[(kernel, percent, nanoseconds)] in order of launch, or a line's fields that say why there are none."""
    command = [NCU, "--csv", "--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off",
               "--metrics", f"{METRIC},{TIME}", program, *work]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    # The program's own lines come first; the table begins where its head does.
    start = done.stdout.find('"ID"')
    kernels = {}
    for row in csv.DictReader(io.StringIO(done.stdout[start:] if start >= 0 else "")):
        kernel = kernels.setdefault(row["ID"], [row["Kernel Name"], None, 0.0])
        value = float(row["Metric Value"].replace(",", ""))
        if row["Metric Name"] == METRIC:
            kernel[1] = value
        elif row["Metric Name"] == TIME:
            kernel[2] = nanoseconds(value, row["Metric Unit"])
    found = [tuple(kernel) for kernel in kernels.values() if kernel[1] is not None]
    if found:
        return found
    said = [line for line in (done.stdout + done.stderr).splitlines() if "==ERROR==" in line]
    return {"state": "ncu-failed", "reason": said[0] if said else f"ncu gave no figure (exit code {done.returncode})."}


def by_time(kernels):
    """The mean of their figures, each by its time."""
    total = sum(time for _, _, time in kernels)
    if total <= 0:
        return sum(percent for _, percent, _ in kernels) / len(kernels)
    return sum(percent * time for _, percent, time in kernels) / total


def compare(bench, case, live, theirs, judged=True):
    apart = abs(theirs - live)
    line = {"bench": bench, "case": case, "value": round(apart, 3), "unit": "points", "ncu": round(theirs, 3),
            "live": round(live, 3)}
    if judged:
        line.update({"bar": BAR, "better": "lower", "pass": apart <= BAR})
    return line


def agree(report, program, figures):
    """Each product's live figure beside ncu's."""
    for figure in figures:
        if "live_percent" not in figure:
            continue
        line = {"bench": "gpu.agree_ncu", "case": figure["case"]}
        theirs = ncu_kernels(program, "product", figure["case"]) if shutil.which(NCU) else NO_NCU
        if isinstance(theirs, dict):
            report.tell({**line, **theirs})
        else:
            report.tell(compare(line["bench"], line["case"], figure["live_percent"], by_time(theirs)))


def plain(name):
    """A kernel's name without its arguments, return type and name spaces, as far as two tools can agree on it."""
    return re.split(r"[<(]", name.replace("void ", ""))[0].split("::")[-1].strip()


def sites(report, program, figures, folder):
    """Each op call's live figure beside ncu's, kernel by kernel of one training step."""
    for sample in sorted({figure["case"].split(" ")[0] for figure in figures}):
        head = {"bench": "gpu.sites_ncu", "case": sample}
        if not shutil.which(NCU):
            report.tell({**head, **NO_NCU})
            continue
        with open(os.path.join(folder, f"step-{sample}.json"), encoding="utf-8") as file:
            order = json.load(file)
        theirs = ncu_kernels(program, "step", sample)
        if isinstance(theirs, dict):
            report.tell({**head, **theirs})
            continue
        other = [i for i, (ours, (name, _, _)) in enumerate(zip(order, theirs)) if plain(ours["kernel"]) != plain(name)]
        if len(order) != len(theirs) or other:
            report.tell({**head, "state": "another-step", "pass": False,
                         "reason": f"ncu saw {len(theirs)} kernels and the records have {len(order)}; "
                                   f"{len(other)} are not the same."})
            continue
        calls = {}
        for ours, kernel in zip(order, theirs):
            calls.setdefault(ours["call"], []).append(kernel)
        for figure in figures:
            name = figure["case"].partition(" ")
            if name[0] != sample or "live_percent" not in figure or name[2] not in calls:
                continue
            kernels = calls[name[2]]
            long = sum(time for _, _, time in kernels) > 1e3 * SHORT
            report.tell(compare(head["bench"], figure["case"], figure["live_percent"], by_time(kernels), long))


def watch(program, **options):
    """What a process that only samples says, or why it could not be asked."""
    try:
        done = subprocess.run([program, "watch", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, **options)
        return json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return {"state": "not-asked", "reason": f"The sampling process did not answer: {error}"}


def beside(report, program):
    """Told and not judged: how sampling gets on with other tools, users and processes."""
    with subprocess.Popen([program, "work", "6"]) as work:
        told = watch(program)
        work.wait()
    report.tell({"bench": "gpu.beside", "case": "sampling while another process works",
                 **{key: told[key] for key in ("counters", "samples", "percent", "state", "reason") if key in told}})
    if os.geteuid() == 0:
        told = watch(program, user=65534, group=65534, extra_groups=[])
        report.tell({"bench": "gpu.beside", "case": "sampling as an ordinary user",
                     **{key: told[key] for key in ("counters", "state", "reason") if key in told}})
    else:
        report.tell({"bench": "gpu.beside", "case": "sampling as an ordinary user", "state": "not-root",
                     "reason": "This runs as an ordinary user already: see gpu.probe."})
    if not shutil.which(NCU):
        report.tell({"bench": "gpu.beside", "case": "ncu while we sample", **NO_NCU})
        return
    with subprocess.Popen([program, "watch", "15"], stdout=subprocess.PIPE, text=True) as sampling:
        theirs = ncu_kernels(program, "product", "bfloat16-2048")
        ours = json.loads(sampling.communicate()[0] or "{}")
    report.tell({"bench": "gpu.beside", "case": "ncu while we sample",
                 "ncu": theirs["reason"] if isinstance(theirs, dict) else "measures",
                 "counters": ours.get("counters", "gone")})


def main():
    program = os.path.join(sys.argv[1], "bench_gpu")
    wanted = sys.argv[2:]
    folder = os.path.join(sys.argv[1], os.pardir, "recordings")
    report = Report()
    figures = []
    own = [name for name in wanted if name != "beside"]
    probe = {}
    with subprocess.Popen([program, "--out", folder, *own], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            figure = json.loads(line)
            figures.append(figure)
            report.tell(figure)
            if figure["bench"] == "gpu.probe":
                probe = figure
    if process.returncode not in (0, NOT_MEASURED):
        report.failed = True
    if wanted and "beside" not in wanted:
        usable = False
    else:
        usable = bool(probe) and "state" not in probe
        if not usable:
            report.tell({"bench": "gpu.beside", "case": BESIDE, "state": probe.get("state", "failed"),
                         "reason": probe.get("reason", "bench_gpu did not start.")})
    made = {name: [each for each in figures if each["bench"] == f"gpu.{name}" and "live_percent" in each]
            for name in ("agree", "sites")}
    agree(report, program, made["agree"])
    sites(report, program, made["sites"], folder)
    if usable:
        beside(report, program)
    return report.exit_code()


if __name__ == "__main__":
    sys.exit(main())
