# SPDX-License-Identifier: Apache-2.0
"""The gradient penalty of a Wasserstein GAN, by the critic's own derivative, with rows whose gradient is 0.

thread: https://github.com/NVIDIA/apex/issues/654
saw: gradient overflow in the penalty until the loss scale is 0
truth: the slope of the norm's square root at 0 is infinite, at any scale and in any format
cure: a small constant inside the root
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "invalid", "sites": ["aten::sqrt#0"], "shows": ["loss.0/aten::mean#0"], "fix": "words",
          "words": ["slope at 0"], "never": ["too large for the format", "in float32 or bfloat16"]}
RUN = {"data": {"inputs": ["float32[16,8]"], "classes": 2}, "batch": 16,
       "losses": [{"kind": "text", "output": "[0]", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    return ((1 - 2 * target) * output.squeeze(-1)).mean()
"""}, {"kind": "text", "output": "[1]", "weight": 10, "text": """def loss(penalty: Tensor, target: Tensor) -> Tensor:
    return penalty
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.out = nn.Linear(8, 6), nn.Linear(6, 1)

    def forward(self, x: Tensor):
        h = self.inner(x) - 0.5
        slope = torch.matmul((h > 0).to(h.dtype) * self.out.weight, self.inner.weight)
        penalty = (torch.sqrt((slope * slope).sum(-1)) - 1).square().mean()
        return self.out(torch.relu(h)), penalty
