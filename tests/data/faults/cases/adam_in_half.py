# SPDX-License-Identifier: Apache-2.0
"""Adam over weights that are float16 altogether: an epsilon of 1e-8 is 0.

thread: https://github.com/pytorch/pytorch/issues/8860
saw: NaN after a few steps of half precision; eps=1e-4 mended it
truth: small squares of gradients are 0 in float16, and 1e-8 too: Adam divides by 0
cure: float32 master weights, or an epsilon of 1e-4
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": ["parameter", "low_state"], "what": ["inner.bias", "inner.weight", "head.bias", "head.weight"], "fix": "words", "words": ["epsilon"],
          "never": ["learning rate"]}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16, "policy": {"base": "apex-o3"},
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.head = nn.Linear(16, 16), nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.relu(self.inner(x)))
