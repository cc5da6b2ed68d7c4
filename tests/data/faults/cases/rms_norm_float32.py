# SPDX-License-Identifier: Apache-2.0
"""The same norm with its square in float32: what mended it.

thread: https://github.com/pytorch/pytorch/pull/133085
saw: float16 gives what float32 gives
truth: nothing is wrong
cure: none is needed
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "none"}
RUN = {"data": {"kind": "files", "files": ["rms_norm_pixels.safetensors"],
                "columns": {"x": {"from": "x", "dtype": "float32"}}, "targets": {"y": {"from": "y"}}},
       "batch": 32, "optimizer": {"kind": "adam", "learning_rate": 0.001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(28, 32)
        self.inner.weight.data.mul_(3)
        self.weight = nn.Parameter(torch.ones(32))
        self.head = nn.Linear(32, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = self.inner(x).to(torch.float32)
        h = h * torch.rsqrt((h * h).mean(-1, keepdim=True) + 1e-6) * self.weight
        return self.head(h)
