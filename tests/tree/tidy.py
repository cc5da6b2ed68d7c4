#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy with the checks of .clang-tidy on product sources, each alone and without precompiled headers.

usage: tidy.py BUILD [FILE...]
BUILD holds compile_commands.json. FILEs, relative to the root, choose sources; a header chooses the source of its name,
or else one that includes it. Without FILEs all sources are checked. Other files are ignored.
The last line is `N passed, N failed`; the exit code is 0 where none failed.
"""
import concurrent.futures
import json
import subprocess
import sys
from pathlib import Path

from compile_alone import PRODUCT, alone, sources_of


def commands(build, root):
    """Arguments for Clang and the working folder, by product source. Clang does not know all warnings of GCC."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        for source, command in sources_of(entry):
            if not source.is_relative_to(root) or source.is_relative_to(build):
                continue
            if source.relative_to(root).parts[0] in PRODUCT:
                words = [word for word in alone(command)[1:] if not word.startswith("-W") and word != str(source)]
                found[source.relative_to(root)] = (words, entry["directory"])
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
    sources = commands(build, root)
    checked = chosen(sys.argv[2:], sources, root) if len(sys.argv) > 2 else sorted(sources)

    def check(source):
        arguments, folder = sources[source]
        call = ["clang-tidy-14", "--quiet", str(root / source), "--", *arguments]
        return source, subprocess.run(call, cwd=folder, capture_output=True, text=True)

    failed = 0
    # LibTorch's headers need up to 1.4 GB per file: at most two at once.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, (source, result) in enumerate(pool.map(check, checked), 1):
            print(f"[{number}/{len(checked)}] {source}", flush=True)
            if result.returncode != 0:
                failed += 1
                print(result.stdout or result.stderr, flush=True)
    print(f"{len(checked) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
