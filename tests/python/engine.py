# SPDX-License-Identifier: Apache-2.0
"""binade-engine, as the tests call it. The variable BINADE_ENGINE names it."""
import json
import os
import subprocess


def run_engine(*arguments):
    """Standard output of a command that must succeed."""
    done = subprocess.run([os.environ["BINADE_ENGINE"], *arguments], capture_output=True, text=True, check=False,
                          env={name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"})
    if done.returncode != 0:
        raise AssertionError(f"binade-engine {' '.join(arguments)} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def lines(*arguments):
    """The objects that a command prints with --json."""
    return [json.loads(line) for line in run_engine(*arguments, "--json").splitlines()]
