# SPDX-License-Identifier: Apache-2.0
"""Mask2Former's matching cost: a product that sums over all points before it is divided by their number.

thread: https://github.com/huggingface/transformers/issues/25938
saw: the cost is inf in float16 with a bad initial state, at 121,445 points
truth: the sum over the points is beyond 65,504; divided first it is not
cure: divide by the number of points before the product
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["loss/aten::matmul#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,16]"], "classes": 2}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.001},
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    labels = target[:, None].to(output.dtype).expand(-1, output.size(1))
    cost = torch.log1p(torch.exp(-output))
    return torch.matmul(cost, labels.transpose(0, 1)).div(output.size(1)).mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.points = nn.Linear(16, 64)
        self.points.bias.data.fill_(-25.0)

    def forward(self, x: Tensor) -> Tensor:
        return self.points(x).repeat(1, 64)
