# SPDX-License-Identifier: Apache-2.0
"""A box coder that takes the logarithm of a width plus 1e-8.

thread: https://github.com/rwightman/efficientdet-pytorch/issues/291
saw: Inf and NaN under AMP; an epsilon of 1e-7 makes them go away
truth: 0 + 1e-8 is 0 in float16
cure: an epsilon of at least 6e-8
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "lost", "sites": ["aten::add#0"], "shows": ["aten::log#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16, "loss": "mse"}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.boxes = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        size = torch.relu(self.boxes(x))
        return torch.log(size + 1e-8)
