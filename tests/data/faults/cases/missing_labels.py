# SPDX-License-Identifier: Apache-2.0
"""A regression whose labels are NaN where a measurement is missing.

thread: https://github.com/deepmodeling/Uni-Mol/issues/162
saw: NaN target values in tox21; they have to be left out of the loss
truth: the data are not finite: nothing else is wrong
cure: repair the data
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "refused", "words": ["row 19", "y"]}
RUN = {"data": {"kind": "files", "columns": {"x": {"from": "x"}}, "targets": {"y": {"from": "y"}}}, "batch": 16,
       "loss": "mse"}


def data(g: torch.Generator):
    x = torch.randn(64, 8, generator=g)
    y = x.sum(1, keepdim=True)
    y[19] = float("nan")
    return {"x": x, "y": y}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(x)
