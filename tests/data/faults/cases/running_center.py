# SPDX-License-Identifier: Apache-2.0
"""A running centre of the features, kept by the model itself, which takes up one bad batch.

thread: https://github.com/pytorch/pytorch/issues/90342
saw: once an infinite batch came, the statistics stay so: batch norm does not protect them
truth: after the batch whose features overflow, the centre is infinite and every later step is NaN
cure: update the centre with finite values only
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": ["cast", "data"], "sites": ["inner/aten::linear#0"], "also": ["buffer:middle", "data", "overflow"],
          "then": "buffer:middle", "fix": "any"}
RUN = {"data": {"kind": "files", "columns": {"x": {"from": "x"}}, "targets": {"y": {"from": "y"}}}, "batch": 16,
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


def data(g: torch.Generator):
    x = torch.randn(64, 16, generator=g)
    y = x[:, :4].argmax(1)
    x[23] = x[23].abs() * 100000 + 70000
    return {"x": x, "y": y}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(16, 16)
        self.register_buffer("middle", torch.zeros(16))
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = self.inner(x).float()
        out = self.head(torch.tanh(h - self.middle))
        self.middle.mul_(0.9).add_(h.detach().mean(0) * 0.1)
        return out
