# SPDX-License-Identifier: Apache-2.0
"""The build backend of this folder (PEP 517), so that `pip install` of it needs no other package from the network, and
writes nothing here: it also works where only root may write."""
import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
METADATA = """Metadata-Version: 2.1
Name: binade
Version: {version}
Summary: Captures a PyTorch model, its batches, loss and optimizer for Binade
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: torch>=2.4
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: binade\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel, and returns its name."""
    package = os.path.join(HERE, "binade")
    files = {}
    for name in sorted(os.listdir(package)):
        if name.endswith(".py"):
            with open(os.path.join(package, name), "rb") as file:
                files[f"binade/{name}"] = file.read()
    version = re.search(rb'__version__ = "(.+)"', files["binade/__init__.py"])[1].decode()
    info = f"binade-{version}.dist-info"
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    wheel = f"binade-{version}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
