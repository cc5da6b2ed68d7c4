# SPDX-License-Identifier: Apache-2.0
"""A model that casts its inputs to float16 by itself.

thread: https://github.com/keras-team/keras/issues/22586
saw: NaN for inputs of 60,000 to 70,000 under mixed_float16
truth: the cast makes inf of what float32 holds; the normalisation behind it is innocent
cure: cast behind the normalisation
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "cast", "sites": ["aten::to#0"], "fix": "any"}
RUN = {"data": {"inputs": ["float32[8,16]"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.GroupNorm(4, 16)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = (x * 3000.0 + 62000.0).to(torch.float16)
        return self.head(self.norm(h.float()))
