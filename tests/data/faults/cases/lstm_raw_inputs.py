# SPDX-License-Identifier: Apache-2.0
"""An LSTM over inputs that were never scaled.

thread: https://github.com/NVIDIA/tacotron2/issues/112
saw: overflow at every step down to a loss scale of 1, and no gradient after that
truth: the input of the LSTM is beyond 65,504 when it is cast
cure: scale the input
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "cast", "sites": ["lstm/aten::lstm#0", "lstm::forward__0/aten::lstm#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[4,6,8]"], "classes": 4}, "batch": 4,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 8, batch_first=True)
        self.head = nn.Linear(8, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.lstm(x * 200000.0)[0][:, -1])
