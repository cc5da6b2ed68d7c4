# SPDX-License-Identifier: Apache-2.0
"""The losses that a run description can name."""
from .messages import CaptureError, torch

CLASSES = {"CrossEntropyLoss": "cross_entropy", "NLLLoss": "nll", "MSELoss": "mse", "L1Loss": "l1",
           "SmoothL1Loss": "smooth_l1", "HuberLoss": "huber", "BCEWithLogitsLoss": "bce_with_logits"}
SETTINGS = ("reduction", "ignore_index", "label_smoothing", "beta", "delta")


def functions():
    """Functions of torch.nn.functional by the engine's names."""
    f = torch.nn.functional
    return {"cross_entropy": f.cross_entropy, "nll": f.nll_loss, "mse": f.mse_loss, "l1": f.l1_loss,
            "smooth_l1": f.smooth_l1_loss, "huber": f.huber_loss,
            "bce_with_logits": f.binary_cross_entropy_with_logits}


def known_loss(loss):
    """(the engine's name of a loss or None, the loss as a function of output and target)."""
    named = functions()
    if isinstance(loss, str):
        if loss in named:
            return loss, named[loss]
        raise CaptureError(f'The loss "{loss}" is unknown.',
                           f"Write one of {', '.join(named)}, or give a function of (output, target).")
    if not callable(loss):
        raise CaptureError(f"The loss is a {type(loss).__name__}.", "Give a function of (output, target), or a name.")
    for kind, function in named.items():
        if loss is function:
            return kind, loss
    kind = CLASSES.get(type(loss).__name__)
    if kind and type(loss).__module__ == "torch.nn.modules.loss" and not list(loss.buffers()):  # weights are buffers
        usual = type(loss)()
        if all(getattr(loss, each, None) == getattr(usual, each, None) for each in SETTINGS):
            return kind, loss
    return None, loss


def fits(kind, output, target):
    """Whether the engine computes this loss from these tensors as PyTorch does."""
    if not isinstance(output, torch.Tensor) or target is None:
        return False
    classes = target.dtype == torch.int64 and output.dim() == target.dim() + 1
    alike = target.is_floating_point() and target.shape == output.shape
    return classes if kind == "nll" else alike or (kind == "cross_entropy" and classes)
