# SPDX-License-Identifier: Apache-2.0
"""Llama's gated feed-forward: two factors of 256 make more than 65,504.

thread: https://github.com/huggingface/transformers/issues/27179
saw: 255.9 times 261.8 in the last layers, inf behind them, NaN after that
truth: the product of gate and value is beyond 65,504
cure: the product and the projection behind it in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["aten::mul#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,16]"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.up, self.down = nn.Linear(16, 32), nn.Linear(16, 32), nn.Linear(32, 16)
        self.gate.weight.data.mul_(250)
        self.up.weight.data.mul_(250)
        self.norm = nn.LayerNorm(16)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = self.down(torch.nn.functional.silu(self.gate(x)) * self.up(x))
        return self.head(self.norm(h.float() * 1e-4))
