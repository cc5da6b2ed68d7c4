# SPDX-License-Identifier: Apache-2.0
"""A squared error whose gradient step is longer than the valley is wide.

thread: https://github.com/tensorflow/tensorflow/issues/38796
saw: a high learning rate gives an inf or NaN loss with SGD; a lower one does so less often
truth: each step multiplies the error, in float32 too
cure: a lower learning rate
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "learning_rate", "fix": "words", "words": ["learning rate"], "never": ["in float32 or bfloat16"]}
RUN = {"data": {"inputs": ["float32[16,32]"], "classes": 4}, "batch": 16, "loss": "mse",
       "optimizer": {"kind": "sgd", "learning_rate": 2.0}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.head = nn.Linear(32, 32), nn.Linear(32, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.first(x * 3.0)) - x[:, :4]
