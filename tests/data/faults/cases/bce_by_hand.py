# SPDX-License-Identifier: Apache-2.0
"""A binary cross entropy on probabilities, written by hand with an epsilon of 1e-7.

thread: https://github.com/tensorflow/tensorflow/issues/38457
saw: NaN at random with float16 and Keras's binary cross entropy, whose epsilon is 1e-7
truth: 1 - 1e-7 is 1 in float16: the clamp lets a probability of 1 through, and log(1 - p) is the logarithm of 0
cure: binary_cross_entropy_with_logits
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "lost", "sites": ["loss/aten::clamp#0", "aten::sigmoid#0", "loss/aten::rsub#1",
          "loss/aten::rsub#0"],
          "shows": ["loss/aten::log#1"], "fix": "rules", "words": ["binary_cross_entropy_with_logits"]}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 2}, "batch": 16,
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    p = output.clamp(1e-7, 1 - 1e-7)
    y = target.to(p.dtype)
    return -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(16, 1)
        self.head.weight.data.mul_(20)

    def forward(self, x: Tensor) -> Tensor:
        return torch.sigmoid(self.head(x)).squeeze(-1)
