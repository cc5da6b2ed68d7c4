# SPDX-License-Identifier: Apache-2.0
"""An entropy whose logarithm is kept from 0 by a clamp at 1e-20.

thread: https://github.com/lucidrains/vector-quantize-pytorch/pull/85
saw: NaN in the entropy term in fp16; a larger epsilon mended it
truth: a clamp at 1e-20 is a clamp at 0 in float16: 0 times log 0
cure: a clamp at 1e-5
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "lost", "sites": ["aten::clamp#0"], "shows": ["aten::log#0", "aten::mul#1"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16,
       "losses": [{"kind": "cross_entropy", "output": "[0]"},
                  {"kind": "text", "output": "[1]", "weight": 0.01,
                   "text": "def loss(entropy: Tensor, target: Tensor) -> Tensor:\n    return -entropy.mean()\n"}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.codes = nn.Linear(16, 16)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor):
        h = self.codes(x)
        p = torch.softmax(h * 30.0, -1).to(h.dtype)
        entropy = -(p * torch.log(p.clamp(min=1e-20))).sum(-1)
        return self.head(h), entropy
