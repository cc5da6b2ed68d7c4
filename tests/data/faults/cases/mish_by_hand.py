# SPDX-License-Identifier: Apache-2.0
"""Mish as x * tanh(log1p(exp(x))): the forward is right, the backward is not.

thread: https://github.com/tracel-ai/burn/issues/5373
saw: exp overflows; mish survives it in the forward, and the gradients are NaN
truth: exp of more than 88.7 is infinite in float32 too; its gradient is infinity times 0
cure: torch.nn.functional.mish, or softplus
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow_wide", "sites": ["aten::exp#0"], "shows": ["aten::log1p#0"], "fix": "words",
          "never": ["too large for the format", "in float32 or bfloat16"]}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(16, 16)
        self.inner.weight.data.mul_(120)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = self.inner(x)
        h = h * torch.tanh(torch.log1p(torch.exp(h)))
        return self.head(h * 0.01)
