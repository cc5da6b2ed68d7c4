# SPDX-License-Identifier: Apache-2.0
"""Weights that are bfloat16 altogether, and a learning rate of 0.0001.

thread: https://github.com/workofart/ml-by-hand/pull/85
saw: after 100 steps no weight near 1 has moved: each update rounds to nothing
truth: the update is smaller than half the spacing of bfloat16
cure: float32 master weights
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "update_lost", "what": ["inner.weight", "head.weight", "inner.bias", "head.bias"], "fix": "words",
          "words": ["float32"]}
RUN = {"data": {"inputs": ["bfloat16[16,16]"], "classes": 4}, "batch": 16,
       "policy": {"base": "all-float32"}, "scaler": {"enabled": False},
       "optimizer": {"kind": "sgd", "learning_rate": 0.0001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.head = nn.Linear(16, 16), nn.Linear(16, 4)
        self.to(torch.bfloat16)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.relu(self.inner(x))).float()
