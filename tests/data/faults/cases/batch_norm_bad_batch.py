# SPDX-License-Identifier: Apache-2.0
"""One batch of inputs times 100,000, a batch norm, and a scaler that skips the step.

thread: https://github.com/pytorch/pytorch/issues/88474
saw: the NaN gradient is skipped, and running_mean stays NaN, seen in validation only
truth: the input of the convolution is beyond 65,504 in some rows when it is cast
cure: keep_buffers, or leave such rows out
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": ["cast", "data"], "sites": ["conv/aten::conv1d#0", "conv::_conv_forward/aten::conv1d#0"],
          "also": ["data", "buffer"], "fix": "any"}
RUN = {"data": {"kind": "files", "columns": {"x": {"from": "x"}}, "targets": {"y": {"from": "y"}}}, "batch": 16,
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


def data(g: torch.Generator):
    x = torch.randn(64, 3, 10, generator=g)
    y = x[:, 0].mean(-1).gt(0).long()
    x[37] *= 100000
    return {"x": x, "y": y}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm1d(8)
        self.head = nn.Linear(8, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.norm(torch.relu(self.conv(x))).mean(-1))
