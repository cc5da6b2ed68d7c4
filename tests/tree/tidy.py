#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy with the checks of .clang-tidy on product sources, without precompiled headers.

usage: tidy.py BUILD [FILE...]
BUILD holds compile_commands.json. FILEs, relative to the root, choose sources, which are checked one by one; a header
chooses the source of its name, or else one that includes it. Other files are ignored. Without FILEs all sources are
checked, batch by batch as they are built: the headers of LibTorch then count once a batch.
The last line is `N passed, N failed`; the exit code is 0 where none failed.
"""
import concurrent.futures
import json
import subprocess
import sys
from pathlib import Path

from compile_alone import alone, sources_of

PRODUCT = ("app", "engine", "profiler", "views")
# A batch is a file of includes: its sources are headers to clang-tidy.
BATCH = ("--checks=-bugprone-suspicious-include", r"--header-filter=/(engine|profiler|views|app)/.*\.(h|cpp)$")


def arguments(command, file):
    """Arguments for Clang, which does not know all warnings of GCC."""
    return [word for word in alone(command)[1:] if not word.startswith("-W") and word != str(file)]


def jobs(build, root):
    """By product source: arguments, working folder, and the file that the compiler gets: itself or its batch."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        for source, command in sources_of(entry):
            if not source.is_relative_to(root) or source.is_relative_to(build):
                continue
            if source.relative_to(root).parts[0] in PRODUCT:
                found[source.relative_to(root)] = (arguments(command, source), entry["directory"], Path(entry["file"]))
    return found


def chosen(files, sources, root):
    """The sources to check for these files."""
    picked = set()
    for file in map(Path, files):
        if file in sources:
            picked.add(file)
        elif file.suffix == ".h" and file.parts[0] in PRODUCT:
            include = f'#include "{file}"'
            neighbour = file.with_suffix(".cpp")
            users = [neighbour] if neighbour in sources else [s for s in sources if include in (root / s).read_text()]
            picked.update(users[:1])
    return sorted(picked)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = Path(sys.argv[1]).resolve()
    root = Path(__file__).resolve().parents[2]
    sources = jobs(build, root)
    if len(sys.argv) > 2:
        files = [root / source for source in chosen(sys.argv[2:], sources, root)]
    else:
        files = sorted({file for _, _, file in sources.values()})
    by_file = {root / source: job for source, job in sources.items()} | {job[2]: job for job in sources.values()}

    def check(file):
        words, folder, _ = by_file[file]
        call = ["clang-tidy-14", "--quiet", *(BATCH if file.parent.name == "Unity" else []), str(file), "--", *words]
        return file, subprocess.run(call, cwd=folder, capture_output=True, text=True)

    failed = 0
    # LibTorch's headers need up to 1.4 GB per file: at most two at once.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, (file, result) in enumerate(pool.map(check, files), 1):
            print(f"[{number}/{len(files)}] {file.relative_to(root)}", flush=True)
            if result.returncode != 0:
                failed += 1
                print(result.stdout or result.stderr, flush=True)
    print(f"{len(files) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
