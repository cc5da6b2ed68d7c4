# SPDX-License-Identifier: Apache-2.0
"""Captures a PyTorch training for Binade: model, batches, loss, optimizer, schedule and loss scaling.

    import binade
    binade.capture(model, loss=loss, optimizer=optimizer, data=loader, steps=100, to="run")

writes run/training.run.json. `binade run/training.run.json` opens it, and `binade-engine train run/training.run.json`
trains it.
`help(binade.capture)` describes the arguments. The package needs PyTorch and nothing else.
"""
from .capture import Captured, capture
from .messages import CaptureError

__all__ = ["capture", "Captured", "CaptureError"]
__version__ = "0.1.0"
