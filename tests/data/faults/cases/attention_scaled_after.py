# SPDX-License-Identifier: Apache-2.0
"""Attention logits scaled behind the product.

thread: https://github.com/pytorch/pytorch/issues/60939
saw: the product of query and key has infinities in float16, and the softmax behind it NaN
truth: the raw product is beyond 65,504
cure: scale the query before the product
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["aten::matmul#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[4,8,32]"], "classes": 4}, "batch": 4,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(32, 32), nn.Linear(32, 32), nn.Linear(32, 32)
        self.head = nn.Linear(32, 4)
        self.gain = nn.Parameter(torch.full([32], 150.0))

    def forward(self, x: Tensor) -> Tensor:
        x = torch.layer_norm(x, [32]) * self.gain
        attention = torch.matmul(self.q(x), self.k(x).transpose(-2, -1)) * 0.0002
        x = torch.matmul(torch.softmax(attention, -1), self.v(x) * 0.01)
        return self.head(x.mean(1))
