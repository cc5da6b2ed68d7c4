# SPDX-License-Identifier: Apache-2.0
"""A loss scale of 512 that stays, where the gradients bear 8 at most.

thread: https://github.com/open-mmlab/mmdetection/issues/3690
saw: gradients overflow with the static loss scale that the configuration has by default
truth: the scale is too high and does not move
cure: a lower scale, or a dynamic one
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "scale_held", "fix": "scale"}
RUN = {"data": {"inputs": ["float32[8,16]"], "classes": 4}, "batch": 8, "scaler": {"init_scale": 512, "static": True},
       "optimizer": {"kind": "sgd", "learning_rate": 0.0000001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.head = nn.Linear(16, 16), nn.Linear(16, 4)
        self.head.weight.data.mul_(3000)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.tanh(self.inner(x)))
