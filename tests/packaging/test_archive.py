# SPDX-License-Identifier: Apache-2.0
"""The archive that runs from any folder, made of a small tree: its names, and that equal trees give equal bytes."""
import os
import shutil
import subprocess
import tempfile
import unittest

import archive
import tree

METAINFO = """<component><releases>
  <release version="0.2.0" date="2026-03-01"/><release version="0.1.0" date="2025-01-01"/>
</releases></component>
"""


class Archive(unittest.TestCase):
    """packaging/portable/archive.py."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.libtorch = os.path.join(self.folder, "torch")
        self.write("torch/lib/libtorch_cpu.so", "library")

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def pack(self, name, files):
        """Packs a new tree with these files, the last of them executable, as `name`."""
        for file in files:
            self.write(f"{name}/tree/{file}", file, 0o755 if file == "bin/binade" else 0o644)
        self.write(f"{name}/tree/share/metainfo/org.binade.Binade.metainfo.xml", METAINFO)
        torch = {"libtorch_cpu.so": os.path.join(self.libtorch, "lib/libtorch_cpu.so")}
        source = os.path.join(self.folder, name, "tree")
        return archive.write(source, torch, self.libtorch, "0.2.0", os.path.join(self.folder, name))

    def listed(self, path):
        """The lines of `tar --list --verbose`, split."""
        done = subprocess.run(["tar", "--list", "--verbose", "--utc", "--numeric-owner", "--file", path], check=True,
                              capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        return [line.split() for line in done.stdout.splitlines()]

    def test_equal_trees_give_equal_bytes(self):
        first = self.pack("first", ["bin/binade", "share/a", "share/b"])
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        second = self.pack("second", ["share/b", "share/a", "bin/binade"])
        for folder, _, names in os.walk(os.path.join(self.folder, "second/tree")):
            for each in [folder, *(os.path.join(folder, name) for name in names)]:
                os.utime(each, (1, 1))
        os.remove(second)
        second = self.pack("second", [])
        with open(first, "rb") as one, open(second, "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_files_have_the_date_of_the_release_and_everybody_reads_them(self):
        rows = self.listed(self.pack("only", ["bin/binade", "share/a"]))
        self.assertEqual({row[3] for row in rows}, {"2026-03-01"})
        self.assertEqual({row[1] for row in rows}, {"0/0"})
        rights = {row[5].removesuffix("/"): row[0] for row in rows}
        self.assertEqual(rights["binade-0.2.0-linux-x86_64/bin/binade"], "-rwxr-xr-x")
        self.assertEqual(rights["binade-0.2.0-linux-x86_64/share/a"], "-rw-r--r--")
        self.assertEqual(rights["binade-0.2.0-linux-x86_64/share"], "drwxr-xr-x")
        self.assertEqual(list(rights), sorted(rights))
        self.assertTrue(any(name.endswith("/libtorch_cpu.so") for name in rights))

    def test_a_tree_without_the_release_is_refused(self):
        source = os.path.join(self.folder, "tree")
        self.write("tree/share/metainfo/org.binade.Binade.metainfo.xml", METAINFO)
        with self.assertRaisesRegex(tree.libraries.Missing, "0.3.0"):
            tree.release_date(source, "0.3.0")


if __name__ == "__main__":
    if shutil.which("zstd") is None:
        print("not run: without zstd")
        raise SystemExit(77)
    unittest.main()
