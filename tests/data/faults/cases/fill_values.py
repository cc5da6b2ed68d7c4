# SPDX-License-Identifier: Apache-2.0
"""Rows of a weather data set whose missing values are written as 1e20.

thread: https://github.com/chengtan9907/OpenSTL/issues/137
saw: NaN training loss with a netCDF file of one's own; it had missing values, and filling them mended it
truth: 1e20 squared is beyond float32 too: it is the data, in a few rows
cure: repair the data
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "data", "sites": ["inner/aten::linear#0"], "fix": "words", "words": ["row"]}
RUN = {"data": {"kind": "files", "columns": {"x": {"from": "x"}}, "targets": {"y": {"from": "y"}}}, "batch": 16,
       "loss": "mse"}


def data(g: torch.Generator):
    x = torch.randn(64, 8, generator=g)
    y = x.sum(1, keepdim=True)
    x[11, 3:] = 1e20
    x[42] = 1e20
    return {"x": x, "y": y}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.head = nn.Linear(8, 16), nn.Linear(16, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.relu(self.inner(x)))
