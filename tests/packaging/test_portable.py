# SPDX-License-Identifier: Apache-2.0
"""Makes the archive and the wheel of this build, and uses both as packaging/try-portable does. BINADE_DEBIAN_ROOTS names
bare Debians in which the archive is used too, with : between them."""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD, LIBTORCH = os.environ["BINADE_BUILD"], os.environ["BINADE_LIBTORCH"]


def main():
    """Returns the exit code; 77 if this machine lacks a tool."""
    absent = [tool for tool in ("patchelf", "zstd", "dpkg-query", "ldd") if shutil.which(tool) is None]
    if absent or not os.path.isdir("/usr/lib/x86_64-linux-gnu/qt6/plugins/wayland-shell-integration"):
        print(f"not run: without {' and '.join(absent) or 'qt6-wayland'}; ./dev package installs what is needed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, "tree")
        subprocess.run(["cmake", "--install", BUILD, "--component", "Unspecified", "--strip", "--prefix", tree],
                       check=True, stdout=subprocess.DEVNULL)
        made = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "packaging/portable"), tree, LIBTORCH, folder],
                              check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        for root in filter(None, os.environ.get("BINADE_DEBIAN_ROOTS", "").split(":")):
            made += ["--root", root]
        return subprocess.run([os.path.join(ROOT, "packaging/try-portable"), LIBTORCH, *made]).returncode


if __name__ == "__main__":
    sys.exit(main())
