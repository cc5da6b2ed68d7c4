#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""build_time.py: how long a clean build takes, without a compiler cache.

Copies the tracked files into a temporary folder and builds there with the options of ./dev, beside the LibTorch of this
tree. Measures the programs, then the tests, then the programs again after a change of a header that most of the engine
includes. Installs nothing, so the times are those of a machine that ./dev setup has prepared. A measured wall time is
that of an idle machine only if nothing else runs.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADER = "engine/graph/site.h"
# Bars in seconds; those of wall time hold on two cores.
PROGRAMS_CPU_BAR = 520
PROGRAMS_WALL_BAR = 9 * 60  # ./dev run
TEST_WALL_BAR = 14 * 60  # ./dev test after ./dev run
HEADER_WALL_BAR = 4 * 60


def copy_tree(folder):
    """Copies the files that git tracks, as they are in the working tree."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    for name in filter(None, os.fsdecode(names).split("\0")):
        source = os.path.join(ROOT, name)
        if os.path.lexists(source):
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            shutil.copy2(source, os.path.join(folder, name), follow_symlinks=False)
    for name in (".deps", ".deps-cuda"):
        if os.path.exists(os.path.join(ROOT, name)):
            os.symlink(os.path.realpath(os.path.join(ROOT, name)), os.path.join(folder, name))


def timed(folder, *command):
    """Runs a command; returns its wall time and its processor time, children included, in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=sys.stderr)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tell(case, value, bar=None):
    figure = {"bench": "build", "case": case, "value": round(value, 1), "unit": "s"}
    if bar is not None:
        figure |= {"bar": bar, "better": "lower", "pass": value <= bar}
    print(json.dumps(figure), flush=True)


def main():
    with tempfile.TemporaryDirectory(prefix="binade-build-") as folder:
        copy_tree(folder)
        timed(folder, "cmake", "--preset", "dev")
        programs = ("cmake", "--build", "--preset", "dev", "--target", "binade", "binade-engine")
        wall, cpu = timed(folder, *programs)
        tell("programs, wall time", wall, PROGRAMS_WALL_BAR)
        tell("programs, processor time", cpu, PROGRAMS_CPU_BAR)
        wall, cpu = timed(folder, "cmake", "--build", "--preset", "dev")
        tests = timed(folder, "ctest", "--preset", "dev", "--parallel", str(os.cpu_count()), "-LE", "long")[0]
        tell("tests after the programs, processor time", cpu)
        tell("tests after the programs, built and run, wall time", wall + tests, TEST_WALL_BAR)
        os.utime(os.path.join(folder, HEADER))
        wall, cpu = timed(folder, *programs)
        tell(f"programs after a change of {HEADER}, wall time", wall, HEADER_WALL_BAR)
        tell(f"programs after a change of {HEADER}, processor time", cpu)


if __name__ == "__main__":
    main()
