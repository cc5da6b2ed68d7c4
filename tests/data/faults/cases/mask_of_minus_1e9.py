# SPDX-License-Identifier: Apache-2.0
"""An additive mask of -1e9 in the logits' own dtype, and sequences that are masked altogether.

thread: https://github.com/NVIDIA/apex/issues/93
saw: NaN gradients at every loss scale with a mask of -1e15 in float16; float32 trains
truth: -1e9 is -inf in float16; a row of nothing else has no softmax
cure: a mask of -65504, or of -1e4
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["aten::mul#1"], "shows": ["aten::softmax#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,6,16]", "int64[8]<7"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor, length: Tensor) -> Tensor:
        logits = torch.matmul(self.q(x) * 0.25, self.k(x).transpose(-2, -1))
        seen = torch.arange(6, device=x.device)[None, None, :] < length[:, None, None]
        bias = torch.logical_not(seen).to(logits.dtype) * -1e9
        x = torch.matmul(torch.softmax(logits + bias, -1), self.v(x))
        return self.head(x.mean(1))
