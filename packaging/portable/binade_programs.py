# SPDX-License-Identifier: Apache-2.0
"""The commands `binade` and `binade-engine` of the wheel. They start the programs beside this file with the LibTorch of
the PyTorch that this Python has. PyTorch itself is not imported, which would take seconds."""
import importlib.util
import os
import re
import sys

NEEDED = "2.11"
NO_LIBTORCH = 4  # the exit code of `binade-engine` for this


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
    """The variables for the programs: those of this process, with LibTorch's folder first among the libraries. The
    engine gives programs that it starts the path of its caller."""
    callers = os.environ.get("LD_LIBRARY_PATH", "")
    return {**os.environ, "LD_LIBRARY_PATH": libraries + (":" + callers if callers else ""),
            "BINADE_CALLERS_LIBRARY_PATH": callers}


def start(name):
    """Replaces this process by a program; does not return."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    try:
        os.execve(program, [program, *sys.argv[1:]], environment(libtorch()))
    except NoTorch as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(NO_LIBTORCH)
    except OSError as error:
        sys.exit(f"{name}: {program} cannot be started: {error.strerror}.\n"
                 f"  Next: {sys.executable} -m pip install --force-reinstall binade")


def explorer():
    """The command `binade`."""
    start("binade")


def engine():
    """The command `binade-engine`. It needs no `setup`."""
    if sys.argv[1:2] == ["setup"]:
        try:
            print(f"binade-engine: LibTorch is that of PyTorch, in {libtorch()}. There is nothing to install.")
        except NoTorch as error:
            print(f"binade-engine: {error}", file=sys.stderr)
            sys.exit(NO_LIBTORCH)
        return
    start("binade-engine")
