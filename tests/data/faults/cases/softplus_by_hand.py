# SPDX-License-Identifier: Apache-2.0
"""A softplus loss as log1p(exp(x)).

thread: https://github.com/rwightman/efficientdet-pytorch/pull/77
saw: NaN for a large negative logit
truth: exp of more than 88.7 is infinite in float32 too
cure: torch.nn.functional.softplus, or logaddexp(x, 0)
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow_wide", "sites": ["loss/aten::exp#0"], "fix": "words", "never": ["learning rate"]}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 2}, "batch": 16,
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    z = output * (1 - 2 * target)
    return torch.log1p(torch.exp(z)).mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(16, 1)
        self.head.weight.data.mul_(150)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(x).squeeze(-1)
