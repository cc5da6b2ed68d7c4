# SPDX-License-Identifier: Apache-2.0
"""The op calls of a step with their results, to name the first one that differs in another run of the step."""
import contextlib
import dataclasses
import difflib
import math

from .messages import torch

MULTIPLIERS = (0x9E3779B1, 0x85EBCA77)  # odd, of xxHash


@dataclasses.dataclass
class OpCall:
    """One call below autograd, where a composite op consists of its parts."""

    op: str  # such as aten::addmm
    where: str  # such as: layer 'head'
    results: tuple  # dtype, shape and two sums over the bits of each result

    def key(self):
        return self.op, self.results


def first_different_call(original, captured, model):
    """A sentence that names the first op call of the step `original()` that `captured()` does not make, or that has
    another result there. None if both make the same calls with the same results.

    Layers are named as in `model`, the one that original() runs. Both run twice as long as otherwise.
    """
    expected, actual = op_calls(original, model), op_calls(captured, None)
    matcher = difflib.SequenceMatcher(None, [call.key() for call in expected], [call.key() for call in actual], False)
    changes = [each for each in matcher.get_opcodes() if each[0] != "equal"]
    for kind, first, _, other, _ in changes:
        if kind == "insert":
            continue  # a call whose result changes nothing later, unless there is no other change
        call = expected[first]
        sentence = f"the first op call that differs is {call.op}, number {first} of the step, in {call.where}"
        if kind == "delete":
            return sentence + "; the captured model does not call it"
        instead = actual[other].op
        return sentence + (f"; the captured model calls {instead} there" if instead != call.op else "")
    if changes:
        return f"the captured model calls {actual[changes[0][3]].op}, which the original does not call"
    return None


def op_calls(step, model):
    """The op calls of step(), forward and backward, that compute something: no views, and no uninitialised tensors."""
    from torch.utils._python_dispatch import TorchDispatchMode

    calls = []
    names = {} if model is None else {id(module): name for name, module in model.named_modules()}
    layers = [""]

    class Recorder(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            if _computes(func):
                tensors = [each for each in _flat(result) if each.layout == torch.strided and not each.is_quantized]
                tensors = [each for each in tensors if each.is_floating_point()] or tensors
                if tensors:
                    name = func._schema.name
                    calls.append(OpCall(name, _where(layers[-1]), tuple(map(_digest, tensors))))
            return result

    def enter(module, _):
        layers.append(names.get(id(module), layers[-1]))

    def leave(*_):
        layers.pop()

    with _hooks_of_all_modules(enter, leave), Recorder():
        step()
    return calls


@contextlib.contextmanager
def _hooks_of_all_modules(enter, leave):
    """Calls these around each forward. A layer with hooks of its own can take another path."""
    registered = torch.nn.modules.module
    before = registered.register_module_forward_pre_hook(enter)
    after = registered.register_module_forward_hook(leave, always_call=True)
    try:
        yield
    finally:
        before.remove()
        after.remove()


def _where(layer):
    """The place of a call: the node of backward that makes it, or the layer."""
    node = torch._C._current_autograd_node() if hasattr(torch._C, "_current_autograd_node") else None
    if node is not None:
        return f"backward ({node.name()})"
    return f"layer {layer!r}" if layer else "the model itself or its loss"


def _computes(func):
    returns = func._schema.returns
    views = all(each.alias_info is not None and not each.alias_info.is_write for each in returns)
    return not views and not func._schema.name.startswith(("aten::empty", "aten::new_empty"))


def _flat(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [tensor for each in value for tensor in _flat(each)] if isinstance(value, (tuple, list)) else []


def _digest(tensor):
    """dtype, shape and two sums over the bits, in which each byte has a weight of its own."""
    data = tensor.detach()
    data = torch.view_as_real(data.resolve_conj()) if data.is_complex() else data
    data = data.contiguous().reshape(-1).view(torch.uint8).to(torch.int64)
    places = torch.arange(1, math.prod(data.shape) + 1, device=data.device)
    sums = [((places * weight ^ places >> 7) * data).sum().item() for weight in MULTIPLIERS]
    return str(tensor.dtype), tuple(tensor.shape), *sums
