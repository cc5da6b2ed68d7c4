# SPDX-License-Identifier: Apache-2.0
"""A style loss, whose Gram matrix is divided by its size behind the product.

thread: https://github.com/NVIDIA/apex/issues/973
saw: NaN from f.bmm(f_T) / (h * w * ch) in float16
truth: the product of the features with themselves is beyond 65,504; there is no query and no key
cure: divide one factor before the product, or the product in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["aten::bmm#0"], "fix": "rules", "words": ["(a / 600) @ b"],
          "never": ["query", "norm of its own"]}
RUN = {"data": {"inputs": ["float32[8,3,12,12]"], "classes": 4}, "batch": 8,
       "optimizer": {"kind": "adam", "learning_rate": 0.0001},
       "losses": [{"kind": "text", "text": """def loss(output: Tensor, target: Tensor) -> Tensor:
    return (output - 1.0).abs().mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(3, 6, 3)
        with torch.no_grad():
            self.features.weight.mul_(100)

    def forward(self, x: Tensor) -> Tensor:
        f = self.features(x).flatten(2)
        return torch.bmm(f, f.transpose(1, 2)) / 600.0
