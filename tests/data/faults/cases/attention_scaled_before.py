# SPDX-License-Identifier: Apache-2.0
"""The same attention with the query scaled first: what mended it.

thread: https://github.com/ultralytics/ultralytics/pull/24990
saw: no infinity under AMP, and to the bit the same in float32
truth: nothing is wrong
cure: none is needed
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "none"}
RUN = {"data": {"inputs": ["float32[4,8,32]"], "classes": 4}, "batch": 4,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(32, 32), nn.Linear(32, 32), nn.Linear(32, 32)
        self.head = nn.Linear(32, 4)
        self.gain = nn.Parameter(torch.full([32], 150.0))

    def forward(self, x: Tensor) -> Tensor:
        x = torch.layer_norm(x, [32]) * self.gain
        attention = torch.matmul(self.q(x) * 0.0002, self.k(x).transpose(-2, -1))
        x = torch.matmul(torch.softmax(attention, -1), self.v(x) * 0.01)
        return self.head(x.mean(1))
