#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the recorded answers of this folder: python3 make_scaled.py

Versions: PyTorch 2.11.0 (CPU), torchao 0.18.0, ml_dtypes 0.6.0, gfloat 0.5.2, NumPy from 2 on. `pip install --no-deps` takes
torchao beside this PyTorch.

elements.csv     every code of every element and scale format, and roundings at every midpoint and beside it
edge_blocks.csv  blocks of 32 float32 values at the edges, by name
edges.csv        the codes that torchao gives them in every MX format and scale mode
mx.csv           hashes of the codes that torchao gives to 100,000 random blocks, 2,000 blocks a hash
nvfp4.csv        the same for 400 matrices of 64 x 64 values in NVFP4, 10 matrices a hash, and the scales of the tensors
fp8.csv          hashes for FP8 by tensor and by block, by the definition of Transformer Engine in NumPy

Random values come from `patterns`, which tests/scaled repeats, so the inputs need no file.
"""
import hashlib
import os

import ml_dtypes
import numpy as np
import torch
from gfloat import decode_float
from gfloat.formats import (
    format_info_ocp_e2m1, format_info_ocp_e2m3, format_info_ocp_e3m2, format_info_ocp_e4m3, format_info_ocp_e5m2,
    format_info_ocp_e8m0)
from torchao.prototype.mx_formats.config import ScaleCalculationMode
from torchao.prototype.mx_formats.constants import DTYPE_FP6_E2M3, DTYPE_FP6_E3M2
from torchao.prototype.mx_formats.kernels import unpack_uint4
from torchao.prototype.mx_formats.mx_tensor import to_dtype, to_mx
from torchao.prototype.mx_formats.nvfp4_tensor import NVFP4Tensor, nvfp4_quantize, per_tensor_amax_to_scale

FOLDER = os.path.dirname(os.path.abspath(__file__))
BLOCK = 32

# name: ml_dtypes type, gfloat format, torchao element type, bits, largest
ELEMENTS = {
    "e4m3": (ml_dtypes.float8_e4m3fn, format_info_ocp_e4m3, torch.float8_e4m3fn, 8, 448.0),
    "e5m2": (ml_dtypes.float8_e5m2, format_info_ocp_e5m2, torch.float8_e5m2, 8, 57344.0),
    "e2m3": (ml_dtypes.float6_e2m3fn, format_info_ocp_e2m3, DTYPE_FP6_E2M3, 6, 7.5),
    "e3m2": (ml_dtypes.float6_e3m2fn, format_info_ocp_e3m2, DTYPE_FP6_E3M2, 6, 28.0),
    "e2m1": (ml_dtypes.float4_e2m1fn, format_info_ocp_e2m1, torch.float4_e2m1fn_x2, 4, 6.0),
}
MX = {"mxfp8": "e4m3", "mxfp8_e5m2": "e5m2", "mxfp6_e2m3": "e2m3", "mxfp6_e3m2": "e3m2", "mxfp4": "e2m1"}
MODES = {"": ScaleCalculationMode.FLOOR, "+rceil": ScaleCalculationMode.RCEIL, "+ceil": ScaleCalculationMode.CEIL,
         "+even": ScaleCalculationMode.EVEN}


def patterns(seed, count):
    """`count` random 32-bit patterns: splitmix64, as the class Patterns of the tests."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> np.uint64(31))) >> np.uint64(32)).astype(np.uint32)


def random_values(seed, rows, columns, spread):
    """Rows of random values. A row's exponents lie up to 15 below that of the row, which is 127 +- `spread`. One value in
    64 is 0. A quarter of the rows has values of 5 significant bits, among which there are ties."""
    words = patterns(seed, rows * (columns + 1)).reshape(rows, columns + 1)
    row = words[:, :1]
    base = np.uint32(127 - spread) + row % np.uint32(2 * spread + 1)
    word = words[:, 1:]
    exponent = base - ((word >> np.uint32(23)) & np.uint32(15)) * ((word >> np.uint32(27)) & np.uint32(3)) // np.uint32(3)
    mantissa = word & np.uint32(0x7FFFFF)
    coarse = ((row >> np.uint32(16)) & np.uint32(3)) == 0
    mantissa = np.where(coarse, mantissa & np.uint32(0x780000), mantissa)
    bits = (word & np.uint32(0x80000000)) | (exponent << np.uint32(23)) | mantissa
    bits = np.where((word >> np.uint32(9)) % np.uint32(64) == 0, word & np.uint32(0x80000000), bits)
    return bits.astype(np.uint32).view(np.float32)


def mx_codes(values, element, mode):
    """Scale codes and element codes of rows of 32 values, by torchao."""
    kind = ELEMENTS[element][2]
    scale, data = to_mx(torch.from_numpy(values.copy()), kind, BLOCK, mode)
    if element == "e2m1":
        codes = unpack_uint4(data)
    else:
        codes = data.view(torch.uint8)
    back = to_dtype(data, scale, kind, BLOCK, torch.float32)
    return scale.view(torch.uint8).numpy().reshape(-1), codes.numpy().reshape(values.shape), back.numpy()


def exception(values, scale, element, mode):
    """Why Binade's codes of a block may differ from torchao's; empty where they must not."""
    largest = np.abs(values).max()
    if np.isnan(largest):
        # Elements of a block that is NaN have no meaning: the scale decides. Only the scale is compared.
        return "nan_block"
    if scale == 0 and largest > 0:
        # torchao stores the scale 2^-127 but divides by 2^-126, or by 1 in rceil; here the element is x / 2^-127.
        return "scale_below_2^-126"
    if mode == ScaleCalculationMode.RCEIL:
        quotient = np.float32(largest) / np.float32(ELEMENTS[element][4])
        if 1 <= np.float32(quotient).view(np.uint32) & np.uint32(0x7FFFFF) <= 32:
            # torchao takes log2 in float32, which loses what exceeds a power of two by less than 2^-18.
            return "log2_in_float32"
    return ""


def short_hash(*arrays):
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def element_rows():
    rows = []
    for name, (kind, info, _, bits, largest) in ELEMENTS.items():
        codes = np.arange(1 << bits, dtype=np.uint8)
        values = codes.view(kind).astype(np.float32)
        for code, value in zip(codes, values):
            other = decode_float(info, int(code)).fval
            assert (np.isnan(value) and np.isnan(other)) or float(value) == other, (name, code)
            rows.append(f"{name},decode,{code},{value.view(np.uint32):08x}")
        positive = np.sort(values[: 1 << (bits - 1)][np.isfinite(values[: 1 << (bits - 1)])])
        middle = (positive[:-1].astype(np.float64) + positive[1:]) / 2
        middle = middle.astype(np.float32)
        inputs = np.concatenate([middle, np.nextafter(middle, np.float32(0)), np.nextafter(middle, np.float32(np.inf)),
                                 positive, np.float32([largest * 1.01, 2 * largest, 3e38, np.inf])])
        inputs = np.concatenate([inputs, -inputs]).astype(np.float32)
        rounded = np.clip(inputs, -np.float32(largest), np.float32(largest)).astype(kind).view(np.uint8)
        for value, code in zip(inputs, rounded):
            rows.append(f"{name},round,{code},{value.view(np.uint32):08x}")
    codes = np.arange(256, dtype=np.uint8)
    values = codes.view(ml_dtypes.float8_e8m0fnu).astype(np.float32)
    for code, value in zip(codes, values):
        other = decode_float(format_info_ocp_e8m0, int(code)).fval
        assert (np.isnan(value) and np.isnan(other)) or float(value) == other, ("e8m0", code)
        rows.append(f"e8m0,decode,{code},{value.view(np.uint32):08x}")
    inputs = np.concatenate([np.float32(1.25) * np.exp2(np.arange(-126, 126)).astype(np.float32),
                             np.float32(1.5) * np.exp2(np.arange(-126, 126)).astype(np.float32),
                             np.float32(1.75) * np.exp2(np.arange(-126, 126)).astype(np.float32)])
    for value, code in zip(inputs, inputs.astype(ml_dtypes.float8_e8m0fnu).view(np.uint8)):
        rows.append(f"e8m0,round,{code},{value.view(np.uint32):08x}")
    return rows


def edge_blocks():
    """Blocks by name."""
    ramp = np.linspace(-1, 1, BLOCK, dtype=np.float32)
    tiny = np.float32(np.exp2(-149.0))
    top = np.finfo(np.float32).max

    def one(value, rest):
        block = np.array(rest, dtype=np.float32).copy()
        block[5] = value
        return block

    blocks = {
        "zeros": np.zeros(BLOCK, np.float32),
        "negative_zeros": -np.zeros(BLOCK, np.float32),
        "ones": np.ones(BLOCK, np.float32),
        "one_nan": one(np.nan, ramp),
        "all_nan": np.full(BLOCK, np.nan, np.float32),
        "one_infinity": one(np.inf, ramp),
        "one_negative_infinity": one(-np.inf, ramp),
        "infinity_and_nan": one(np.inf, one(np.nan, ramp)[::-1]),
        "all_infinity": np.full(BLOCK, np.inf, np.float32),
        "one_subnormal": one(tiny, np.zeros(BLOCK)),
        "subnormals": (np.arange(BLOCK) * tiny * np.float32(200001)).astype(np.float32),
        "largest_subnormal": one(np.float32(np.exp2(-126.0)) - tiny, np.zeros(BLOCK)),
        "below_2^-118": ramp * np.float32(np.exp2(-120.0)),
        "near_2^-110": ramp * np.float32(np.exp2(-110.0)),
        "largest_float32": one(top, ramp),
        "all_largest_float32": np.full(BLOCK, top, np.float32),
        "near_largest_float32": ramp * np.float32(3e38),
        "outlier": one(1000, ramp),
        "one_value": one(0.3, np.zeros(BLOCK)),
        "powers_of_two": np.exp2(np.arange(-16, 16)).astype(np.float32),
        "above_the_largest_element": one(1.9921875, ramp),
        "just_below_two": one(np.nextafter(np.float32(2), np.float32(0)), ramp),
    }
    for name, (_, _, _, _, largest) in ELEMENTS.items():
        blocks[f"largest_of_{name}"] = one(largest, ramp)
        blocks[f"above_largest_of_{name}"] = one(np.nextafter(np.float32(largest), np.float32(np.inf)), ramp)
        blocks[f"below_largest_of_{name}"] = one(np.nextafter(np.float32(largest), np.float32(0)), ramp)
    return blocks


def edge_rows(blocks):
    rows = []
    values = np.stack(list(blocks.values()))
    for name, element in MX.items():
        for suffix, mode in MODES.items():
            scales, codes, back = mx_codes(values, element, mode)
            for i, block in enumerate(blocks):
                why = exception(values[i], scales[i], element, mode)
                restored = back[i].astype("<f4").tobytes().hex() if why == "" else ""
                rows.append(f"{name}{suffix},{block},{scales[i]},{codes[i].tobytes().hex()},{why},{restored}")
    return rows


def mx_rows(blocks=100_000, part=2_000):
    values = random_values(1, blocks, BLOCK, 34)
    rows = []
    for name, element in MX.items():
        for suffix, mode in MODES.items():
            scales, codes, back = mx_codes(values, element, mode)
            left_out = [i for i in range(blocks) if exception(values[i], scales[i], element, mode)]
            codes[left_out] = 0
            scales[left_out] = 0
            back[left_out] = 0
            hashes = [short_hash(scales[i:i + part], codes[i:i + part], back[i:i + part]) for i in range(0, blocks, part)]
            rows.append(f"{name}{suffix},{';'.join(map(str, left_out))},{';'.join(hashes)}")
    return rows


def nvfp4_rows(matrices=400, part=10, size=64):
    rows = []
    for first in range(0, matrices, part):
        arrays, scales = [], []
        for i in range(first, first + part):
            values = random_values(1000 + i, size, size, 6 if i % 4 else 20)
            tensor = torch.from_numpy(values.copy())
            scale = per_tensor_amax_to_scale(tensor.abs().max())
            blocks, data = nvfp4_quantize(tensor, 16, scale)
            back = NVFP4Tensor.to_nvfp4(tensor, 16, scale).dequantize(torch.float32)
            arrays += [blocks.view(torch.uint8).numpy(), unpack_uint4(data).numpy(), back.numpy()]
            scales.append(f"{scale.numpy().view(np.uint32):08x}")
        rows.append(f"{first},{short_hash(*arrays)},{';'.join(scales)}")
    return rows


def te_scale(amax, largest, pow2):
    """compute_scale_from_amax of Transformer Engine, in float32."""
    with np.errstate(divide="ignore", over="ignore"):
        scale = np.float32(largest) / amax.astype(np.float32)
    scale = np.where(np.isinf(scale), np.finfo(np.float32).max, scale).astype(np.float32)
    if pow2:
        scale = (scale.view(np.uint32) & np.uint32(0xFF800000)).view(np.float32)
    return np.where((amax == 0) | ~np.isfinite(amax), np.float32(1), scale).astype(np.float32)


def fp8_rows(matrices=40, size=256):
    rows = []
    for name, element, shape, pow2 in [
            ("fp8_current", "e4m3", None, False), ("fp8_current_e5m2", "e5m2", None, False),
            ("fp8_current+pow2", "e4m3", None, True), ("fp8_block", "e4m3", (1, 128), False),
            ("fp8_block+pow2", "e4m3", (1, 128), True), ("fp8_block_e5m2", "e5m2", (1, 128), False),
            ("fp8_block_128x128", "e4m3", (128, 128), False), ("fp8_block_128x128+pow2", "e4m3", (128, 128), True)]:
        kind, _, _, _, largest = ELEMENTS[element]
        r, c = shape or (size, size)
        arrays = []
        for i in range(matrices):
            values = random_values(5000 + i, size, size, 12)
            grid = values.reshape(size // r, r, size // c, c)
            scale = te_scale(np.abs(grid).max(axis=(1, 3), keepdims=True), largest, pow2)
            scaled = np.clip(grid * scale, -np.float32(largest), np.float32(largest)).astype(kind)
            back = scaled.astype(np.float32) * (np.float32(1) / scale)
            arrays += [scaled.reshape(size, size).view(np.uint8), back.reshape(size, size)]
        rows.append(f"{name},{short_hash(*arrays)}")
    return rows


def write(name, header, rows):
    with open(os.path.join(FOLDER, name), "w", encoding="ascii", newline="\n") as out:
        out.write(header + "\n" + "\n".join(rows) + "\n")


def main():
    torch.set_num_threads(1)
    blocks = edge_blocks()
    write("elements.csv", "element,what,code,float32", element_rows())
    write("edge_blocks.csv", "block,values", [f"{n},{v.astype('<f4').tobytes().hex()}" for n, v in blocks.items()])
    write("edges.csv", "format,block,scale,elements,exception,restored", edge_rows(blocks))
    write("mx.csv", "format,left_out,hashes", mx_rows())
    write("nvfp4.csv", "first,hash,scales", nvfp4_rows())
    write("fp8.csv", "format,hash", fp8_rows())


if __name__ == "__main__":
    main()
