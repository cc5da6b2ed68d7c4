# SPDX-License-Identifier: Apache-2.0
"""A focal loss on sigmoid's output, without an epsilon.

thread: https://github.com/open-mmlab/mmcv/issues/1488
saw: NaN in fp16 at a logit of 9.39, where 1 - p is about 0
truth: sigmoid(9.39) is 1 in float16, and log(1 - p) the logarithm of 0; float32 has 8e-5 there
cure: logsigmoid(-x) for log(1 - p), or sigmoid in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "rounding", "sites": ["loss/aten::sigmoid#0"], "shows": ["loss/aten::log#1"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 2}, "batch": 16,
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    p = torch.sigmoid(output)
    y = target.to(output.dtype)
    positive = y * (1 - p) * (1 - p) * torch.log(p)
    negative = (1 - y) * p * p * torch.log(1 - p)
    return -(positive + negative).mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(16, 1)
        self.head.weight.data.mul_(6)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(x).squeeze(-1)
