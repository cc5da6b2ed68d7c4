# SPDX-License-Identifier: Apache-2.0
"""Momentum at a learning rate of 300, on a network without a norm.

thread: https://github.com/guillaumegenthial/sequence_tagging/issues/47
saw: no problem at 0.001; at 0.01 and 0.1 the loss falls, rises and becomes NaN
truth: float32 diverges in the same way: it is the learning rate
cure: a lower learning rate
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "learning_rate", "fix": "words", "words": ["learning rate"], "never": ["in float32 or bfloat16"]}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16,
       "optimizer": {"kind": "sgd", "learning_rate": 300, "momentum": 0.9}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = nn.Linear(16, 32), nn.Linear(32, 32), nn.Linear(32, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.relu(self.second(torch.relu(self.first(x)))))
