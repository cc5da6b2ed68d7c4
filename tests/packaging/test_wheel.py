# SPDX-License-Identifier: Apache-2.0
"""The Python wheel, made of a small tree: its names, hashes and commands, installed with pip where Python has it."""
import base64
import csv
import hashlib
import os
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import zipfile

import wheel

PROGRAM = """#!/bin/sh
echo "{name} $* $LD_LIBRARY_PATH|$BINADE_CALLERS_LIBRARY_PATH"
"""
FILES = {
    "bin/binade": PROGRAM.format(name="explorer"), "bin/binade-engine": PROGRAM.format(name="engine"),
    "bin/qt.conf": "[Paths]\n", "lib/libQt6Core.so.6": "library", "libexec/binade/setup-libtorch": "#!/bin/sh\n",
    "share/applications/org.binade.Binade.desktop": "[Desktop Entry]\n", "share/man/man1/binade.1": ".Dd\n",
    "share/bash-completion/completions/binade": "complete\n",
    "share/binade/python/binade/__init__.py": '__version__ = "0.1.0"\n',
    "share/binade/python/binade/capture.py": "def capture():\n    pass\n",
    "share/doc/binade/copyright": "Apache-2.0\n",
}


class Wheel(unittest.TestCase):
    """packaging/portable/wheel.py."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.tree = os.path.join(self.folder.name, "tree")
        for name, text in FILES.items():
            path = os.path.join(self.tree, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, 0o755 if text.startswith("#!") else 0o644)
        self.path = wheel.write(self.tree, "0.1.0", self.folder.name)

    def test_the_name_says_where_it_runs(self):
        self.assertEqual(os.path.basename(self.path), "binade-0.1.0-py3-none-manylinux_2_36_x86_64.whl")
        with zipfile.ZipFile(self.path) as archive:
            text = archive.read("binade-0.1.0.dist-info/METADATA").decode()
            self.assertIn("Requires-Dist: torch==2.11.*\n", text)
            text = archive.read("binade-0.1.0.dist-info/WHEEL").decode()
            self.assertIn("Tag: py3-none-manylinux_2_36_x86_64\n", text)

    def test_record_has_the_hash_and_size_of_every_file(self):
        with zipfile.ZipFile(self.path) as archive:
            self.assertIsNone(archive.testzip())
            rows = list(csv.reader(archive.read("binade-0.1.0.dist-info/RECORD").decode().splitlines()))
            self.assertEqual(sorted(row[0] for row in rows), sorted(archive.namelist()))
            for name, digest, size in rows:
                if name.endswith("/RECORD"):
                    continue
                content = archive.read(name)
                wanted = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, int(size)), ("sha256=" + wanted, len(content)), name)
        print(f"{len(rows)} files")

    def test_files_of_a_desktop_are_left_out_and_those_of_shells_are_shared(self):
        with zipfile.ZipFile(self.path) as archive:
            names = set(archive.namelist())
            program = archive.getinfo("binade_programs/bin/binade-engine")
        self.assertIn("binade-0.1.0.data/data/share/man/man1/binade.1", names)
        self.assertIn("binade-0.1.0.data/data/share/bash-completion/completions/binade", names)
        self.assertIn("binade/capture.py", names)
        self.assertIn("binade_programs/share/binade/python/binade/capture.py", names)  # for `binade-engine python`
        self.assertFalse([name for name in names if "applications" in name or "libexec" in name])
        self.assertTrue(program.external_attr >> 16 & stat.S_IXUSR)

    def test_the_same_tree_gives_the_same_bytes(self):
        with open(self.path, "rb") as file:
            first = file.read()
        year = 366 * 24 * 3600
        with unittest.mock.patch("time.time", return_value=time.time() + year):
            wheel.write(self.tree, "0.1.0", self.folder.name)
        with open(self.path, "rb") as file:
            self.assertEqual(first, file.read())

    def run_command(self, *arguments, torch="2.11.0+cpu", library_path=None, function="engine"):
        """Runs a command of the unpacked wheel beside a PyTorch of this version, or none."""
        site = os.path.join(self.folder.name, "site")
        if not os.path.exists(site):
            with zipfile.ZipFile(self.path) as archive:
                for name in archive.namelist():
                    os.chmod(archive.extract(name, site), archive.getinfo(name).external_attr >> 16 or 0o644)
        if torch:
            os.makedirs(os.path.join(site, "torch/lib"), exist_ok=True)
            for name, text in (("__init__.py", "raise RuntimeError('imported')\n"),
                               ("version.py", f"__version__ = '{torch}'\n"), ("lib/libtorch_cpu.so", "")):
                with open(os.path.join(site, "torch", name), "w", encoding="utf-8") as file:
                    file.write(text)
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": site}
        if library_path:
            environment["LD_LIBRARY_PATH"] = library_path
        start = f"import binade_programs; binade_programs.{function}()"
        done = subprocess.run([sys.executable, "-S", "-B", "-c", start, *arguments], capture_output=True, text=True,
                              env=environment)
        return done.returncode, done.stdout, done.stderr, site

    def test_the_programs_get_libtorch_without_an_import_of_pytorch(self):
        code, out, error, site = self.run_command("train", "run.json", library_path="/opt/mine")
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(out, f"engine train run.json {site}/torch/lib:/opt/mine|/opt/mine\n")
        code, out, error, site = self.run_command("--demo", function="explorer")
        self.assertEqual((code, out), (0, f"explorer --demo {site}/torch/lib|\n"), error)

    def test_another_pytorch_or_none_is_refused_with_the_command_that_helps(self):
        code, out, error, _ = self.run_command("--version", torch=None)
        self.assertEqual((code, out), (4, ""))
        self.assertIn("has no PyTorch", error)
        code, out, error, _ = self.run_command("--version", torch="2.10.1")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("is 2.10.1, and this Binade needs 2.11", error)
        self.assertIn("-m pip install 'torch==2.11.*'", error)

    def test_setup_says_that_there_is_nothing_to_install(self):
        code, out, _, site = self.run_command("setup")
        self.assertEqual(code, 0)
        self.assertIn(f"in {site}/torch/lib", out)
        self.assertEqual(self.run_command("setup", torch="2.9.0")[0], 4)


if __name__ == "__main__":
    unittest.main()
