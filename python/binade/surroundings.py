# SPDX-License-Identifier: Apache-2.0
"""The PyTorch in use, the wrappers around a model, and the state that a capture leaves as it was."""
import contextlib
import inspect
import re
import warnings

from .messages import CaptureError, place_of, torch

ENGINE_TORCH = (2, 11)  # the LibTorch of binade-engine
OLDEST_TORCH = (2, 4)  # the first with torch.amp.GradScaler as it is today


def version():
    return tuple(int(part) for part in re.match(r"(\d+)\.(\d+)", torch.__version__).groups())


def check_torch():
    """Raises CaptureError without PyTorch, or for one that is too old."""
    if torch is None:
        raise CaptureError("PyTorch is not installed in this Python.", "Install it with: pip install torch==2.11.0")
    if version() < OLDEST_TORCH:
        raise CaptureError(f"PyTorch {torch.__version__} is too old to capture from.",
                           "Use PyTorch 2.11, or at least 2.4.")


def version_note():
    """A warning about a PyTorch whose numbers may differ from the engine's, or None."""
    if version() == ENGINE_TORCH:
        return None
    return (f"This is PyTorch {torch.__version__}, and the engine computes with LibTorch 2.11, so results may differ "
            "in the last bits. Capture with PyTorch 2.11 for equal bits.")


def unwrapped(model, notes):
    """The module inside torch.compile, DistributedDataParallel and DataParallel."""
    if not isinstance(model, torch.nn.Module):
        place = place_of(model)
        what = f"The model is a {type(model).__name__}" + (f" ({place})" if place else "")
        raise CaptureError(f"{what}, and not a torch.nn.Module.", "Put its code into forward of a torch.nn.Module.")
    while True:
        kind = type(model).__name__
        if hasattr(model, "_orig_mod"):
            model = model._orig_mod
        elif isinstance(model, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)):
            model = model.module
        else:
            break
        notes.add(f"The model inside {kind} is captured.")
    if any(type(each).__name__.startswith("FSDP") or "FullySharded" in type(each).__name__ for each in model.modules()):
        raise CaptureError("The model is sharded (FSDP), so no process holds all its weights.",
                           "Capture it before it is wrapped, and load a full state dict into it.")
    return model


def modules_of(model, loss):
    return [model] + ([loss] if isinstance(loss, torch.nn.Module) else [])


def _resetter(modules):
    """A function that gives the modules the attributes and buffers that they have now."""
    if any(isinstance(module, torch.jit.ScriptModule) for module in modules):
        kept = [(None, {}, dict(module.named_buffers(recurse=False))) for module in modules]
    else:
        kept = [(module, {key: value for key, value in module.__dict__.items() if not key.startswith("_")},
                 dict(module._buffers)) for module in modules]
    values = [(each, each.detach().clone()) for *_, buffers in kept for each in buffers.values() if each is not None]

    def reset():
        for module, attributes, buffers in kept:
            if module is not None:
                for key in [key for key in module.__dict__ if not key.startswith("_") and key not in attributes]:
                    del module.__dict__[key]
                module.__dict__.update(attributes)
                module._buffers.update(buffers)
        with torch.no_grad():
            for buffer, before in values:
                buffer.copy_(before)

    return reset


@contextlib.contextmanager
def undisturbed(model, loss):
    """Yields a function that resets buffers and attributes. Restores these, gradients, flags and random state."""
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
        with torch.random.fork_rng(devices), warnings.catch_warnings(), contextlib.ExitStack() as off:
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
