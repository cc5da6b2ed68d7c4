#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu.py BIN [MEASUREMENT...]: every measurement that needs a GPU, and where ncu is installed its figures beside ours.

One JSON object a line, on standard output and in recordings/gpu.jsonl beside BIN. What matters most comes first, and
each measurement has a process and a time limit of its own: one that crashes or hangs costs the others nothing. What
cannot be made on this machine is a line with `state` and `reason`, never a figure. Where BINADE_GPU_SECONDS is set,
nothing is begun after so many seconds. Exit code: 0 where everything was made, 1 where something failed, 77 where
nothing failed and something could not be made.
"""
import csv
import glob
import io
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

# Folders of NVIDIA's packages, in case ncu is not in PATH.
PLACES = sorted(glob.glob("/opt/nvidia/nsight-compute/*/ncu") + glob.glob("/usr/local/cuda*/bin/ncu"))
NCU = os.environ.get("NCU") or shutil.which("ncu") or (PLACES[-1] if PLACES else "ncu")
BAR = 5  # largest difference in points between the live figure and ncu's; the aim is 2
SHORT = 20  # microseconds; shorter work is reported and not judged
METRIC = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"
TIME = "gpu__time_duration.sum"
NOT_MEASURED = 77
NO_NCU = {"state": "no-ncu", "reason": "ncu (Nsight Compute) is not installed.",
          "next": "Install it (the CUDA Toolkit brings it), or name it in NCU."}
# measurements without counters, made even if querying counters crashes or hangs
BLIND = ["libtorch", "autocast", "observe"]
BESIDE = "other tools and users beside sampling"
LIMIT = float(os.environ.get("BINADE_GPU_LIMIT", "240"))  # seconds per process
BUDGET = float(os.environ.get("BINADE_GPU_SECONDS", "inf"))  # seconds in total
BEGUN = time.monotonic()


class Report:
    """Prints lines, and remembers what they mean for the exit code."""

    def __init__(self, file):
        self.failed = self.lacking = False
        self.file = file

    def tell(self, line):
        if line.get("pass") is False:
            self.failed = True
        elif "state" in line and "pass" not in line:
            self.lacking = True
        print(json.dumps(line), flush=True)
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def exit_code(self):
        if self.failed:
            return 1
        return NOT_MEASURED if self.lacking else 0


def lines_of(command, limit=LIMIT):
    """(object, None) for each line as it comes, and at last (None, what went wrong or None)."""
    ended = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        def end():
            ended.append(True)
            process.kill()
        timer = threading.Timer(limit, end)
        timer.start()
        try:
            for line in process.stdout:
                try:
                    yield json.loads(line), None
                except ValueError:
                    print(line, end="", file=sys.stderr)
        finally:
            timer.cancel()
    if ended:
        yield None, f"It took more than {limit:g} seconds and was ended."
    elif process.returncode < 0:
        yield None, f"It ended by {signal.Signals(-process.returncode).name}."
    elif process.returncode not in (0, NOT_MEASURED):
        yield None, f"It ended with the exit code {process.returncode}."
    else:
        yield None, None


def machine():
    """What the figures were made on, as far as it can be told."""
    line = {"bench": "gpu.machine", "case": platform.machine(), "system": platform.platform(), "cores": os.cpu_count()}
    asked = "name,driver_version,clocks.max.sm,clocks.max.mem,power.limit,mig.mode.current,memory.total"
    try:
        told = subprocess.run(["nvidia-smi", f"--query-gpu={asked}", "--format=csv,noheader"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=20, check=True).stdout.splitlines()
        line.update(zip(asked.split(","), told[0].split(", ")))
    except (OSError, IndexError, subprocess.SubprocessError):
        pass
    try:
        with open("/proc/driver/nvidia/params", encoding="utf-8") as file:
            line.update(entry.strip().split(": ") for entry in file if entry.startswith("RmProfilingAdminOnly"))
    except (OSError, ValueError):
        pass
    return line


def nanoseconds(value, unit):
    return value * {"s": 1e9, "second": 1e9, "ms": 1e6, "msecond": 1e6, "us": 1e3, "usecond": 1e3}.get(unit, 1)


def ncu_kernels(program, *work):
    """[(kernel, percent, nanoseconds)] in order of launch, or a line's fields that say why there are none."""
    command = [NCU, "--csv", "--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off",
               "--metrics", f"{METRIC},{TIME}", program, *work]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"state": "ncu-failed", "reason": f"ncu took more than {LIMIT:g} seconds."}
    # The program's own lines precede the table, which starts with its header.
    start = done.stdout.find('"ID"')
    kernels = {}
    for row in csv.DictReader(io.StringIO(done.stdout[start:] if start >= 0 else "")):
        kernel = kernels.setdefault(row["ID"], [row["Kernel Name"], None, 0.0])
        try:
            value = float(row["Metric Value"].replace(",", ""))
        except (AttributeError, ValueError):
            continue  # value is n/a
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
    name = re.sub(r"\(anonymous namespace\)::|<unnamed>::", "", name.replace("void ", ""))
    return re.split(r"[<(]", name)[0].split("::")[-1].strip()


def sites(report, program, figures, folder):
    """Each op call's live figure beside ncu's, kernel by kernel of one training step."""
    for sample in sorted({figure["case"].split(" ")[0] for figure in figures}):
        head = {"bench": "gpu.sites_ncu", "case": sample}
        if not shutil.which(NCU):
            report.tell({**head, **NO_NCU})
            continue
        try:
            with open(os.path.join(folder, f"step-{sample}.json"), encoding="utf-8") as file:
                order = json.load(file)
        except (OSError, ValueError) as error:
            report.tell({**head, "state": "no-record", "reason": f"The step's kernels were not written: {error}",
                         "pass": False})
            continue
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
        with open(os.path.join(folder, f"ncu-{sample}.json"), "w", encoding="utf-8") as file:
            json.dump([{"op": ours["op"], "percent": percent, "ns": length}
                       for ours, (_, percent, length) in zip(order, theirs)], file)
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
                              check=False, timeout=LIMIT, **options)
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
        try:
            ours = json.loads(sampling.communicate(timeout=LIMIT)[0] or "{}")
        except (ValueError, subprocess.TimeoutExpired):
            sampling.kill()
            ours = {}
    report.tell({"bench": "gpu.beside", "case": "ncu while we sample",
                 "ncu": theirs["reason"] if isinstance(theirs, dict) else "measures",
                 "counters": ours.get("counters", "gone")})


def measure(report, program, folder, name):
    """Makes one measurement in a process of its own; returns its figures."""
    figures = []
    for figure, wrong in lines_of([program, "--out", folder, name]):
        if figure is not None:
            figures.append(figure)
            report.tell(figure)
        elif wrong and not any(each.get("state") == "failed" for each in figures):
            report.tell({"bench": f"gpu.{name}", "case": name, "state": "failed", "reason": wrong, "pass": False})
    return figures


def in_time(report, name):
    if time.monotonic() - BEGUN <= BUDGET:
        return True
    report.tell({"bench": f"gpu.{name}", "case": name, "state": "no-time",
                 "reason": f"{BUDGET:g} seconds were over before it could begin."})
    return False


def states(report, program, folder, wanted):
    """The head of the figures, and a line for each wanted measurement that cannot be made here."""
    probe = {}
    for figure, wrong in lines_of([program, "--out", folder, "states"], min(LIMIT, 60)):
        if wrong:
            report.tell({"bench": "gpu.probe", "case": "states", "state": "failed", "reason": wrong, "pass": False})
        elif figure is not None and figure["bench"] == "gpu.probe":
            probe = figure
            report.tell(figure)
        elif figure is not None and (not wanted or figure["bench"].removeprefix("gpu.") in wanted):
            report.tell(figure)
    return probe


def main():
    program = os.path.join(sys.argv[1], "bench_gpu")
    wanted = sys.argv[2:]
    folder = os.path.join(sys.argv[1], os.pardir, "recordings")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "gpu.jsonl"), "a", encoding="utf-8") as file:
        report = Report(file)
        report.tell(machine())
        probe = states(report, program, folder, wanted)
        for name in probe.get("makes", [] if probe else BLIND):
            if (wanted and name not in wanted) or not in_time(report, name):
                continue
            live = [figure for figure in measure(report, program, folder, name) if "live_percent" in figure]
            if name == "agree":
                agree(report, program, live)
            elif name == "sites":
                sites(report, program, live, folder)
        if not wanted or "beside" in wanted:
            if not probe or "state" in probe:
                report.tell({"bench": "gpu.beside", "case": BESIDE, "state": probe.get("state", "failed"),
                             "reason": probe.get("reason", "bench_gpu did not start.")})
            elif in_time(report, "beside"):
                beside(report, program)
        return report.exit_code()


if __name__ == "__main__":
    sys.exit(main())
