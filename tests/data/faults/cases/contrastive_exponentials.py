# SPDX-License-Identifier: Apache-2.0
"""A contrastive loss that takes exp of similarities over a temperature of 0.01.

thread: https://github.com/huggingface/sentence-transformers/issues/2774
saw: exp overflows at a similarity of 1, since exp(100) is beyond float32
truth: exp(100) is infinite in float32 too: inf divided by inf
cure: cross_entropy of the similarities, or their maximum subtracted first
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow_wide", "sites": ["aten::exp#0"], "shows": ["aten::div#1", "aten::div#2"], "fix": "words"}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16,
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    return -torch.log(output).mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(16, 16)

    def forward(self, x: Tensor) -> Tensor:
        a = torch.nn.functional.normalize(self.encoder(x), dim=-1)
        b = torch.nn.functional.normalize(self.encoder(x + 0.01), dim=-1)
        e = torch.exp(torch.matmul(a, b.transpose(0, 1)) / 0.01)
        return e.diagonal() / e.sum(-1)
