# SPDX-License-Identifier: Apache-2.0
"""A Euclidean distance as the root of a sum of squares, over pairs of which some are identical.

thread: https://github.com/huggingface/sentence-transformers/pull/4033
saw: identical embeddings have NaN gradients
truth: the slope of a square root at 0 is infinite in every format
cure: a small constant inside the root, or torch.linalg.vector_norm
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "invalid", "sites": ["aten::sqrt#0"], "fix": "words", "words": ["slope at 0"],
          "never": ["too large for the format", "in float32 or bfloat16"]}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 2}, "batch": 16,
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    return torch.where(target == 1, output, torch.relu(1.0 - output)).mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(16, 8)

    def forward(self, x: Tensor) -> Tensor:
        other = torch.where(x[:, :1] > 0.5, x, x.flip(0))
        difference = self.encoder(x) - self.encoder(other)
        return torch.sqrt((difference * difference).sum(-1))
