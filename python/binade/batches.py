# SPDX-License-Identifier: Apache-2.0
"""Batches of a loader, and the files that hold them."""
import contextlib
import ctypes
import json
import os
import struct

from .messages import CaptureError, torch

MOST_LEFT_OUT = 1000  # a loader that is read again and again would never give a batch that fits


def open_batches(batch, data, steps, notes):
    """The first batch, and an iterator over all: of a loader again and again if `steps` are given, of others once."""
    if data is None:
        if batch is None:
            raise CaptureError("Neither batch nor data was given.", "Give your loader as data, or one batch.")
        return batch, iter([batch])
    try:
        first_pass = iter(data)
        if steps is None:
            len(data)  # an endless one has no length
    except TypeError as error:
        if hasattr(data, "__iter__"):
            raise CaptureError("steps is missing, and data has no length.", "Give the number of steps.") from error
        raise CaptureError(f"data is a {type(data).__name__}, which yields no batches.",
                           "Give a DataLoader, or a list of batches.") from error
    taken = next(first_pass, None)
    if taken is None:
        raise CaptureError("The loader yields nothing.",
                           "Check its data set. With drop_last=True it needs at least one whole batch.")

    def all_batches():
        yield taken
        yield from first_pass
        while steps is not None and first_pass is not data:  # an iterator cannot begin again
            one_more = iter(data)
            for again in one_more:
                yield again
                break
            else:
                notes.add("Read again, data yields nothing.")
                return
            yield from one_more

    return taken if batch is None else batch, all_batches()


def write_batches(folder, case, batches, wanted, notes):
    """Writes up to `wanted` batches. Returns a Column for each tensor, and the first two batches."""
    os.makedirs(os.path.join(folder, "data"))
    columns, samples, count, left_out, in_a_row = [], [], 0, 0, 0
    with contextlib.ExitStack() as files:
        for name, (dtype, shape) in case.shapes.items():
            columns.append(Column(folder, name, dtype, shape, case.by_rows))
            files.callback(columns[-1].close)
        for index, batch in enumerate(batches):
            tensors = case.tensors_of(batch, index)
            if tensors is None:
                left_out, in_a_row = left_out + 1, in_a_row + 1
                if in_a_row > MOST_LEFT_OUT and (wanted or not count):
                    break
                continue
            in_a_row = 0
            for column in columns:
                column.append(tensors[column.name])
            if len(samples) < 2:
                samples.append({name: tensor.clone() for name, tensor in tensors.items()})
            count += 1
            if wanted and count >= wanted:
                break
    if not count:
        raise CaptureError("No batch of data has as many rows as batch.", "Give as batch what the loader yields.")
    if left_out:
        notes.add(f"Batches with another number of rows than {case.rows} were left out: {left_out}.")
    if wanted and count < wanted:
        notes.add(f"There are {count} batches for {wanted}: the run repeats them in their order.")
    return columns, samples


class Column:
    """One tensor of every batch, appended to a safetensors file. The header is written last, into reserved space."""

    RESERVED = 1024  # bytes; the format allows spaces behind the header
    DTYPES = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "int64": "I64", "int32": "I32",
              "int16": "I16", "int8": "I8", "uint8": "U8", "bool": "BOOL"}

    def __init__(self, folder, name, dtype, shape, by_rows):
        self.name, self.dtype = name, str(dtype)[6:]
        if self.dtype not in self.DTYPES:
            raise CaptureError(f"{name} is {self.dtype}, which the engine does not read.",
                               "Convert it in collate_fn, for example with .float() or .long().")
        self.example = list(shape[1:] if by_rows else shape)
        self.by_rows, self.rows = by_rows, 0
        self.file = f"data/{name}.safetensors"
        self._out = open(os.path.join(folder, self.file), "wb")
        self._out.write(b"\0" * (8 + self.RESERVED))

    def append(self, tensor):
        tensor = tensor.detach().cpu().contiguous()
        self._out.write(ctypes.string_at(tensor.data_ptr(), tensor.nbytes) if tensor.nbytes else b"")
        self.rows += tensor.shape[0] if self.by_rows else 1

    def close(self):
        size = self._out.tell() - 8 - self.RESERVED
        header = json.dumps({self.name: {"dtype": self.DTYPES[self.dtype], "shape": [self.rows, *self.example],
                                         "data_offsets": [0, size]}})
        self._out.seek(0)
        self._out.write(struct.pack("<Q", self.RESERVED) + header.encode().ljust(self.RESERVED))
        self._out.close()

    def entry(self):
        """The column in a run description."""
        return {"from": self.name, "dtype": self.dtype}
