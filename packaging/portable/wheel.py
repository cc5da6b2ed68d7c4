# SPDX-License-Identifier: Apache-2.0
"""The Python wheel: the programs with their libraries, and the package `binade`. LibTorch comes with PyTorch."""
import base64
import hashlib
import os
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TAG = "py3-none-manylinux_2_36_x86_64"
METADATA = """Metadata-Version: 2.1
Name: binade
Version: {version}
Summary: Explorer and profiler for mixed-precision training, and the capture of trainings of PyTorch
License: Apache-2.0
Requires-Python: >=3.10
Requires-Dist: torch==2.11.*
Description-Content-Type: text/markdown

`binade` is the explorer, `binade-engine` trains models on the command line, and `binade.capture` turns a training of
PyTorch into a run of both. `binade --demo` is a first look. The programs load LibTorch from the PyTorch beside them.
"""
WHEEL = f"Wheel-Version: 1.0\nGenerator: binade\nRoot-Is-Purelib: false\nTag: {TAG}\n"
ENTRY_POINTS = "[console_scripts]\nbinade = binade_programs:explorer\nbinade-engine = binade_programs:engine\n"

# Found by man and by shells where Python is installed, not in the package.
SHARED = ("share/man/", "share/bash-completion/", "share/zsh/", "share/fish/")
# Of a desktop, or of an installation without PyTorch.
LEFT_OUT = ("share/applications/", "share/metainfo/", "share/mime/", "share/icons/", "libexec/")


def write(tree, version, out):
    """Packs `tree` as a wheel in the folder `out`, and returns its path."""
    path = os.path.join(out, f"binade-{version}-{TAG}.whl")
    info = f"binade-{version}.dist-info"
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:

        def put(name, content, executable=False):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))  # the same input gives the same wheel
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            packed = content[:2] == b"\x1f\x8b"
            entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)

        def add(name, content, executable=False):
            put(name, content, executable)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")

        for name, file in _files(tree, version):
            with open(file, "rb") as content:
                add(name, content.read(), os.access(file, os.X_OK))
        add(f"{info}/METADATA", METADATA.format(version=version).encode())
        add(f"{info}/WHEEL", WHEEL.encode())
        add(f"{info}/entry_points.txt", ENTRY_POINTS.encode())
        put(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,", ""]).encode())
    return path


def _files(tree, version):
    """Yields the name in the wheel, and the path, of every file."""
    package = os.path.join(tree, "share/binade/python/binade")
    for name in sorted(os.listdir(package)):
        if name.endswith(".py"):
            yield f"binade/{name}", os.path.join(package, name)
    yield "binade_programs/__init__.py", os.path.join(HERE, "binade_programs.py")
    for folder, folders, names in os.walk(tree):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            place = os.path.relpath(path, tree)
            if place.startswith(SHARED):
                yield f"binade-{version}.data/data/{place}", path
            elif not place.startswith(LEFT_OUT):
                yield f"binade_programs/{place}", path
