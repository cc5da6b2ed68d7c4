# SPDX-License-Identifier: Apache-2.0
"""A loss scale of 2^24 that comes down in the first steps.

thread: https://github.com/LEEYOONHYUNG/BVAE-TTS/issues/3
saw: messages of a gradient overflow and a reduced loss scale; the user asks what is wrong
truth: nothing is: the scaler looks for its scale
cure: none is needed
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "none"}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16, "scaler": {"init_scale": 16777216},
       "optimizer": {"kind": "sgd", "learning_rate": 0.05}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.head = nn.Linear(16, 16), nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.relu(self.inner(x)))
