# SPDX-License-Identifier: Apache-2.0
"""A cosine similarity that clamps each norm at 1e-4, over vectors that are 0.

thread: https://github.com/tracel-ai/burn/issues/5584
saw: NaN for two zero vectors, though each norm is clamped: the product of two epsilons becomes 0
truth: 1e-4 * 1e-4 is 0 in float16: 0 is divided by 0
cure: divide by each clamped norm by itself
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "lost", "sites": ["aten::mul#1"], "shows": ["aten::div#0"], "fix": "rules",
          "also": ["gradient:aten::div#0"]}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 2}, "batch": 16,
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    return (output - target * 2.0 + 1.0).square().mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(16, 3), nn.Linear(16, 3)

    def forward(self, x: Tensor) -> Tensor:
        a, b = torch.relu(self.left(x)), torch.relu(self.right(x))
        na = torch.linalg.vector_norm(a.detach(), dim=-1).to(a.dtype).clamp(min=1e-4)
        nb = torch.linalg.vector_norm(b.detach(), dim=-1).to(b.dtype).clamp(min=1e-4)
        return (a * b).sum(-1).to(a.dtype) / (na * nb)
