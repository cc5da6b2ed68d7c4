#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/autocast/scaled_products.json: quantized products and their gradients, computed with PyTorch.

    python tests/autocast/gen_scaled_products.py tests/data/autocast/scaled_products.json

Needs PyTorch only. The quantizers are written here from the definitions (OCP Microscaling 1.0, NVIDIA's NVFP4, FP8
recipes), one block at a time and without the engine. Each product is the float64 product of the quantized operands.
Convolutions are products of explicit im2col matrices: the contracted dimension of the forward product and of the
gradient of the input is channels × kernel, one place of the kernel after the other; that of the gradient of the weight
is the pixels of all images.
"""
import base64
import json
import struct
import sys

import torch
import torch.nn.functional as F

# Cases that show nothing that another one does not; they keep their random numbers, and the file stays short.
LEFT_OUT = {f"conv2d {shape} hybrid" for shape in ("stride", "groups", "dilation", "transposed")} | {
    "conv2d stride nvfp4", "conv2d dilation nvfp4"}
E2M1 = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
LARGEST = {"e4m3": 448.0, "e5m2": 57344.0, "e2m1": 6.0}
EMAX = {"e4m3": 8, "e5m2": 15, "e2m1": 2}


def element(x, kind):
    """Nearest element, ties to even, saturating."""
    x = x.clamp(-LARGEST[kind], LARGEST[kind])
    if kind == "e4m3":
        return x.to(torch.float8_e4m3fn).float()
    if kind == "e5m2":
        return x.to(torch.float8_e5m2).float()
    magnitude = x.abs()
    middles = (E2M1[1:] + E2M1[:-1]) / 2
    code = torch.bucketize(magnitude, middles)  # the lower one where two are equally near
    tie = magnitude == middles[code.clamp(max=len(middles) - 1)]
    return torch.copysign(E2M1[code + (tie & (code % 2 == 1)).long()], x)


def mx_block(block, kind):
    largest = block.abs().max()
    exponent = -127 if largest == 0 else int(torch.frexp(largest)[1]) - 1 - EMAX[kind]
    scale = torch.tensor(2.0, dtype=torch.float64) ** max(-127, min(127, exponent))
    return (element((block.double() / scale).float(), kind).double() * scale).float()


def fp8_block(block, kind):
    largest = block.abs().max()
    multiply = torch.tensor(LARGEST[kind]) / largest if largest > 0 else torch.tensor(1.0)
    return element(block * multiply, kind) * (1 / multiply)


def nvfp4_block(block, tensor_scale):
    scale = (block.abs().max() / 6 / tensor_scale).clamp(2.0**-6, 448).to(torch.float8_e4m3fn).float()
    # In float32, in this order, as torchao computes it.
    return element(block * (1 / tensor_scale / scale), "e2m1") * (tensor_scale * scale)


def blocks(matrix, rows, length, quantize):
    """Applies quantize to blocks of rows × length; those at the edges are smaller."""
    result = torch.empty_like(matrix)
    for r in range(0, matrix.shape[0], rows):
        for c in range(0, matrix.shape[1], length):
            part = matrix[r:r + rows, c:c + length]
            result[r:r + rows, c:c + length] = quantize(part.reshape(-1)).reshape(part.shape)
    return result


def quantize(matrix, name, operand, product):
    """matrix [rows, contracted]; operand: input, weight, gradient."""
    matrix = matrix.float()
    if name is None:
        return matrix
    kind = "e5m2" if name.endswith("_e5m2") and (operand == "gradient" or product == "forward") else "e4m3"
    base = name.removesuffix("_e5m2")
    if base == "mxfp8":
        return blocks(matrix, 1, 32, lambda b: mx_block(b, kind))
    if base == "mxfp4":
        return blocks(matrix, 1, 32, lambda b: mx_block(b, "e2m1"))
    if base == "fp8_current":
        return fp8_block(matrix.reshape(-1), kind).reshape(matrix.shape)
    if base == "fp8_block":
        rows = 128 if operand == "weight" else 1
        return blocks(matrix, rows, 128, lambda b: fp8_block(b, kind))
    if base == "nvfp4":
        rows = 16 if operand == "weight" else 1
        largest = matrix.abs().max()
        tensor_scale = largest / (448 * 6) if largest > 0 else torch.tensor(1.0)
        return blocks(matrix, rows, 16, lambda b: nvfp4_block(b, tensor_scale))
    raise ValueError(name)


def times(a, b):
    """a [m, k] · b [n, k] transposed."""
    return (a.double() @ b.double().t()).float()


def matrix_products(x, w, g, formats):
    """x [m, k], w [n, k], g [m, n]: y, gradient of x, gradient of w."""
    forward, grad_input, grad_weight = formats
    y = times(quantize(x, forward, "input", "forward"), quantize(w, forward, "weight", "forward"))
    dx = times(quantize(g, grad_input, "gradient", "grad_input"),
               quantize(w.t(), grad_input, "weight", "grad_input"))
    dw = times(quantize(g.t(), grad_weight, "gradient", "grad_weight"),
               quantize(x.t(), grad_weight, "input", "grad_weight"))
    return y, dx, dw


def by_places(tensor, name, operand, product, groups, dim, square):
    """Quantizes a tensor along dim (the channels), within a group; the other dimensions are rows.

    A format with one scale for the tensor takes all of it at once. Square blocks are of both first dimensions."""
    per_tensor = name is None or name.startswith("fp8_current")
    if per_tensor:
        return quantize(tensor.reshape(1, -1), name, operand, product).reshape(tensor.shape)
    base = name.removesuffix("_e5m2")
    scale_of = tensor.abs().max() / (448 * 6) if base == "nvfp4" else None
    parts = []
    for part in tensor.chunk(groups, dim if not square else 0):
        moved = part.movedim(dim, -1)
        kind = "e5m2" if name.endswith("_e5m2") and (operand == "gradient" or product == "forward") else "e4m3"
        rule = {"mxfp8": lambda b: mx_block(b, kind), "nvfp4": lambda b: nvfp4_block(b, scale_of),
                "fp8_block": lambda b: fp8_block(b, kind)}[base]
        length = {"mxfp8": 32, "nvfp4": 16, "fp8_block": 128}[base]
        if square and base != "mxfp8":
            result = torch.empty_like(part)
            for place in range(part[0, 0].numel()):
                plane = part.flatten(2)[:, :, place]
                result.flatten(2)[:, :, place] = blocks(plane, length, length, rule)
            parts.append(result)
            continue
        rows = moved.reshape(-1, moved.shape[-1])
        parts.append(blocks(rows, 1, length, rule).reshape(moved.shape).movedim(-1, dim))
    return torch.cat(parts, dim if not square else 0)


def im2col(image, kernel, stride, padding, dilation):
    """[batch, channels, h, w] -> [channels · kernel, batch · pixels]"""
    columns = F.unfold(image, kernel, dilation=dilation, padding=padding, stride=stride)
    return columns.permute(1, 0, 2).reshape(columns.shape[1], -1)


def convolution_products(x, w, g, formats, arguments):
    """conv2d or conv_transpose2d."""
    forward, grad_input, grad_weight = formats
    groups, transposed = arguments["groups"], arguments["transposed"]
    stride, padding, dilation = arguments["stride"], arguments["padding"], arguments["dilation"]
    extra = arguments["output_padding"]

    def run(x, w):
        if transposed:
            return F.conv_transpose2d(x, w, None, stride, padding, extra, groups, dilation)
        return F.conv2d(x, w, None, stride, padding, dilation, groups)

    # The forward product contracts the channels that the kernel reads: dimension 1 of a weight [out, in / groups, ...],
    # dimension 0 of a transposed convolution's [in, out / groups, ...], where channels of a group are apart.
    def weight(name, product, first):
        square = name is not None and name.removesuffix("_e5m2") in ("nvfp4", "fp8_block")
        if square:
            return by_places(w, name, "weight", product, groups, 1, True)
        if first:
            return by_places(w, name, "weight", product, groups, 0, False)
        return by_places(w, name, "weight", product, 1, 1, False)

    xq = by_places(x, forward, "input", "forward", groups, 1, False).double()
    wq = weight(forward, "forward", transposed).double()
    y = run(xq, wq).float()

    gq = by_places(g, grad_input, "gradient", "grad_input", groups, 1, False).double()
    wq = weight(grad_input, "grad_input", not transposed).double()
    xx = x.double().requires_grad_(True)
    (dx,) = torch.autograd.grad(run(xx, wq), xx, gq)

    image, pixels = (g, x) if transposed else (x, g)
    kinds = ("gradient", "input") if transposed else ("input", "gradient")
    rows = pixels.transpose(0, 1).reshape(pixels.shape[1], -1)
    if grad_weight is not None and grad_weight.startswith("fp8_current"):
        image = quantize(image.reshape(1, -1), grad_weight, kinds[0], "grad_weight").reshape(image.shape)
        columns = im2col(image, w.shape[2:], stride, padding, dilation)
    else:
        columns = quantize(im2col(image, w.shape[2:], stride, padding, dilation), grad_weight, kinds[0], "grad_weight")
    rows = quantize(rows, grad_weight, kinds[1], "grad_weight")
    dw = torch.cat([times(a, b) for a, b in zip(rows.chunk(groups), columns.chunk(groups))])
    return y, dx.float(), dw.reshape(w.shape)


def spread(*shape):
    """Values over many binades, exact in bfloat16."""
    values = torch.randn(shape) * torch.exp2(torch.randint(-6, 7, shape).float())
    return values.bfloat16().float()


def tensor(value):
    """Values as base64 of little-endian float32, so that the file stays short."""
    values = value.flatten().tolist()
    return {"shape": list(value.shape), "values": base64.b64encode(struct.pack(f"<{len(values)}f", *values)).decode()}


def case(name, op, formats, x, w, g, results, arguments=None):
    y, dx, dw = results
    return {"name": name, "op": op, "products": dict(zip(("forward", "grad_input", "grad_weight"), formats)),
            "arguments": arguments or {}, "x": tensor(x), "w": tensor(w), "g": tensor(g),
            "y": tensor(y), "dx": tensor(dx), "dw": tensor(dw)}


def main():
    torch.manual_seed(24)
    cases = []
    all_of = lambda name: (name, name, name)
    linear_formats = {
        "mxfp8": all_of("mxfp8"), "mxfp4": all_of("mxfp4"), "nvfp4": all_of("nvfp4"), "fp8_block": all_of("fp8_block"),
        "hybrid": ("fp8_current", "fp8_current_e5m2", "fp8_current_e5m2"),
        "mxfp8_e5m2": ("mxfp8", "mxfp8_e5m2", "mxfp8_e5m2"),
        "apart": ("nvfp4", "mxfp8", None),
    }
    for name, formats in linear_formats.items():
        # Blocks that are full and blocks that are ragged, along each dimension.
        m, k, n = 35, 70, 37
        x, w, g = spread(m, k), spread(n, k), spread(m, n)
        cases.append(case(f"linear {name}", "linear", formats, x, w, g, matrix_products(x, w, g, formats)))
    x, w, g = spread(2, 20, 33), spread(2, 33, 18), spread(2, 20, 18)
    parts = [matrix_products(x[i], w[i].t(), g[i], all_of("mxfp8")) for i in range(2)]
    cases.append(case("bmm mxfp8", "bmm", all_of("mxfp8"), x, w, g,
                      [torch.stack([p[i] if i < 2 else p[i].t() for p in parts]) for i in range(3)]))
    plain = {"stride": [1, 1], "padding": [1, 1], "dilation": [1, 1], "groups": 1, "transposed": False,
             "output_padding": [0, 0]}
    convolutions = {
        "plain": (plain, (2, 40, 6, 6), (20, 40, 3, 3)),
        "stride": (plain | {"stride": [2, 1], "padding": [0, 2]}, (3, 33, 5, 7), (18, 33, 2, 3)),
        "groups": (plain | {"groups": 2}, (2, 36, 5, 5), (34, 18, 3, 3)),
        "dilation": (plain | {"dilation": [2, 1]}, (1, 16, 7, 6), (16, 16, 3, 2)),
        "transposed": (plain | {"transposed": True, "stride": [2, 2], "output_padding": [1, 0]}, (2, 34, 4, 3),
                       (34, 17, 3, 3)),
        "transposed groups": (plain | {"transposed": True, "groups": 2}, (2, 36, 4, 4), (36, 5, 3, 3)),
    }
    for name, (arguments, x_shape, w_shape) in convolutions.items():
        for label, formats in (("mxfp8", all_of("mxfp8")), ("nvfp4", all_of("nvfp4")),
                               ("hybrid", linear_formats["hybrid"])):
            x, w = spread(*x_shape), spread(*w_shape)
            shape = (F.conv_transpose2d(x, w, None, arguments["stride"], arguments["padding"],
                                        arguments["output_padding"], arguments["groups"], arguments["dilation"])
                     if arguments["transposed"] else
                     F.conv2d(x, w, None, arguments["stride"], arguments["padding"], arguments["dilation"],
                              arguments["groups"])).shape
            g = spread(*shape)
            cases.append(case(f"conv2d {name} {label}", "convolution", formats, x, w, g,
                              convolution_products(x, w, g, formats, arguments), arguments))
    cases = [each for each in cases if each["name"] not in LEFT_OUT]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"made_by": f"tests/autocast/gen_scaled_products.py, PyTorch {torch.__version__}", "cases": cases},
                  file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
