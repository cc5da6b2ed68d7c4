# SPDX-License-Identifier: Apache-2.0
"""The same in float16, over 512 numbers.

thread: https://github.com/pytorch/torchtitan/issues/2336
saw: a question whether a sum over very many tokens in float16 or bfloat16 compounds its errors
truth: it does: 2.6 % are lost here
cure: the sum in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "accumulation", "sites": ["aten::add#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[4,7]"], "classes": 4}, "batch": 4, "loss": "mse"}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(7, 512)
        self.inner.bias.data.fill_(3.0)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.sigmoid(self.inner(x))
        total = torch.zeros_like(h[:, 0])
        for t in range(512):
            total = total + h[:, t]
        return total.float() / 512 - 0.5
