#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks and passes their figures on: one JSON object a line. With --table, a Markdown table instead.

A measurement that cannot be made on this machine is a line with `state` and `reason` in place of a figure. The exit code
is 1 where a figure misses its bar or a benchmark failed; where benchmarks were named it is 77 if nothing failed and one of
them could not be measured here.
"""
import argparse
import datetime
import json
import os
import platform
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# For benchmarks of PyTorch; without it they state why they are not measured.
PYTHON = os.environ.get("BINADE_PYTHON") or sys.executable

# name -> command that prints its figures; {bin} is the folder of built programs.
BENCHES = {
    "apex.levels": ["{bin}/bench_apex"],
    "engine.step_vs_native": ["{bin}/bench_engine", "step_vs_native"],
    "engine.step_vs_autocast": ["{bin}/bench_engine", "step_vs_autocast"],
    "engine.memory_vs_autocast": ["{bin}/bench_engine", "memory_vs_autocast"],
    "engine.emulated_vs_float32": ["{bin}/bench_emulation"],
    "scaled.step": ["{bin}/bench_scaled"],
    "scaled.losses": [PYTHON, f"{HERE}/decoder.py", "{bin}"],
    "engine.bookkeeping": ["{bin}/bench_bookkeeping", "per_call"],
    "engine.policy_swap": ["{bin}/bench_bookkeeping", "policy_swap"],
    "confine.step": ["{bin}/bench_confine", "step"],
    "confine.check": ["{bin}/bench_confine", "check"],
    "export.step_vs_engine": ["{bin}/bench_exported_step"],
    "export.time": ["{bin}/bench_export_time", "{bin}/binade-engine"],
    "export.python_vs_autocast": [PYTHON, f"{HERE}/pytorch_export.py", "{bin}/binade-engine"],
    "train.checkpoint_vs_copy": ["{bin}/bench_checkpoint"],
    "train.prefetch_vs_memory": ["{bin}/bench_prefetch"],
    "observe.measure": ["{bin}/bench_measure"],
    "observe.levels": ["{bin}/bench_observing"],
    "scaler.vs_kernels": ["{bin}/bench_scaler", "vs_kernels"],
    "scaler.fused_adamw": ["{bin}/bench_scaler", "fused_adamw"],
    "trial.cost": ["{bin}/bench_trial"],
    "trial.verdicts": ["{bin}/bench_trial_verdicts"],
    "search.repair": ["{bin}/bench_search"],
    "search.time": ["{bin}/bench_search_time"],
    "profiler.attribution": ["{bin}/bench_profiler", "attribution"],
    "profiler.marks": ["{bin}/bench_profiler", "marks"],
    "profiler.decode": ["{bin}/bench_profiler", "decode"],
    "profiler.probe": [sys.executable, f"{HERE}/probe_time.py", "{bin}"],
    "gpu": [sys.executable, f"{HERE}/gpu.py", "{bin}"],
    "app.first_paint": [sys.executable, f"{HERE}/first_paint.py", "{bin}"],
    "app.lessons": ["{bin}/bench_lessons", f"{HERE}/../../resources/lessons"],
    "gui.charts": ["{bin}/bench_gui_charts"],
    "gui.graph": ["{bin}/bench_gui_graph"],
    "gui.latency": ["{bin}/bench_gui_latency"],
    "gui.open": ["{bin}/bench_gui_open"],
    "ranks": [sys.executable, f"{HERE}/ranks.py", "{bin}"],
    "report": ["{bin}/bench_report"],
    "soak": [sys.executable, f"{HERE}/soak.py", "{bin}"],
    "demo.accuracy": [sys.executable, f"{HERE}/demo_accuracy.py", "{bin}"],
    "build": [sys.executable, f"{HERE}/build_time.py"],
}
ON_REQUEST = ("build", "scaled.losses")  # run only if they are named: they take a quarter of an hour and more


NOT_MEASURED = 77  # exit code of a benchmark, and of this script


def figures(name, folder):
    """Runs one benchmark; yields its figures, or one failed figure."""
    command = [word.format(bin=folder) for word in BENCHES[name]]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        yield json.loads(line)
    if process.wait() not in (0, NOT_MEASURED):
        yield {"bench": name, "case": f"exit code {process.returncode}", "pass": False}


def machine():
    """The machine in words, for the head of the table."""
    model = platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return f"{model}, {os.cpu_count()} cores, {platform.freedesktop_os_release()['PRETTY_NAME']}"


def commit():
    """The commit that was built, in words."""
    def git(*words):
        return subprocess.run(["git", "-C", HERE, *words], capture_output=True, text=True).stdout.strip()
    name = git("rev-parse", "--short=8", "HEAD")
    changed = " with changes" if git("status", "--porcelain", "--untracked-files=no") else ""
    return f"commit {name}{changed}" if name else "no commit"


def number(value):
    if value is None:
        return ""
    return f"{value:.4g}" if abs(value) < 10000 else f"{value:.0f}"


def details(figure):
    """What a line without one figure says, in words."""
    told = [f"{key} {number(value) if isinstance(value, float) else value}" for key, value in figure.items()
            if key not in ("bench", "case", "pass")]
    return ", ".join(told)


def row(figure):
    between = f"{number(figure['low'])} to {number(figure['high'])}" if "low" in figure else ""
    bar = ("≤ " if figure.get("better") == "lower" else "≥ ") + number(figure["bar"]) if "bar" in figure else ""
    met = {True: "yes", False: "**no**"}.get(figure.get("pass"), "")
    if "value" not in figure and "pass" not in figure:
        told = f"not measured: {figure['reason']}" if "reason" in figure else details(figure)
        return f"| {figure['bench']} | {figure['case']} | {told} | | | |"
    unit = "" if figure.get("unit") == "ratio" else " " + figure.get("unit", "")
    value = f"{number(figure['value'])}{unit}" if "value" in figure else details(figure)
    return f"| {figure['bench']} | {figure['case']} | {value} | {between} | {bar} | {met} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="the folder of built programs")
    parser.add_argument("--table", action="store_true", help="print a Markdown table")
    parser.add_argument("names", nargs="*", metavar="NAME", help="run those whose name starts with NAME")
    arguments = parser.parse_args()

    chosen = [name for name in BENCHES
              if (name.startswith(tuple(arguments.names)) if arguments.names else name not in ON_REQUEST)]
    if not chosen:
        parser.error(f"no benchmark starts with {' or '.join(arguments.names)}; there are {', '.join(BENCHES)}")
    if arguments.table:
        print(f"{datetime.date.today()}, {commit()}, {machine()}\n\n| benchmark | case | figure | 95 % interval | bar | met |\n| --- | --- | --- | --- | --- | --- |")
    failed = lacking = False
    for name in chosen:
        print(f"bench: {name}", file=sys.stderr)
        for figure in figures(name, arguments.bin):
            print(row(figure) if arguments.table else json.dumps(figure), flush=True)
            failed = failed or figure.get("pass") is False
            lacking = lacking or ("state" in figure and "value" not in figure and "pass" not in figure)
    if failed:
        return 1
    return NOT_MEASURED if lacking and arguments.names else 0


if __name__ == "__main__":
    sys.exit(main())
