# SPDX-License-Identifier: Apache-2.0
"""A root mean square norm written by hand, over pixels of 0 to 255.

thread: https://github.com/pytorch/pytorch/pull/133085
saw: wrong results in float16 and right ones in float32; nothing is NaN
truth: h * h is infinite in float16 from 256 on, and the inverse of its root is 0: such rows become 0
cure: the square in float32, as LlamaRMSNorm has it
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "vanished", "sites": ["aten::mul#0"], "fix": "rules"}
RUN = {"data": {"kind": "files", "columns": {"x": {"from": "x", "dtype": "float32"}}, "targets": {"y": {"from": "y"}}},
       "batch": 32, "optimizer": {"kind": "adam", "learning_rate": 0.001}}


def data(g: torch.Generator):
    x = torch.randint(0, 256, (256, 28), generator=g)
    return {"x": x.to(torch.uint8), "y": (x[:, :4].float().argmax(1))}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(28, 32)
        self.inner.weight.data.mul_(3)
        self.weight = nn.Parameter(torch.ones(32))
        self.head = nn.Linear(32, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = self.inner(x)
        h = h * torch.rsqrt((h * h).mean(-1, keepdim=True) + 1e-6) * self.weight
        return self.head(h)
