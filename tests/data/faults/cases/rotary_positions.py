# SPDX-License-Identifier: Apache-2.0
"""Rotary embeddings whose angles are made in the model's precision.

thread: https://github.com/EleutherAI/gpt-neox/issues/1003
saw: cosines that are off by 0.78 at position 1857 in fp16
truth: positions beyond 2,048 are other numbers in float16, and their angles are rounded by more than a radian
cure: angles in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "inexact_integers", "sites": ["aten::to#0", "aten::mul#0"], "also": ["rounding"], "fix": "any"}
RUN = {"data": {"inputs": ["float32[2,8]"], "classes": 4}, "batch": 2}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.head = nn.Linear(8, 8), nn.Linear(8, 4)
        self.register_buffer("frequency", 1.0 / (10000 ** (torch.arange(0, 8).float() / 8)))

    def forward(self, x: Tensor) -> Tensor:
        h = self.inner(x)
        t = torch.arange(4096, device=x.device).to(h.dtype)
        angle = t[:, None] * self.frequency.to(h.dtype)
        y = h[:, None, :] * torch.cos(angle)
        return self.head(y[:, ::97].mean(1))
