# SPDX-License-Identifier: Apache-2.0
"""T5's feed-forward: the output projection adds up to 66,246.

thread: https://github.com/huggingface/transformers/issues/5651
saw: inf in T5DenseReluDense at wo, where float32 has 66,246; NaN loss later
truth: wo's result is beyond 65,504
cure: wo in float32, or smaller activations in front of it
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["wo/aten::linear#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,16]"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.wi, self.wo = nn.Linear(16, 64, bias=False), nn.Linear(64, 16, bias=False)
        self.wi.weight.data.mul_(200)
        self.wo.weight.data.mul_(1500)
        self.norm = nn.LayerNorm(16)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.norm(x + self.wo(torch.relu(self.wi(x)))))
