# SPDX-License-Identifier: Apache-2.0
"""The package as a person gets it: its commands, `pip install` of its folder, and all of it in one file."""
import os
import subprocess
import sys
import tempfile
import unittest

import torch

import binade
from engine import run_engine

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(binade.__file__)))


class CommandLine(unittest.TestCase):
    def call(self, *arguments, **environment):
        return subprocess.run([sys.executable, *arguments], capture_output=True, text=True,
                              env={**os.environ, **environment}, check=False)

    def test_help_is_short_and_names_the_three_lines(self):
        done = self.call("-m", "binade", "--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("binade.capture(model", done.stdout)
        self.assertLess(len(done.stdout.splitlines()), 25)
        self.assertEqual(self.call("-m", "binade", "--hlep").returncode, 2)

    def test_a_python_without_torch_is_named(self):
        done = self.call("-S", "-m", "binade", "--check", PYTHONPATH=FOLDER)
        self.assertEqual(done.returncode, 1)
        self.assertIn("pip install torch", done.stderr)

    def test_other_versions_of_torch_are_named(self):
        from binade import surroundings
        held = torch.__version__
        self.addCleanup(setattr, torch, "__version__", held)
        self.assertIsNone(surroundings.version_note())
        torch.__version__ = "2.9.1"
        self.assertIn("last bits", surroundings.version_note())
        torch.__version__ = "2.1.0"
        self.assertRaisesRegex(binade.CaptureError, "too old", surroundings.check_torch)

    def test_the_engine_names_the_folder_of_the_package(self):
        folder = run_engine("python", "--where").strip()
        self.assertTrue(os.path.samefile(os.path.join(folder, "binade", "__init__.py"), binade.__file__))


TRAINING = """
import binade, torch
from torch import nn

class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 3)

    def forward(self, x):
        scale = [2.0, "text"]
        return self.inner(x) * scale[0]

data = [(torch.randn(6, 4), torch.randint(0, 3, (6,))) for _ in range(2)]
captured = binade.capture(Branches(), loss="cross_entropy", data=data, to="run", quiet=True)
print(binade.__file__, captured.how, captured.differences)
print(*captured.notes, sep="\\n")
"""


class Copies(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.realpath(scratch.name)
        self.environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        paths = [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]
        others = [each for each in paths if not os.path.samefile(each, FOLDER)]
        self.environment["PYTHONPATH"] = os.pathsep.join([self.folder, *others])

    def python(self, *arguments):
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=self.environment,
                              cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def trains(self, file):
        """Captures and trains with the package in `file`; a script beside it, whose place the reason names."""
        script = os.path.join(self.folder, "training.py")
        with open(script, "w", encoding="utf-8") as out:
            out.write(TRAINING)
        line = TRAINING[:TRAINING.index("return")].count("\n") + 1
        said = self.python(script)
        self.assertIn(f"{os.path.join(self.folder, file)} trace []\n", said)
        self.assertIn(f"({script}:{line})", said)
        run_engine("train", os.path.join(self.folder, "run", "training.run.json"), "--run-file", "none")

    def test_one_file_has_everything(self):
        self.python(os.path.join(FOLDER, "one_file.py"), "binade.py")
        self.assertIn("binade.capture(model", self.python("-m", "binade", "--help"))
        self.trains("binade.py")

    def test_pip_installs_the_folder_without_a_network(self):
        before = sorted(os.listdir(FOLDER))
        self.python("-m", "pip", "install", "--no-index", "--no-deps", "--target", self.folder, FOLDER)
        self.assertEqual(sorted(os.listdir(FOLDER)), before)
        self.trains(os.path.join("binade", "__init__.py"))


if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main()
