# SPDX-License-Identifier: Apache-2.0
"""A learning rate of 10,000 on a residual network without a norm.

thread: https://github.com/facebookresearch/detr/issues/285
saw: an assertion about boxes at 0.002, none at 0.0002: there are NaN in the model
truth: with the higher learning rate training diverges, in float32 too
cure: a lower learning rate
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "learning_rate", "fix": "words", "words": ["learning rate"], "never": ["in float32 or bfloat16"]}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16,
       "optimizer": {"kind": "sgd", "learning_rate": 10000}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = x + torch.tanh(self.first(x))
        h = h + self.second(h)
        return self.head(h)
