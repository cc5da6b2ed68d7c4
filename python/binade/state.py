# SPDX-License-Identifier: Apache-2.0
"""The state that a capture leaves as it was: attributes, buffers, gradients, flags, and random state."""
import collections
import contextlib
import random
import sys
import warnings

from .messages import torch
from .surroundings import modules_of

# Of these classes alone: one that is derived may refuse to be cleared.
FILLED = (list, set, dict, collections.OrderedDict, collections.defaultdict, collections.Counter, collections.deque)


def _resetter(modules):
    """A function that gives the modules the attributes and buffers that they have now."""
    kept = [(None, {}, dict(module.named_buffers(recurse=False))) if isinstance(module, torch.jit.ScriptModule)
            else (module, _own_attributes(module), dict(module._buffers)) for module in modules]
    values = [(each, each.detach().clone()) for *_, buffers in kept for each in buffers.values() if each is not None]
    containers, tensors = {}, {}
    for _, attributes, _ in kept:
        _look_into(attributes.values(), containers, tensors)

    def reset():
        for module, attributes, buffers in kept:
            if module is not None:
                for key in _own_attributes(module).keys() - attributes.keys():
                    del module.__dict__[key]
                module.__dict__.update(attributes)
                module._buffers.update(buffers)
        for container, members in containers.values():
            container.clear()
            container.extend(members) if isinstance(container, (list, collections.deque)) else container.update(members)
        with torch.no_grad():
            for buffer, before in values:
                buffer.copy_(before)
            for tensor, before, version in tensors.values():
                if tensor._version != version:
                    tensor.copy_(before)

    return reset


def _own_attributes(module):
    """The attributes that the class of a module has given it, and not torch.nn.Module: `training` is among them."""
    torchs = {key for key in torch.nn.Module().__dict__ if key.startswith("_")} | {"_compiled_call_impl"}
    return {key: value for key, value in module.__dict__.items() if key not in torchs}


def _look_into(values, containers, tensors):
    """Adds the containers and tensors among `values`, and in containers in turn, with what they hold now, by id."""
    for value in values:
        if id(value) in containers or id(value) in tensors:
            continue
        if type(value) in FILLED:
            containers[id(value)] = (value, value.copy())
        elif isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter) and not value.is_inference():
            tensors[id(value)] = (value, value.detach().clone(), value._version)
        if isinstance(value, dict):
            _look_into(value.values(), containers, tensors)
        elif isinstance(value, (list, tuple, set, collections.deque)):
            _look_into(value, containers, tensors)


@contextlib.contextmanager
def _random_state_kept(devices):
    """Of torch, Python and numpy, from which a loader may draw."""
    numpy = sys.modules.get("numpy")
    pythons, numpys = random.getstate(), numpy and numpy.random.get_state()
    try:
        with torch.random.fork_rng(devices):
            yield
    finally:
        random.setstate(pythons)
        if numpy:
            numpy.random.set_state(numpys)


@contextlib.contextmanager
def undisturbed(model, loss):
    """Yields a function that resets buffers and attributes. Restores these, gradients, flags and random state.

    Objects of other classes in attributes are not looked into.
    """
    parts = modules_of(model, loss)
    reset = _resetter([module for part in parts for module in part.modules()])
    parameters = [(each, each.grad, each.requires_grad) for part in parts for each in part.parameters()]
    compiled, calls = [], []
    for parent in list(model.modules()):
        if getattr(parent, "_compiled_call_impl", None) is not None:
            calls.append((parent, parent._compiled_call_impl))
            parent._compiled_call_impl = None
        for key, child in list(parent._modules.items()):
            if child is not None and hasattr(child, "_orig_mod"):
                compiled.append((parent, key, child))
                parent._modules[key] = child._orig_mod
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)  # the fused layers of eval mode have no gradient
    devices = sorted({each.device.index for each, *_ in parameters if each.device.type == "cuda"})
    try:
        with _random_state_kept(devices), warnings.catch_warnings(), contextlib.ExitStack() as off:
            warnings.filterwarnings("ignore", message=r".*torch\.jit\..* is deprecated")  # the engine needs it
            for device in {"cpu"} | {each.device.type for each, *_ in parameters}:
                off.enter_context(torch.autocast(device, enabled=False))
            off.enter_context(torch.enable_grad())
            yield reset
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
        for parent, key, child in compiled:
            parent._modules[key] = child
        for parent, call in calls:
            parent._compiled_call_impl = call
        reset()
        for parameter, gradient, flag in parameters:
            parameter.requires_grad_(flag)
            parameter.grad = gradient
