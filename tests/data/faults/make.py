#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the files of this folder with PyTorch 2.11: python3 make.py [CASE...]

Each file of cases/ is one fault that a user of PyTorch (or of a program like it) has reported: its docstring says where,
what was seen, what is true and what mends it; `Model` is the fault in a few lines, `RUN` the training, `data` its rows
and `EXPECT` the right answer. Out of it come runs/CASE.pt, CASE.run.json, CASE.safetensors (where the case has data) and
one entry of faults.json. Weights are drawn from a fixed seed, so that a second run gives equal models.
"""
import json
import os
import pathlib
import struct
import sys
import types
import zlib

import torch

HERE = pathlib.Path(__file__).resolve().parent
NAMES = {torch.float32: "F32", torch.int64: "I64", torch.uint8: "U8"}


def write_safetensors(file, arrays):
    header, parts, at = {}, [], 0
    for name, tensor in arrays.items():
        raw = tensor.contiguous().numpy().tobytes()
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [at, at + len(raw)]}
        parts.append(raw)
        at += len(raw)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def story(case):
    """The docstring's first line, and its lines `thread:`, `saw:`, `truth:`, `cure:`."""
    first, _, rest = case.__doc__.strip().partition("\n")
    told = {"title": first}
    for line in rest.strip().splitlines():
        key, _, text = line.partition(": ")
        told[key] = text
    assert list(told) == ["title", "thread", "saw", "truth", "cure"], (case.__name__, list(told))
    return told


def load(name):
    """The case's module. Its lines are named by a path without folders: that is what stands in the model's file."""
    file = name + ".py"
    case = types.ModuleType(name)
    case.__file__ = file
    sys.modules[name] = case
    exec(compile(pathlib.Path(file).read_text(), file, "exec"), case.__dict__)
    return case


def make(name):
    case = load(name)
    seed = zlib.crc32(name.encode())
    torch.manual_seed(seed)
    torch.jit.script(case.Model()).save(str(HERE / "runs" / (name + ".pt")))

    run = {"binade_run": 1, "name": name, "model": name + ".pt"} | case.RUN
    run["policy"] = {"binade_policy": 1, "base": "cuda-amp", "low": "float16", "execution": "emulated"} | run.get("policy", {})
    run.setdefault("steps", 200)
    if hasattr(case, "data"):
        write_safetensors(HERE / "runs" / (name + ".safetensors"), case.data(torch.Generator().manual_seed(seed)))
        run["data"].setdefault("files", [name + ".safetensors"])
    run["data"].setdefault("kind", "synthetic")
    run["data"]["prefetch"] = 0
    (HERE / "runs" / (name + ".run.json")).write_text(json.dumps(run, indent=1) + "\n")
    return {"name": name} | story(case) | {"expect": case.EXPECT}


def table(entries):
    """The list of cases in README.md, behind its mark."""
    file = HERE / "README.md"
    text = file.read_text()
    mark = "<!-- what follows is written by make.py -->\n"
    head = text[:text.index(mark) + len(mark)]
    rows = ["| case | report | what is true |", "| --- | --- | --- |"]
    for entry in entries:
        short = "/".join(entry["thread"].split("/")[3:5]) + "#" + entry["thread"].split("/")[-1]
        rows.append(f"| `{entry['name']}` | [{short}]({entry['thread']}) | {entry['truth']} |")
    file.write_text(head + "\n" + "\n".join(rows) + "\n")


def main():
    os.chdir(HERE / "cases")
    torch.set_num_threads(1)
    (HERE / "runs").mkdir(exist_ok=True)
    names = sorted(file.stem for file in pathlib.Path(".").glob("*.py"))
    entries = [make(name) for name in names if len(sys.argv) == 1 or name in sys.argv[1:]]
    if len(sys.argv) > 1:
        known = json.loads((HERE / "faults.json").read_text()) if (HERE / "faults.json").exists() else []
        new = {entry["name"]: entry for entry in entries}
        entries = sorted([e for e in known if e["name"] not in new] + entries, key=lambda e: e["name"])
    (HERE / "faults.json").write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
    table(entries)
    size = sum(file.stat().st_size for file in (HERE / "runs").iterdir())
    print(f"{len(names)} cases, {size} bytes")


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets in a model's code
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"PYTHONHASHSEED": "0"})
    main()
