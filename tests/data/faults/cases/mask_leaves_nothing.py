# SPDX-License-Identifier: Apache-2.0
"""A mask of -inf that leaves some rows nothing to look at.

thread: https://github.com/pytorch/pytorch/issues/41508
saw: NaN outputs and gradients for sequences that are padding altogether, in float32 too
truth: a softmax over -inf only has no value in any format
cure: leave such rows out, or mask with a large finite number
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "invalid", "sites": ["aten::softmax#0"], "fix": "words", "words": ["masked"]}
RUN = {"data": {"inputs": ["float32[8,6,16]", "int64[8]<7"], "classes": 4}, "batch": 8}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor, length: Tensor) -> Tensor:
        logits = torch.matmul(self.q(x) * 0.25, self.k(x).transpose(-2, -1))
        hidden = torch.arange(6, device=x.device)[None, None, :] >= length[:, None, None]
        logits = logits.masked_fill(hidden, float("-inf"))
        x = torch.matmul(torch.softmax(logits, -1), self.v(x))
        return self.head(x.mean(1))
