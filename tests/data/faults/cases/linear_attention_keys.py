# SPDX-License-Identifier: Apache-2.0
"""Linear attention: keys are summed over the sequence, and the sum multiplies the query in float16.

thread: https://github.com/idiap/fast-transformers/issues/32
saw: NaN under AMP after some hundred steps; fp16 holds too little of a sum over the sequence
truth: the sum, in float32, is beyond 65,504 when the product casts it
cure: divide the keys by the sequence's length, or the product in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "cast", "sites": ["aten::matmul#0"], "shows": ["aten::matmul#2"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[2,512,8]"], "classes": 4}, "batch": 2,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)
        self.k.weight.data.mul_(800)
        self.head = nn.Linear(8, 4)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = torch.nn.functional.elu(self.q(x)) + 1, torch.nn.functional.elu(self.k(x)) + 1, self.v(x)
        z = 1 / torch.matmul(q, k.sum(1).unsqueeze(-1))
        y = torch.matmul(q.float() * z, torch.matmul(k.transpose(1, 2) / 512, v)) * 512
        return self.head(y.mean(1))
