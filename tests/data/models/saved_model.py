# SPDX-License-Identifier: Apache-2.0
"""How the scripts of this folder save a model."""
import re
import struct
import zipfile


def forget_folders(file):
    """Debug information names source files with the folders of the machine; leaves their names alone, and of PyTorch's
    own files the folders from torch/ on."""
    with zipfile.ZipFile(file) as source:
        items = [(item, source.read(item)) for item in source.infolist()]

    def named(path):
        parts = path[0].split(b"/")
        return b"/".join(parts[parts.index(b"torch") :] if b"torch" in parts else parts[-1:])

    def shortened(pickled):
        done = b""
        while found := re.search(rb"X(.{4})(?=/)", pickled, flags=re.DOTALL):
            end = found.end() + struct.unpack("<I", found[1])[0]
            text = re.sub(rb"/[\w./\-]+\.py", named, pickled[found.end() : end])
            done += pickled[: found.start()] + b"X" + struct.pack("<I", len(text)) + text
            pickled = pickled[end:]
        return done + pickled

    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as target:
        for item, content in items:
            if item.filename.endswith(".debug_pkl"):
                content = shortened(content)
            target.writestr(item.filename, content)


def save(name, module):
    module.save(name + ".pt")
    forget_folders(name + ".pt")
