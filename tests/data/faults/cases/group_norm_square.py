# SPDX-License-Identifier: Apache-2.0
"""A group norm written by hand behind a convolution whose outputs reach 1,000.

thread: https://github.com/neuroneural/brainchop-cli/pull/56
saw: segmentations are garbage in float16 from the first layer on, and nothing is NaN
truth: outputs above 256 have squares that are infinite in float16
cure: the square in float32; the convolution may stay in float16
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "vanished", "sites": ["aten::mul#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,1,8,8]"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, padding=1)
        self.conv.weight.data.mul_(600)
        self.weight = nn.Parameter(torch.ones(8))
        self.bias = nn.Parameter(torch.zeros(8))
        self.head = nn.Linear(8, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = self.conv(x).reshape(x.size(0), 4, -1)
        h = h - h.mean(-1, keepdim=True)
        variance = (h * h).mean(-1, keepdim=True)
        h = (h / torch.sqrt(variance + 1e-5)).reshape(x.size(0), 8, 8, 8)
        h = torch.relu(h * self.weight[:, None, None] + self.bias[:, None, None])
        return self.head(h.mean([2, 3]))
