# SPDX-License-Identifier: Apache-2.0
"""A regression on targets of hundreds of thousands, with its error squared by hand.

thread: https://github.com/fastai/fastai/issues/1551
saw: training and validation loss are NaN in fp16 on a table, and numbers without it
truth: the difference, in float16, is beyond 65,504 and so is its square: the sums need float32, or scaled targets
cure: scale the targets
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "cast", "sites": ["loss/aten::to#0"], "also": ["overflow:loss/aten::sub#0"], "fix": "any"}
RUN = {"data": {"kind": "files", "columns": {"x": {"from": "x"}}, "targets": {"y": {"from": "y"}}}, "batch": 16,
       "optimizer": {"kind": "adam", "learning_rate": 0.01},
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    error = output - target.to(output.dtype)
    return (error * error).float().mean()
"""}]}


def data(g: torch.Generator):
    x = torch.randn(64, 8, generator=g)
    return {"x": x, "y": x[:, :1] * 50000 + 180000}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(x)
