# SPDX-License-Identifier: Apache-2.0
"""Nested values as expressions over named tensors."""
import dataclasses
import keyword
import math
import os
import re
from collections.abc import Mapping

from .messages import CaptureError, torch

SIMPLE = (bool, int, float, str, type(None))


def is_text(value):
    """Whether a value is a text or a path, or a list or tuple of these, as a loader makes of one text per example."""
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and all(is_text(each) for each in value)
    return isinstance(value, (str, bytes, os.PathLike))


class Flat:
    """The tensors of nested values by name. Expressions with these names make the values again."""

    def __init__(self):
        self.tensors = {}
        self.types = {}  # classes that the expressions call
        self.taken = {"self", "output", "model", "loss"}

    def of(self, value, name):
        """`value` as an expression, such as `[x_0, {'mask': x_1_mask}]`."""
        if isinstance(value, torch.Tensor):
            return self._tensor(value, name)
        if isinstance(value, float) and not math.isfinite(value):
            return f"float('{value}')"
        if isinstance(value, SIMPLE):
            return repr(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self._made(value, name, value._fields)
        if isinstance(value, (list, tuple)):
            parts = [self.of(each, f"{name}_{i}") for i, each in enumerate(value)]
            inside = ", ".join(parts)
            return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(parts) == 1)})"
        if isinstance(value, Mapping):
            return "{" + ", ".join(f"{key!r}: {self.of(value[key], f'{name}_{key}')}" for key in value) + "}"
        if dataclasses.is_dataclass(value):
            return self._made(value, name, [field.name for field in dataclasses.fields(value)])
        raise CaptureError(f"{name} in a batch is a {type(value).__name__}, which is neither a tensor nor a number.",
                           "Convert it in the data set or in collate_fn: torch.as_tensor(...).")

    def _tensor(self, value, name):
        if value.is_sparse or value.is_nested or value.is_quantized or value.is_complex():
            raise CaptureError(f"{name} in a batch is a sparse, nested, quantized or complex tensor.",
                               "Give dense tensors of real numbers.")
        name = re.sub(r"\W", "_", name)
        while name in self.taken or keyword.iskeyword(name):
            name += "_"
        self.taken.add(name)
        self.tensors[name] = value.detach()
        return name

    def _made(self, value, name, members):
        kind = type(value).__name__
        self.types[kind] = type(value)
        inside = ", ".join(f"{key}={self.of(getattr(value, key), f'{name}_{key}')}" for key in members)
        return f"{kind}({inside})"
