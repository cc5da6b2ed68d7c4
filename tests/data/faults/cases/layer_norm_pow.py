# SPDX-License-Identifier: Apache-2.0
"""ConvNeXt's layer norm over channels: pow is on the list of float32 ops.

thread: https://github.com/facebookresearch/ConvNeXt/issues/80
saw: overflow at (x - u).pow(2) in a model that is float16 altogether; training under AMP has no fault
truth: nothing is wrong under AMP, however large the activations are
cure: none is needed
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "none"}
RUN = {"data": {"inputs": ["float32[8,3,8,8]"], "classes": 4}, "batch": 8}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 2, stride=2)
        self.stem.weight.data.mul_(1000)
        self.weight = nn.Parameter(torch.ones(8))
        self.bias = nn.Parameter(torch.zeros(8))
        self.head = nn.Linear(8, 4)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        u = x.mean(1, keepdim=True)
        s = (x - u).pow(2).mean(1, keepdim=True)
        x = (x - u) / torch.sqrt(s + 1e-6)
        x = self.weight[:, None, None] * x + self.bias[:, None, None]
        return self.head(x.mean([2, 3]))
