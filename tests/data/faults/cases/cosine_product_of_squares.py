# SPDX-License-Identifier: Apache-2.0
"""A cosine similarity over the root of the product of two squared norms.

thread: https://github.com/pytorch/pytorch/issues/69512
saw: 0 for float16 vectors of 512 normal numbers, and right in float32
truth: the product of the two squared norms is 262,144, infinite in float16, and its inverse root 0
cure: the product of the two roots
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "vanished", "sites": ["aten::mul#1"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,32]"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(32, 128)
        self.encoder.weight.data.mul_(4)
        self.classes = nn.Parameter(torch.randn(4, 128) * 3)

    def forward(self, x: Tensor) -> Tensor:
        a = self.encoder(x).unsqueeze(1)
        b = self.classes.to(a.dtype).unsqueeze(0)
        dot = (a * b).sum(-1)
        aa, bb = torch.linalg.vecdot(a, a), torch.linalg.vecdot(b, b)
        return dot / torch.sqrt(aa * bb) * 10.0
