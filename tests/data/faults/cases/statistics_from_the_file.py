# SPDX-License-Identifier: Apache-2.0
"""A normalisation whose stored statistics are NaN from the beginning.

thread: https://github.com/pytorch/pytorch/issues/1206
saw: running_mean and running_var of a fine-tuned model are NaN, and so is all that evaluation gives
truth: the buffer in the file is NaN
cure: statistics made anew
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "buffer", "what": "average", "fix": "words"}
RUN = {"data": {"inputs": ["float32[8,16]"], "classes": 4}, "batch": 8}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("average", torch.zeros(16))
        self.average[3] = float("nan")
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(x - self.average)
