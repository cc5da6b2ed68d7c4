#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the sources of the product and of the recipes without precompiled headers, as a packager's build may: each
includes what it names. A source includes its own header first, so that this header is checked too. Headers without a
source are compiled with the command of a source beside them.

usage: compile_alone.py BUILD [FOLDER...]
BUILD holds compile_commands.json. FOLDERs (`app`, `engine/train`) choose sources; without them all are compiled.
Syntax only: no object file is written. The last line is `N passed, N failed`; the exit code is 0 where none failed.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

FOLDERS = ("app", "engine", "examples", "profiler", "views")


def alone(command):
    """The compiler's own arguments, without the launcher, the precompiled header and the output."""
    words = shlex.split(command)
    start = next(i for i, word in enumerate(words) if os.path.basename(word) in ("c++", "g++", "clang++"))
    kept, skip = [], 0
    for word in words[start:]:
        if skip:
            skip -= 1
        elif word in ("-include", "-o"):
            skip = 1
        elif word not in ("-Winvalid-pch", "-fpch-preprocess", "-c"):
            kept.append(word)
    return [kept[0], "-fsyntax-only", *kept[1:]]


def sources_of(entry):
    """The sources that an entry compiles, each with its own command: a batch of several is a file of includes."""
    file = Path(entry["file"])
    if file.parent.name != "Unity":
        return [(file, entry["command"])]
    lines = file.read_text().splitlines()
    included = [line.split('"')[1] for line in lines if line.startswith('#include "')]
    return [(Path(name), entry["command"].replace(str(file), name)) for name in included]


def lone_headers(jobs, root):
    """Jobs for the headers without a source of their name, in the folders of the jobs."""
    by_folder = {source.parent: (directory, command) for source, directory, command in jobs}
    sources = {source for source, _, _ in jobs}
    for folder, (directory, command) in by_folder.items():
        for header in sorted((root / folder).glob("*.h")):
            name = header.relative_to(root)
            if name.with_suffix(".cpp") not in sources:
                yield name, directory, [*command[:-1], "-include", str(header), "-x", "c++", os.devnull]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = Path(sys.argv[1]).resolve()
    root = Path(__file__).resolve().parents[2]
    folders = tuple(sys.argv[2:]) or FOLDERS
    jobs = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        for source, command in sources_of(entry):
            if not source.is_relative_to(root) or source.is_relative_to(build):
                continue
            source = source.relative_to(root)
            if any(source.is_relative_to(folder) for folder in folders):
                jobs.append((source, entry["directory"], alone(command)))
    jobs += list(lone_headers(jobs, root))
    if not jobs:
        sys.exit(f"compile_alone: {build} compiles no source in {' '.join(folders)}")

    def compile_one(job):
        return job[0], subprocess.run(job[2], cwd=job[1], capture_output=True, text=True)

    failed = 0
    # LibTorch's headers need up to 1.4 GB per file: at most two at once.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for source, result in pool.map(compile_one, jobs):
            if result.returncode != 0:
                failed += 1
                print(f"{source}:\n{result.stderr}", flush=True)
    print(f"{len(jobs) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
