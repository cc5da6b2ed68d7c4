# SPDX-License-Identifier: Apache-2.0
"""The same mask, with at least one position that every row may look at.

thread: https://github.com/pytorch/pytorch/issues/41508
saw: masking keys alone trains without NaN
truth: nothing is wrong: the infinities were asked for
cure: none is needed
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "none"}
RUN = {"data": {"inputs": ["float32[8,6,16]", "int64[8]<6"], "classes": 4}, "batch": 8}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor, length: Tensor) -> Tensor:
        logits = torch.matmul(self.q(x) * 0.25, self.k(x).transpose(-2, -1))
        hidden = torch.arange(6, device=x.device)[None, None, :] > length[:, None, None]
        logits = logits.masked_fill(hidden, float("-inf"))
        x = torch.matmul(torch.softmax(logits, -1), self.v(x))
        return self.head(x.mean(1))
