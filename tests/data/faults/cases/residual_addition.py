# SPDX-License-Identifier: Apache-2.0
"""Pegasus: a feed-forward that fits, a residual stream that fits, and a sum that does not.

thread: https://github.com/huggingface/transformers/issues/12225
saw: fc2 gives 6.06e4, and the layer around it inf
truth: the addition behind fc2 is beyond 65,504
cure: the addition in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["aten::add#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,16]"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(16, 16), nn.Linear(16, 16)
        self.fc1.bias.data.fill_(40000.0)
        self.fc2.bias.data.fill_(45000.0)
        self.fc2.weight.data.mul_(0.1)
        self.norm = nn.LayerNorm(16)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = self.fc1(x)
        h = h + self.fc2(torch.tanh(h * 1e-4))
        return self.head(self.norm(h))
