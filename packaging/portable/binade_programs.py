# SPDX-License-Identifier: Apache-2.0
"""The commands `binade` and `binade-engine` of the wheel. They start the programs beside this file with the LibTorch of
the PyTorch that this Python has. PyTorch itself is not imported, which would take seconds."""
import importlib.util
import os
import re
import sys

NEEDED = "2.11"


class NoTorch(Exception):
    """There is no PyTorch that the programs can use; the text says why and what helps."""


def libtorch():
    """The folder of the shared libraries of PyTorch."""
    found = importlib.util.find_spec("torch")
    folder = os.path.dirname(found.origin) if found is not None and found.origin else None
    install = f"{sys.executable} -m pip install 'torch=={NEEDED}.*'"
    if folder is None:
        raise NoTorch(f"{sys.executable} has no PyTorch, whose LibTorch Binade needs.\n  Next: {install}")
    try:
        with open(os.path.join(folder, "version.py"), encoding="utf-8") as text:
            version = re.search(r"^__version__ = ['\"]([^'\"]+)", text.read(), re.MULTILINE)
    except OSError:
        version = None
    version = version[1] if version else "of an unknown version"
    if not version.startswith(NEEDED + "."):
        raise NoTorch(f"PyTorch in {folder} is {version}, and this Binade needs {NEEDED}.\n  Next: {install}")
    libraries = os.path.join(folder, "lib")
    if not os.path.exists(os.path.join(libraries, "libtorch_cpu.so")):
        raise NoTorch(f"{libraries} has no libtorch_cpu.so.\n  Next: {install} --force-reinstall")
    return libraries


def environment(libraries):
    """The variables for the programs: those of this process, with LibTorch's folder first among the libraries."""
    others = os.environ.get("LD_LIBRARY_PATH", "")
    return {**os.environ, "LD_LIBRARY_PATH": libraries + (":" + others if others else "")}


def start(name):
    """Replaces this process by a program; does not return."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    try:
        os.execve(program, [program, *sys.argv[1:]], environment(libtorch()))
    except NoTorch as error:
        sys.exit(f"{name}: {error}")
    except OSError as error:
        sys.exit(f"{name}: {program} cannot be started: {error.strerror}.\n"
                 f"  Next: {sys.executable} -m pip install --force-reinstall binade")


def explorer():
    """The command `binade`."""
    start("binade")


def engine():
    """The command `binade-engine`."""
    start("binade-engine")
