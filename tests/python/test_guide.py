# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/guide/python.md, in the order of the page."""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "guide", "python.md")


def pieces():
    """(language, text) of every piece of code; "" for what a command prints."""
    with open(PAGE, encoding="utf-8") as page:
        return re.findall(r"^```(\w*)\n(.*?)^```", page.read(), re.MULTILINE | re.DOTALL)


def without_threads(text):
    """A text without the number of threads, which belongs to the machine."""
    return re.sub(r", with \d+ threads?:", ":", text)


MODEL = """from torch import nn


def make_model():
    return nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 3))
"""
PROVED = r"identical to the engine's, to the bit; dtypes of \d+ op calls compared, 0 different\."
POLICY = """{"binade_policy": 1, "base": "cpu-amp", "low": "bfloat16", "sites": [{"match": "3", "format": "float32"}]}
"""


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


class Guide(unittest.TestCase):
    def test_the_pages_commands_run_and_print_what_it_shows(self):
        environment = dict(os.environ)
        environment["PATH"] = os.path.dirname(environment["BINADE_ENGINE"]) + os.pathsep + environment["PATH"]
        ran, compared, printed = 0, 0, ""
        with tempfile.TemporaryDirectory() as folder:
            environment["XDG_DATA_HOME"] = folder
            # What the page leaves to its reader: a Python with PyTorch, as the programs that the commands name, the
            # function that makes the model, and a tuned policy.
            python = shlex.quote(sys.executable)
            write(f"{folder}/.venv/bin/python", f'#!/bin/sh\nexec {python} "$@"\n', 0o755)
            write(f"{folder}/.venv/bin/python3", f'#!/bin/sh\nexec {python} "$@"\n', 0o755)
            write(f"{folder}/.venv/bin/pip", f'#!/bin/sh\nexec {python} -m pip "$@"\n', 0o755)
            write(f"{folder}/model.py", MODEL)
            write(f"{folder}/tuned.policy.json", POLICY)
            environment["PATH"] = f"{folder}/.venv/bin" + os.pathsep + environment["PATH"]
            environment.update(PIP_NO_INDEX="1", PIP_NO_DEPS="1", PIP_TARGET=f"{folder}/installed",
                               PYTHONDONTWRITEBYTECODE="1")
            environment["PYTHONPATH"] = f"{folder}/installed" + os.pathsep + environment.get("PYTHONPATH", "")
            for language, text in pieces():
                if text.startswith("binade: "):
                    self.assertEqual(without_threads(text), without_threads(printed))
                    compared += 1
                if not language:
                    continue
                command = [sys.executable, "-c", text] if language == "python" else ["sh", "-ec", text]
                done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
                printed = done.stdout
                ran += 1
                if "--prove" in text:
                    self.assertRegex(done.stdout, PROVED)
        self.assertEqual((ran, compared), (8, 1))  # pieces of the page


if __name__ == "__main__":
    unittest.main()
