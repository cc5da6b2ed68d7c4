# SPDX-License-Identifier: Apache-2.0
"""A running sum of 256 numbers in bfloat16.

thread: https://github.com/pytorch/executorch/pull/20090
saw: a sum in bfloat16 gets stuck at 256: adding 1 rounds away
truth: from 256 on an addend of less than 1 is lost, and more and more of each before that
cure: the sum in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "accumulation", "sites": ["aten::add#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[4,8]"], "classes": 4}, "batch": 4,
       "policy": {"base": "cpu-amp", "low": "bfloat16"}, "scaler": {"enabled": False}, "loss": "mse"}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(8, 256)
        self.inner.bias.data.fill_(1.0)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.sigmoid(self.inner(x))
        total = torch.zeros_like(h[:, 0])
        for t in range(256):
            total = total + h[:, t]
        return total.float() / 128 - 1
