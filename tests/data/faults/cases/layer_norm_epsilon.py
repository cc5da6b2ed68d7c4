# SPDX-License-Identifier: Apache-2.0
"""A layer norm over a sequence padded with zeros, epsilon 1e-12, its variance in float16.

thread: https://github.com/deepspeedai/DeepSpeed/issues/581
saw: NaN in the forward where the input is padded with zeros or a constant
truth: the variance of a padded position is 0, and 0 + 1e-12 is 0 in float16
cure: the epsilon added in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "lost", "sites": ["aten::add#0"], "shows": ["aten::div#0", "aten::rsqrt#0", "aten::mul#1"],
          "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,6,16]"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(16, 16, bias=False)
        self.weight = nn.Parameter(torch.ones(16))
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.nn.functional.pad(x, [0, 0, 0, 2])
        h = self.inner(x)
        h = h - h.mean(-1, keepdim=True)
        variance = (h * h).mean(-1, keepdim=True)
        h = h * (variance + 1e-12).rsqrt() * self.weight
        return self.head(h.mean(1))
