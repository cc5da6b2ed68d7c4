# SPDX-License-Identifier: Apache-2.0
"""The archive that runs from any folder, with LibTorch for the CPU in it."""
import os
import shutil
import subprocess

import tree as installed


def write(tree, torch, libtorch, version, out):
    """Adds the libraries `torch` of LibTorch to `tree`, packs it into the folder `out`, and returns the path."""
    beside = os.path.realpath(os.path.dirname(libtorch))
    for name, file in torch.items():
        # The libraries find each other by their places relative to each other, which stay as in the wheels.
        place = os.path.join(tree, "lib/binade", os.path.relpath(os.path.dirname(file), beside), name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(file, place)
        os.chmod(place, 0o755)
    name = f"binade-{version}-linux-x86_64"
    path = os.path.join(out, name + ".tar.zst")
    # The same input gives the same archive: order, dates, owners and rights are fixed.
    when = installed.release_date(tree, version)
    subprocess.run(["tar", "--create", "--file", path, "--use-compress-program", "zstd -T0 -12 --quiet --force",
                    "--sort=name", f"--mtime=@{when}", "--owner=0", "--group=0", "--numeric-owner",
                    "--mode=u+rwX,go+rX-w",
                    "--transform", f"flags=r;s,^\\.,{name},", "--directory", tree, "."], check=True)
    return path
