# SPDX-License-Identifier: Apache-2.0
"""A dice loss whose sums run in the output's own float16, outside of autocast.

thread: https://github.com/qubvel-org/segmentation_models.pytorch/issues/463
saw: the sum of 262,144 ones is inf in float16, and the loss NaN
truth: the sum of the predictions is beyond 65,504
cure: the sums in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["aten::sum#0", "aten::sum#1"], "shows": ["aten::div#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,1,112,112]"], "classes": 2}, "batch": 8,
       "losses": [{"kind": "text", "text": "def loss(output: Tensor, target: Tensor) -> Tensor:\n    return output\n"}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, 1)
        self.conv.bias.data.fill_(3.0)

    def forward(self, x: Tensor) -> Tensor:
        p = torch.sigmoid(self.conv(x))
        y = (x > -2.0).to(p.dtype)
        with torch.autocast("cuda", enabled=False):
            both, all = (p * y).sum(), (p + y).sum()
            return 1 - 2 * both / (all + 1)
