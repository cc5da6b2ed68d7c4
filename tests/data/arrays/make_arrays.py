#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the data files of this folder with PyTorch 2.11, NumPy and safetensors: python3 make_arrays.py

What a file holds is said by `value(name, i)` below, or by tests/files, which compare with the same formula.
A second run gives equal files, ZIP time stamps aside.
"""
import argparse
import struct
import zipfile
from collections import OrderedDict

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

torch.manual_seed(0)


def ramp(*shape, dtype=np.float32):
    """0, 0.5, 1, ... row-major; whole numbers for integer types."""
    count = int(np.prod(shape))
    numbers = np.arange(count, dtype=np.float64)
    if np.issubdtype(dtype, np.floating) or np.issubdtype(dtype, np.complexfloating):
        numbers = numbers / 2
    return numbers.reshape(shape).astype(dtype)


def numpy_files():
    for name in "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8".split():
        np.save(f"{name}.npy", ramp(2, 3, dtype=np.dtype(name).type))
    np.save("b1.npy", np.array([[True, False, True], [False, True, False]]))
    np.save("c8.npy", ramp(2, 3, dtype=np.complex64))
    np.save("fortran.npy", np.asfortranarray(ramp(2, 3, 4)))
    np.save("number.npy", np.float32(2.5))
    np.save("empty.npy", np.zeros((0, 4), np.float32))
    with open("version2.npy", "wb") as out:
        np.lib.format.write_array(out, ramp(2, 3), version=(2, 0))
    with open("version3.npy", "wb") as out:
        np.lib.format.write_array(out, ramp(2, 3), version=(3, 0))
    np.save("bad_big_endian.npy", ramp(2, 3).astype(">f4"))
    np.save("bad_structured.npy", np.zeros(3, dtype=[("a", "<f4"), ("b", "<i8")]))
    np.save("bad_text.npy", np.array(["one", "two"]))
    np.save("bad_objects.npy", np.array([{"a": 1}, None], dtype=object))
    np.save("bad_dates.npy", np.array(["2026-01-01"], dtype="datetime64[D]"))
    np.savez("plain.npz", images=ramp(6, 2, 2), labels=np.arange(6) % 3, weights=ramp(6, dtype=np.float64))
    np.savez_compressed("packed.npz", images=ramp(6, 2, 2), labels=np.arange(6) % 3)


def safetensors_files():
    tensors = {
        "f32": torch.from_numpy(ramp(2, 3)),
        "f64": torch.from_numpy(ramp(2, 3, dtype=np.float64)),
        "f16": torch.from_numpy(ramp(2, 3)).half(),
        "bf16": torch.from_numpy(ramp(2, 3)).bfloat16(),
        "e4m3": torch.from_numpy(ramp(2, 3)).to(torch.float8_e4m3fn),
        "e5m2": torch.from_numpy(ramp(2, 3)).to(torch.float8_e5m2),
        "i64": torch.arange(6).reshape(2, 3),
        "i8": torch.arange(6, dtype=torch.int8).reshape(2, 3),
        "bool": torch.tensor([[True, False, True], [False, True, False]]),
        "number": torch.tensor(2.5),
        "empty": torch.zeros(0, 4),
    }
    save_file(tensors, "python.safetensors", metadata={"who": "Python", "umlaut": "\u00e4"})


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(self.bn(self.conv(x)).flatten(1))


def fill(module):
    """Every parameter and buffer a ramp, so that a test knows what it should be."""
    with torch.no_grad():
        for number, tensor in enumerate(module.state_dict().values()):
            tensor.copy_((torch.arange(tensor.numel()) + number).reshape(tensor.shape))


def torch_files():
    base = torch.from_numpy(ramp(4, 6))
    torch.save(base, "tensor.pt")
    torch.save({
        "whole": base,
        "view": base[1:3, ::2],
        "transposed": base.t(),
        "expanded": torch.tensor([2.5]).expand(3, 4),
        "bf16": base.bfloat16(),
        "f16": base.half(),
        "e4m3": base.to(torch.float8_e4m3fn),
        "bool": base > 3,
        "complex": torch.complex(base, -base),
        "parameter": nn.Parameter(base[0].clone()),
        "list": [base[0], (base[1], [base[2]])],
        "plain": {"an int": 3, 4: None, "f": 1.5, "yes": True, "text": "\u00e4", "big": 2**40, "negative": -7,
                  "size": torch.Size([1, 2]), "device": torch.device("cpu")},
        "ordered": OrderedDict([("z", base[3]), ("a", torch.tensor(7))]),
        "empty": torch.zeros(0, 4),
    }, "everything.pt")
    for protocol in (3, 4, 5):
        torch.save({"x": base, "y": torch.arange(4)}, f"protocol{protocol}.pt", pickle_protocol=protocol)
    torch.save({"x": base}, "legacy.pt", _use_new_zipfile_serialization=False)

    net = Net()
    fill(net)
    torch.jit.script(net).save("net.pt")
    torch.save(net.state_dict(), "state_dict.pth")
    save_file(net.state_dict(), "state_dict.safetensors")
    optimizer = torch.optim.Adam(net.parameters())
    net(torch.zeros(2, 1, 4, 4)).sum().backward()
    optimizer.step()
    fill(net)
    torch.save({"epoch": 3, "model_state_dict": net.state_dict(), "optimizer_state_dict": optimizer.state_dict(),
                "scaler": torch.amp.GradScaler("cpu").state_dict(), "rng": torch.get_rng_state()}, "checkpoint.pth")
    torch.save({"state_dict": nn.DataParallel(net).state_dict()}, "data_parallel.pth")
    torch.save(net.half().state_dict(), "half.pth")
    net.float()
    other = net.state_dict()
    other["fc.weight"] = torch.zeros(5, 8)
    del other["conv.bias"]
    other["head.weight"] = torch.zeros(2)
    torch.save(other, "other_model.pth")
    partial = net.state_dict()
    del partial["bn.num_batches_tracked"]
    torch.save(partial, "without_buffer.pth")

    torch.save({"x": base, "args": argparse.Namespace(lr=0.1)}, "unsafe_namespace.pt")
    torch.save({"x": base, "array": np.arange(3)}, "unsafe_numpy.pt")
    torch.save(net, "unsafe_model.pt")
    torch.save({"x": base, "sparse": base.to_sparse()}, "unsafe_sparse.pt")

    class Evil:
        def __reduce__(self):
            import os
            return os.system, ("echo this must never run",)

    torch.save({"x": base, "evil": Evil()}, "unsafe_system.pt")


def tables():
    with open("table.csv", "w", newline="") as out:
        out.write("age,height,name,label\r\n")
        for i in range(10):
            out.write(f'{20 + i},{1.5 + i / 16},"No. {i}, ""the {i}th""",{i % 3}\r\n')


numpy_files()
safetensors_files()
torch_files()
tables()
