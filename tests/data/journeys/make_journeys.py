#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the files of this folder with PyTorch 2.11 and NumPy: python3 make_journeys.py

One small data set in every form that a run reads, two models that take it, and a run description for each form: what
a person opens who has data of their own. A second run gives equal files, ZIP time stamps aside.
"""
import gzip
import json
import os
import struct

import numpy as np
import torch
from torch import nn

ROWS, COLUMNS, CLASSES, SIDE = 48, 8, 4, 4
rng = np.random.default_rng(16)
y = np.arange(ROWS, dtype=np.int64) % CLASSES
x = (rng.normal(size=(ROWS, COLUMNS)) + y[:, None]).astype(np.float32)


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(COLUMNS, 6)
        self.last = nn.Linear(6, CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(torch.relu(self.first(x)))


class Pictures(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3)
        self.last = nn.Linear(3 * (SIDE - 2) ** 2, CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(torch.relu(self.conv(x)).flatten(1))


def describe(name, data, model="rows.pt"):
    run = {"binade_run": 1, "name": name, "model": model, "data": data, "batch": 8, "steps": 100000,
           "optimizer": {"kind": "sgd", "learning_rate": 0.01}, "scaler": {"init_scale": 1024}}
    with open(f"{name}.run.json", "w") as out:
        json.dump(run, out, indent=1)
        out.write("\n")


def files(name, paths, column="x", target="y"):
    describe(name, {"kind": "files", "files": paths, "columns": {"x": {"from": column}},
                    "targets": {"label": {"from": target}}, "test": 0.25})


def safetensors(file, arrays):
    header, data = {}, b""
    for key, (dtype, array) in arrays.items():
        header[key] = {"dtype": dtype, "shape": array.shape, "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(file, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + data)


def idx(folder_file, array):
    out = b"\x00\x00\x08" + bytes([array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()
    with (gzip.GzipFile(folder_file + ".gz", "wb", mtime=0) if "packed" in folder_file
          else open(folder_file, "wb")) as to:
        to.write(out)


def main():
    torch.manual_seed(16)
    torch.jit.script(Rows()).save("rows.pt")
    torch.jit.script(Pictures()).save("pictures.pt")

    np.save("x.npy", x)
    np.save("y.npy", y)
    files("npy", ["x.npy", "y.npy"])
    np.savez("plain.npz", x=x, y=y)
    files("npz", ["plain.npz"])
    np.savez_compressed("packed.npz", x=x, y=y)
    files("packed-npz", ["packed.npz"])

    names = [f"c{i}" for i in range(COLUMNS)]
    for name, separator in (("commas", ","), ("semicolons", ";")):
        with open(f"{name}.csv", "w") as out:
            out.write(separator.join(names + ["class"]) + "\n")
            for row, label in zip(x, y):
                out.write(separator.join([f"{v:.4f}" for v in row] + [str(label)]) + "\n")
        files(f"csv-{name}", [f"{name}.csv"], names, "class")
    files("npz-and-csv", ["plain.npz", "commas.csv"], "x", "class")

    tensors = {"x": torch.from_numpy(x), "y": torch.from_numpy(y)}
    safetensors("set.safetensors", {"y": ("I64", y), "x": ("F32", x)})
    files("safetensors", ["set.safetensors"])
    for ending in ("pt", "pth", "bin", "ckpt"):
        torch.save({"train": tensors}, f"set.{ending}")
        files(ending, [f"set.{ending}"], "train.x", "train.y")

    pictures = np.clip(rng.normal(size=(ROWS, SIDE, SIDE)) * 40 + 60 + 30 * y[:, None, None], 0, 255).astype(np.uint8)
    for folder in ("idx", "idx-packed"):
        os.makedirs(folder, exist_ok=True)
        for half in ("train", "t10k"):
            idx(f"{folder}/{half}-images-idx3-ubyte", pictures)
            idx(f"{folder}/{half}-labels-idx1-ubyte", y.astype(np.uint8))
        describe(folder, {"kind": "idx", "folder": folder, "mean": 0.4, "deviation": 0.3}, "pictures.pt")
    describe("drawn", {"inputs": ["float32[8,8]"], "classes": CLASSES})


if __name__ == "__main__":
    main()
