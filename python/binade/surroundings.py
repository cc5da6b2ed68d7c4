# SPDX-License-Identifier: Apache-2.0
"""The PyTorch in use, and the wrappers around a model."""
import re

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
