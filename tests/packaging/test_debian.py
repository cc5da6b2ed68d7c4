# SPDX-License-Identifier: Apache-2.0
"""Makes the Debian package of this build, and uses it as packaging/try-package does. BINADE_DEBIAN_ROOTS names bare
Debians in which it is also installed, upgraded and purged, with : between them; BINADE_DEBIAN_WHEELS a folder of the
wheels of LibTorch for it, so that setup downloads none."""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD, LIBTORCH = os.environ["BINADE_BUILD"], os.environ["BINADE_LIBTORCH"]


def script(name, *arguments):
    """Returns the exit code of a script of packaging."""
    return subprocess.run([os.path.join(ROOT, "packaging", name), *arguments]).returncode


def main():
    """Returns the exit code; 77 if this machine lacks a tool."""
    if shutil.which("dpkg-shlibdeps") is None:
        print("not run: without dpkg-shlibdeps; ./dev package installs what is needed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, "tree")
        subprocess.run(["cmake", "--install", BUILD, "--component", "Unspecified", "--strip", "--prefix", tree],
                       check=True, stdout=subprocess.DEVNULL)
        package = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "packaging/deb"), tree, LIBTORCH, folder],
                                 check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        if failed := script("try-package", LIBTORCH, package):
            return failed
        roots = [root for root in os.environ.get("BINADE_DEBIAN_ROOTS", "").split(":") if root]
        if not roots:
            print("not installed in a Debian: BINADE_DEBIAN_ROOTS names none")
            return 0
        wheels = os.environ.get("BINADE_DEBIAN_WHEELS")
        return script("try-debian", package, *roots, *(["--wheels", wheels] if wheels else []))


if __name__ == "__main__":
    sys.exit(main())
