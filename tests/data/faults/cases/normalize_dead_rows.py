# SPDX-License-Identifier: Apache-2.0
"""A norm of vectors with 1e-8 outside of the root, behind a relu that leaves rows of zeros.

thread: https://github.com/huggingface/diffusers/pull/13316
saw: NaN in float16 for slices whose norm is 0, none in float32
truth: 0 + 1e-8 is 0 in float16: 0 is divided by 0
cure: an epsilon that float16 holds, or the addition in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "lost", "sites": ["aten::add#0"], "shows": ["aten::div#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[16,28]"], "classes": 4}, "batch": 16}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(28, 4)
        self.head = nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.relu(self.inner(x) - 0.5)
        n = torch.sqrt((h * h).mean(-1, keepdim=True).detach()) + 1e-8
        return self.head(h / n)
