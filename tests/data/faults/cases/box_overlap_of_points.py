# SPDX-License-Identifier: Apache-2.0
"""An intersection over union of boxes without an area, with an epsilon of 1e-16.

thread: https://github.com/Megvii-BaseDetection/YOLOX/issues/1565
saw: the loss is NaN; without fp16 it is not
truth: 1e-16 is 0 in float16: boxes without an area divide 0 by 0
cure: an epsilon that float16 holds
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "lost", "sites": ["aten::clamp#0", "aten::add#1", "aten::add#0"], "shows": ["aten::div#0"],
          "fix": "rules"}
RUN = {"data": {"inputs": ["float32[16,16]", "float32[16,2]<1"], "classes": 2}, "batch": 16,
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    return (1 - output).mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.boxes = nn.Linear(16, 2)

    def forward(self, x: Tensor, truth: Tensor) -> Tensor:
        size = torch.relu(self.boxes(x))
        truth = torch.relu(truth - 0.3).to(size.dtype)
        inter = torch.minimum(size[:, 0], truth[:, 0]) * torch.minimum(size[:, 1], truth[:, 1])
        union = size[:, 0] * size[:, 1] + truth[:, 0] * truth[:, 1] - inter
        return inter / union.detach().clamp(min=1e-16)
