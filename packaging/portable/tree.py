# SPDX-License-Identifier: Apache-2.0
"""An installed tree that needs nothing of the machine but glibc: libraries, fonts, the demo's data, licences."""
import glob
import os
import shutil
import xml.etree.ElementTree
from datetime import datetime, timezone

import libraries
import licences

FONTS = "/usr/share/fonts/truetype/dejavu"
FONT_FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")
DATA = "/usr/share/datasets/fashion-mnist"
HERE = os.path.dirname(os.path.abspath(__file__))


def complete(tree, libtorch):
    """Completes the installed `tree`, and returns the libraries of LibTorch that its programs load: {name: file}."""
    copied, torch = libraries.add_qt(tree, libtorch)
    originals = set(copied.values())
    for folder, names, inside in ((FONTS, FONT_FILES, "fonts"), (DATA, None, "datasets/fashion-mnist")):
        place = os.path.join(tree, "share/binade", inside)
        os.makedirs(place, exist_ok=True)
        for name in names or sorted(os.listdir(folder) if os.path.isdir(folder) else []):
            file = os.path.join(folder, name)
            if not os.path.exists(file):
                raise libraries.Missing(f"{file} does not exist: install fonts-dejavu-core")
            shutil.copyfile(file, os.path.join(place, name))
            originals.add(file)
        if not os.listdir(place):
            raise libraries.Missing(f"{folder} is empty: install dataset-fashion-mnist")
    shutil.copyfile(os.path.join(HERE, "fonts.conf"), os.path.join(tree, "share/binade/fonts/fonts.conf"))
    licences.add_licences(tree, originals, libtorch)
    libraries.check_glibc([*libraries.programs(tree), *torch.values()])
    return torch


def version(tree):
    """The version of the installed programs."""
    found = glob.glob(os.path.join(glob.escape(tree), "share/binade/python/binade/__init__.py"))
    for file in found:
        with open(file, encoding="utf-8") as text:
            for line in text:
                if line.startswith("__version__ = "):
                    return line.split('"')[1]
    raise libraries.Missing(f"{tree} has no share/binade/python/binade: install Binade there first")


def release_date(tree, version):
    """The date of this version in the AppStream file of the installed programs, in seconds since 1970."""
    file = os.path.join(tree, "share/metainfo/org.binade.Binade.metainfo.xml")
    for release in xml.etree.ElementTree.parse(file).iter("release"):
        if release.get("version") == version:
            return int(datetime.fromisoformat(release.get("date")).replace(tzinfo=timezone.utc).timestamp())
    raise libraries.Missing(f"{file} has no release {version}: add it, with its date")
