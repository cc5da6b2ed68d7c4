# SPDX-License-Identifier: Apache-2.0
"""Runs a test file if this Python has PyTorch 2.11; otherwise prints why not, and ends with 77, which CTest skips."""
import os
import runpy
import sys

try:
    import torch
except ImportError:
    torch = None

if torch is None or not torch.__version__.startswith("2.11."):
    found = f"has PyTorch {torch.__version__}" if torch else "has no PyTorch"
    print(f"not run: {sys.executable} {found}, and the test needs 2.11. Configure with -DBINADE_PYTHON=<a Python that "
          "has it>; tests/python/requirements.txt pins it.")
    sys.exit(77)
torch.set_num_threads(1)
file = sys.argv[1]
sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
sys.argv = [file, "-v"]
runpy.run_path(file, run_name="__main__")
