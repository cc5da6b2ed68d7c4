# SPDX-License-Identifier: Apache-2.0
"""The licences of everything that a self-contained package holds, and where its sources are."""
import glob
import os
import re
import shutil
import subprocess

from libraries import Missing

COMMON = "/usr/share/common-licenses"


def add_licences(tree, files, libtorch):
    """Writes the licences of the packages that own `files`, and of LibTorch, below `tree`/share/doc/binade/licences.
    Returns the names of the packages."""
    folder = os.path.join(tree, "share/doc/binade/licences")
    packages = sorted(set(owners(files).values()))
    referred = set()
    for package in packages:
        text = f"/usr/share/doc/{package}/copyright"
        if not os.path.exists(text):
            raise Missing(f"{text} does not exist: install {package} with its documentation")
        referred |= _copy(text, os.path.join(folder, package + ".txt"))
    fields = "${Package}\t${source:Package}\t${source:Version}\n"
    sources = subprocess.run(["dpkg-query", "-W", "-f", fields, *packages], check=True, capture_output=True,
                             text=True).stdout.splitlines()
    for text in _libtorch_licences(libtorch):
        package = re.sub(r"-[0-9.]+\.dist-info$", "", text.split("/licenses/")[0].rsplit("/", 1)[1])
        _copy(text, os.path.join(folder, f"{package}-{os.path.basename(text)}"))
    for name in sorted(referred):
        if os.path.exists(os.path.join(COMMON, name)):
            _copy(os.path.join(COMMON, name), os.path.join(folder, "common", name))
    with open(os.path.join(folder, "README"), "w", encoding="utf-8") as file:
        file.write(_README + "\n".join(_source_line(line) for line in sources) + "\n")
    return packages


def owners(files):
    """The Debian packages that installed `files`, as {file: package}."""
    names = {}
    for file in files:
        # The database has the names from before /lib became a link to /usr/lib.
        names |= {file: file, file.removeprefix("/usr"): file, "/usr" + file: file}
    found = {}
    for line in subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True).stdout.splitlines():
        packages, _, name = line.rpartition(": ")
        if name in names:
            found[names[name]] = packages.split(",")[0].split(":")[0]
    for file in files:
        if file not in found:
            raise Missing(f"no package owns {file}, so its licence is not known: use the libraries of Debian")
    return found


def _libtorch_licences(libtorch):
    return sorted(glob.glob(os.path.join(glob.escape(os.path.dirname(libtorch)), "*.dist-info/licenses/*")))


def _copy(text, place):
    """Copies one text, and returns the names of the common licences that it refers to."""
    os.makedirs(os.path.dirname(place), exist_ok=True)
    shutil.copyfile(text, place)
    with open(place, encoding="utf-8", errors="replace") as file:
        return {name.rstrip(".") for name in re.findall(COMMON + r"/([A-Za-z0-9.+-]+)", file.read())}


def _source_line(line):
    package, source, version = line.split("\t")
    return f"{package}: https://snapshot.debian.org/package/{source}/{version.replace('+', '%2B')}/"


_README = """Binade itself is licensed under Apache-2.0 (../copyright).

This package also holds shared libraries, fonts and data of Debian, unchanged but for the run path of a few libraries.
PACKAGE.txt is the licence of each, and common/ has the texts that these refer to. You may replace any library in lib/
by another version that fits. The sources:

"""
