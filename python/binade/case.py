# SPDX-License-Identifier: Apache-2.0
"""The training to capture: how a batch becomes arguments and targets, and how forward gives the loss."""
import dataclasses
import inspect
import linecache
from collections.abc import Mapping

from .flat import Flat, is_text
from .losses import fits, known_loss
from .messages import CaptureError, reason_of, text_of, torch
from .surroundings import modules_of

RETURNED_LOSS = {"kind": "text", "text": "def loss(output: Tensor) -> Tensor:\n    return output\n"}


class Case:
    """Made from the first batch. Other batches must have its structure and shapes.

    `rows` is the number of examples in a batch. Where not all tensors of a batch have the same number of rows, a whole
    batch is one example, and the captured forward unpacks it.
    """

    def __init__(self, model, loss, batch, split):
        self.model, self.loss, self.split = model, loss, split
        self.what_target = ""  # for a message
        self.left_out = []  # the members of a batch that are texts, such as paths of images
        self.parameters = _parameters_of(model)
        tensors = list(model.parameters()) + list(model.buffers())
        self.device = tensors[0].device if tensors else torch.device("cpu")
        flat, self.arguments, self.target = self._taken_apart(batch)
        self.types = flat.types
        self.shapes = {name: (tensor.dtype, tensor.shape) for name, tensor in flat.tensors.items()}
        if not self.shapes:
            raise CaptureError("A batch holds no tensor.", "Give batches of tensors.")
        sizes = {tensor.shape[0] if tensor.dim() else 0 for tensor in flat.tensors.values()}
        self.by_rows = len(sizes) == 1 and sizes != {0}
        self.rows = sizes.pop() if self.by_rows else 1
        self._choose_loss(flat.tensors)
        inputs = {name for name in self.shapes if name != self.target_name}
        named = {p.name for p in self.parameters if p.kind == p.POSITIONAL_OR_KEYWORD}
        plain = all(source in inputs and source in named for source in self.arguments.values())
        self.wrapped = not (plain and self.by_rows and not self.folded and not self.pick)

    # ---- A batch

    def _taken_apart(self, batch):
        """The tensors of a batch, the arguments of forward by key, and the target, as expressions."""
        names = [p.name for p in self.parameters]
        if not self.split:
            batch = self._without_texts(batch, names)
        if self.split:
            inputs, target = self.split(batch)
        elif self.loss is None:
            inputs, target = batch, None
        elif isinstance(batch, Mapping):
            inputs = {key: batch[key] for key in batch if key in names}
            others = {key: batch[key] for key in batch if key not in names}
            if not inputs and any(p.default is p.empty for p in self.parameters):
                raise CaptureError(f"No key of a batch ({', '.join(map(str, batch))}) is an argument of forward "
                                   f"({', '.join(names)}).",
                                   "Give split, a function from a batch to (inputs, target), with inputs as a tuple.")
            target = next(iter(others.values())) if len(others) == 1 else others
            if len(others) > 1:
                self.what_target = f", where target is a dictionary with the keys {', '.join(map(str, others))}"
        elif isinstance(batch, (list, tuple)) and len(batch) > 1:
            inputs, target = batch[0] if len(batch) == 2 else tuple(batch[:-1]), batch[-1]
        else:
            raise CaptureError(f"A batch is a {type(batch).__name__}, in which no target is found.",
                               "Give split, a function from a batch to (inputs, target).")
        flat = Flat()
        arguments = {key: flat.of(value, name) for key, name, value in self._arguments(inputs)}
        return flat, arguments, None if self.loss is None else flat.of(target, "target")

    def _without_texts(self, batch, names):
        """A dictionary without the texts that no argument of forward takes; a tuple or list without lists of texts."""
        if isinstance(batch, Mapping):
            left_out = [key for key, value in batch.items() if key not in names and is_text(value)]
            kept = {key: batch[key] for key in batch if key not in left_out}
        elif isinstance(batch, (list, tuple)) and not hasattr(batch, "_fields"):
            left_out = [i for i, value in enumerate(batch) if is_text(value) and not isinstance(value, (str, bytes))]
            kept = type(batch)(value for i, value in enumerate(batch) if i not in left_out)
        else:
            return batch
        if not kept:
            return batch  # refused later, as a batch without a tensor
        self.left_out = left_out
        return kept if left_out else batch

    def _arguments(self, inputs):
        """(key, name, value) for each argument: members of a tuple by place, of a dictionary by key, or one value."""
        plain = [p for p in self.parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        needed = [p.name for p in plain if p.default is p.empty]
        any_more = any(p.kind == p.VAR_POSITIONAL for p in self.parameters)
        any_key = any(p.kind == p.VAR_KEYWORD for p in self.parameters)
        if isinstance(inputs, (list, tuple)) and not hasattr(inputs, "_fields"):
            if len(needed) <= len(inputs) and (any_more or len(inputs) <= len(plain)):
                names = [p.name for p in plain] + [f"more_{i}" for i in range(len(inputs))]
                return [(i, names[i], value) for i, value in enumerate(inputs)]
        members = inputs
        if dataclasses.is_dataclass(inputs):
            members = {field.name: getattr(inputs, field.name) for field in dataclasses.fields(inputs)}
        known = {p.name for p in self.parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
        if isinstance(members, Mapping) and set(needed) <= set(members) and (any_key or set(members) <= known):
            return [(key, key, members[key]) for key in members]
        if len(needed) > 1:
            given = f"a {type(inputs).__name__}"
            if isinstance(members, Mapping):
                given = ", ".join(str(key) for key in members) or "none of these"
            raise CaptureError(f"forward takes {', '.join(needed)}, and a batch gives {given}.",
                               "Give split, a function from a batch to (inputs, target), with inputs as a tuple.")
        return [(0, plain[0].name if plain else "x", inputs)]

    def tensors_of(self, batch, index):
        """The tensors of a batch by name, or None if it has another number of rows than the first."""
        flat, arguments, target = self._taken_apart(batch)
        if (arguments, target) != (self.arguments, self.target):
            raise CaptureError(f"Batch {index} has other members, or other numbers or texts in them, than the first.",
                               "Give every batch the same members, put numbers that change into tensors, and leave "
                               "out texts with split, a function from a batch to (inputs, target).")
        first = 1 if self.by_rows else 0
        whole = True
        for name, tensor in flat.tensors.items():
            dtype, shape = self.shapes[name]
            if tensor.dtype != dtype or tensor.dim() != len(shape) or tensor.shape[first:] != shape[first:]:
                raise CaptureError(
                    f"{name} is {text_of(tensor.dtype, tensor.shape)} in batch {index}, and "
                    f"{text_of(dtype, shape)} in the first.",
                    "Pad batches to one shape in collate_fn: the engine reads arrays whose rows have one shape.")
            whole = whole and tensor.shape == shape
            if tensor.is_floating_point() and not torch.isfinite(tensor.float()).all():
                raise CaptureError(f"{name} holds NaN or infinity in batch {index}, which the engine refuses in data.",
                                   "Correct the data. Give a mask as bool, and write -inf inside forward.")
        return flat.tensors if whole else None

    # ---- Forward and loss

    def call_text(self):
        return ", ".join(f"{key}={source}" if isinstance(key, str) else source
                         for key, source in self.arguments.items())

    def _evaluate(self, source, tensors, **names):
        here = {name: tensor.to(self.device) for name, tensor in tensors.items()}
        return eval(source, {**self.types, **names, **here})  # made from the structure of the first batch

    def forward(self, tensors):
        """What the original model returns."""
        return self._evaluate(f"model({self.call_text()})", tensors, model=self.model)

    def loss_of(self, output, tensors):
        """The loss, from what the original model returns."""
        if self.compute is None:
            return eval("output" + self.pick, {"output": output})
        return self._evaluate(f"loss(output, {self.target})", tensors, loss=self.compute, output=output)

    def _choose_loss(self, tensors):
        self.target_name, self.folded, self.pick, self.compute = None, False, "", None
        self.loss_entry = RETURNED_LOSS
        with torch.no_grad():
            try:
                output = self.forward(tensors)
            except Exception as error:
                raise CaptureError(f"forward fails on the first batch: {reason_of(error)}.",
                                   "Check batch, and split if you gave one.") from error
            if self.loss is None:
                self.pick = _place_of_loss(output)
            else:
                kind, self.compute = known_loss(self.loss)
                self.folded = not (kind and self.by_rows and fits(kind, output, tensors.get(self.target)))
                if not self.folded:
                    self.target_name = self.target
                    self.loss_entry = {"kind": kind, "target": self.target}
            try:
                value = self.loss_of(output, tensors)
            except Exception as error:
                raise CaptureError(f"The loss fails on the first batch: {reason_of(error)}.",
                                   f"It is called as loss(output, target){self.what_target}. Check them, and split if "
                                   "you gave one.") from error
        if isinstance(value, torch.Tensor) and value.numel() == 1 and value.is_floating_point():
            return
        what = text_of(value.dtype, value.shape) if isinstance(value, torch.Tensor) else f"a {type(value).__name__}"
        raise CaptureError(f"The loss is {what}, and not one number.",
                           "End it with a mean or a sum." if self.loss else "Give loss, or let forward return it.")

    # ---- The captured module

    def inputs(self):
        return [name for name in self.shapes if name != self.target_name]

    def wrapper(self, model):
        """A module whose forward takes tensors, and calls `model` and the loss as the training does."""
        lines = [f"def forward(self, {', '.join(self.inputs())}):"]
        if not self.by_rows:
            lines += [f"    {name} = {name}[0]" for name in self.inputs()]
        lines += [f"    output = self.model({self.call_text()})",
                  f"    return self.loss(output, {self.target})" if self.folded else f"    return output{self.pick}"]
        source = "\n".join(lines) + "\n"
        file = f"<binade {id(self)}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)  # where TorchScript reads it
        made = dict(self.types, torch=torch, __name__=__name__)
        exec(compile(source, file, "exec"), made)
        module = type("Captured", (torch.nn.Module,), {"forward": made["forward"]})()
        module.model = model
        if self.folded:
            module.loss = self.compute
        module.training = model.training
        return module

    def recipe(self):
        """How the captured forward calls `model` and the loss, for a proof with the original model; in model.pt."""
        return {"inputs": self.inputs(), "arguments": self.call_text(), "whole_batch": not self.by_rows,
                "target": self.target if self.folded else None, "pick": self.pick,
                "loss_is_module": self.folded and isinstance(self.compute, torch.nn.Module)}

    def named(self, method):
        """(name in the captured module, tensor) for named_parameters or named_buffers, tied ones under each name."""
        parts = modules_of(self.model, self.compute if self.folded else None)
        prefixes = ["model." if self.wrapped else "", "loss."]
        return [(prefix + name, tensor) for prefix, part in zip(prefixes, parts)
                for name, tensor in getattr(part, method)(remove_duplicate=False)]


def _parameters_of(model):
    """The parameters of forward, as inspect has them."""
    if not isinstance(model, torch.jit.ScriptModule):
        return list(inspect.signature(model.forward).parameters.values())
    made = inspect.Parameter
    return [made(each.name, made.POSITIONAL_OR_KEYWORD,
                 default=each.default_value if each.has_default_value() else made.empty)
            for each in model.forward.schema.arguments[1:]]


def _place_of_loss(output):
    if isinstance(output, torch.Tensor):
        return ""
    if isinstance(output, Mapping) and "loss" in output:
        return "['loss']"
    if hasattr(output, "loss"):
        return ".loss"
    if isinstance(output, (list, tuple)) and output:
        return "[0]"
    raise CaptureError(f"forward returns a {type(output).__name__}, in which no loss is found.",
                       "Give loss, or let forward return it, alone or as \"loss\" in a dictionary.")
