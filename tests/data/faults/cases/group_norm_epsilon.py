# SPDX-License-Identifier: Apache-2.0
"""A group norm with an epsilon of 1e-12, and groups whose channels are all 0.

thread: https://github.com/keras-team/keras/issues/22586
saw: NaN under mixed_float16 from an epsilon that float16 does not hold
truth: 1e-12 is 0 in float16; where a group is constant, 0 is divided by 0
cure: an epsilon of 1e-5
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "lost", "sites": ["aten::add#0"], "shows": ["aten::div#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,1,6,6]"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.conv.bias.data[:2].fill_(-20.0)
        self.head = nn.Linear(8, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.relu(self.conv(x)).reshape(x.size(0), 4, -1)
        h = h - h.mean(-1, keepdim=True)
        variance = (h * h).mean(-1, keepdim=True)
        h = (h / torch.sqrt(variance + 1e-12)).reshape(x.size(0), 8, 4, 4)
        return self.head(h.mean([2, 3]) + h.amax([2, 3]))
