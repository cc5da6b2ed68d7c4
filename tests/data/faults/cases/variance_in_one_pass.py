# SPDX-License-Identifier: Apache-2.0
"""A variance as the mean of squares less the square of the mean, of values that all lie near 20.

thread: https://github.com/sbryngelson/ANEForge/pull/263
saw: infinities and NaN in float16 as soon as the mean is large beside the spread
truth: the difference of two nearly equal numbers is rounding alone: negative where it should be near 0
cure: subtract the mean first
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "rounding", "sites": ["aten::sub#0", "aten::mul#0", "aten::mul#1", "aten::mean#0", "aten::mean#1"],
          "shows": ["aten::sqrt#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(16, 16)
        self.inner.weight.data.mul_(0.1)
        self.inner.bias.data.fill_(20.0)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = self.inner(x)
        mean = h.mean(-1, keepdim=True)
        variance = (h * h).mean(-1, keepdim=True) - mean * mean
        return self.head((h - mean) / torch.sqrt(variance + 1e-4))
