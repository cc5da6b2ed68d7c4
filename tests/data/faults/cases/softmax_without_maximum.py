# SPDX-License-Identifier: Apache-2.0
"""A softmax written by hand, which does not subtract the largest logit.

thread: https://github.com/NVIDIA/FasterTransformer/issues/43
saw: NaN from the eighth layer on
truth: exp of more than 88.7 is infinite in float32 too: inf divided by inf
cure: torch.softmax, or the largest logit subtracted first
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow_wide", "sites": ["aten::exp#0"], "shows": ["aten::div#0"], "fix": "words"}
RUN = {"data": {"inputs": ["float32[4,8,32]"], "classes": 4}, "batch": 4}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(32, 32), nn.Linear(32, 32), nn.Linear(32, 32)
        self.head = nn.Linear(32, 4)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.layer_norm(x, [32]) * 8.0
        e = torch.exp(torch.matmul(self.q(x), self.k(x).transpose(-2, -1)))
        x = torch.matmul(e / e.sum(-1, keepdim=True), self.v(x))
        return self.head(x.mean(1))
