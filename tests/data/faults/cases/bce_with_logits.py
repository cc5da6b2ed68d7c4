# SPDX-License-Identifier: Apache-2.0
"""The same on logits, as PyTorch asks for.

thread: https://github.com/pytorch/pytorch/issues/61098
saw: autocast refuses binary_cross_entropy and names binary_cross_entropy_with_logits, which is safe
truth: nothing is wrong
cure: none is needed
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "none"}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 2}, "batch": 16,
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    return torch.binary_cross_entropy_with_logits(output, target.to(output.dtype))
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(16, 1)
        self.head.weight.data.mul_(20)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(x).squeeze(-1)
