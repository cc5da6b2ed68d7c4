# SPDX-License-Identifier: Apache-2.0
"""The same with float32 master weights.

thread: https://github.com/suvojit-0x55aa/mixed-precision-pytorch/issues/2
saw: Adam does worse in half precision; updates on a float32 master copy mend it
truth: nothing is wrong
cure: none is needed
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "none"}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16, "policy": {"base": "apex-o2"},
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.head = nn.Linear(16, 16), nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.relu(self.inner(x)))
