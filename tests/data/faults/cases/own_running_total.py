# SPDX-License-Identifier: Apache-2.0
"""Informer's running total in float16 by its own dtype argument.

thread: https://github.com/huggingface/transformers/pull/25431
saw: the sum over a long sequence needs float32
truth: the total is beyond 65,504
cure: cumsum in float32, then a mean
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["aten::cumsum#0"], "fix": "any"}
RUN = {"data": {"inputs": ["float32[4,64,8]"], "classes": 4}, "batch": 4,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.value = nn.Linear(8, 8)
        self.value.bias.data.fill_(1500.0)
        self.head = nn.Linear(8, 4)

    def forward(self, x: Tensor) -> Tensor:
        v = self.value(x)
        context = torch.cumsum(v, 1, dtype=torch.float16)
        return self.head(context[:, -1].float() / 64 - 1500.0)
