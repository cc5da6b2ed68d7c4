# SPDX-License-Identifier: Apache-2.0
"""python3 packaging/portable TREE LIBTORCH OUT

Makes the packages that need nothing installed: the archive (Qt and LibTorch inside) and the Python wheel (Qt inside).
TREE is a folder with an installed Binade, made by `cmake --install build/dev --component Unspecified --strip --prefix
TREE`; the libraries are added in it. LIBTORCH is a folder with lib/ and include/. Prints the paths of the packages."""
import os
import subprocess
import sys

import archive
import libraries
import tree
import wheel


def main(arguments):
    """Returns the exit code."""
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    installed, libtorch, out = map(os.path.realpath, arguments)
    try:
        version = tree.version(installed)
        torch = tree.complete(installed, libtorch)
        for path in (wheel.write(installed, version, out), archive.write(installed, torch, libtorch, version, out)):
            print(f"{path}  {os.path.getsize(path) / 1e6:.0f} MB", file=sys.stderr)
            print(path)
    except libraries.Missing as error:
        print(f"packaging/portable: {error}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"packaging/portable: {error}\n{error.stderr or ''}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
