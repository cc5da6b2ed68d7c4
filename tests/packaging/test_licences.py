# SPDX-License-Identifier: Apache-2.0
"""The licences of what the self-contained packages hold, and the check of the oldest glibc."""
import os
import shutil
import sys
import tempfile
import unittest

import libraries
import licences

LIBTORCH = os.environ["BINADE_LIBTORCH"]


class Licences(unittest.TestCase):
    """packaging/portable/licences.py and libraries.py."""

    def setUp(self):
        if shutil.which("dpkg-query") is None:
            self.skipTest("there is no dpkg-query: the packages are made on Debian")
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def test_each_library_has_the_licence_of_its_package(self):
        engine = os.path.join(os.environ["BINADE_BIN"], "binade-engine")
        files = [file for file in libraries.needed(engine, LIBTORCH).values()
                 if not file.startswith(os.path.realpath(os.path.dirname(LIBTORCH)))]
        self.assertGreater(len(files), 2)
        packages = licences.add_licences(self.folder, files, LIBTORCH)
        below = os.path.join(self.folder, "share/doc/binade/licences")
        for package in packages:
            self.assertGreater(os.path.getsize(os.path.join(below, package + ".txt")), 200, package)
        with open(os.path.join(below, "README"), encoding="utf-8") as file:
            text = file.read()
        for package in packages:
            self.assertIn(f"\n{package}: https://snapshot.debian.org/package/", text)
        self.assertIn("libgcc-s1", packages)
        print(f"{len(files)} libraries of {len(packages)} packages")

    def test_a_file_of_no_package_is_refused(self):
        with self.assertRaisesRegex(libraries.Missing, "its licence is not known"):
            licences.add_licences(self.folder, [os.path.abspath(__file__)], LIBTORCH)

    def test_a_library_that_is_too_new_is_refused(self):
        oldest = libraries.OLDEST_GLIBC
        self.addCleanup(setattr, libraries, "OLDEST_GLIBC", oldest)
        python = os.path.realpath("/usr/bin/env")
        libraries.check_glibc([python])
        libraries.OLDEST_GLIBC = (2, 2)
        with self.assertRaisesRegex(libraries.Missing, "make these packages on Debian 12"):
            libraries.check_glibc([python])


if __name__ == "__main__":
    sys.exit(unittest.main())
