# SPDX-License-Identifier: Apache-2.0
"""StyleGAN 2's modulation of features, without the normalisation that float16 needs.

thread: https://github.com/NVlabs/stylegan3/issues/46
saw: the code normalises weights and styles first where x is float16, and a reader asks why
truth: features times styles are beyond 65,504 without it
cure: normalise styles by their largest before the product
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["aten::mul#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[4,4,6,6]", "float32[4,8]"], "classes": 4}, "batch": 4,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(4, 8, 3, padding=1), nn.Conv2d(8, 8, 1, bias=False)
        self.first.weight.data.mul_(400)
        self.style = nn.Linear(8, 8)
        self.style.weight.data.mul_(300)
        self.head = nn.Linear(8, 4)

    def forward(self, x: Tensor, w: Tensor) -> Tensor:
        s = self.style(w)[:, :, None, None]
        x = self.first(x) * s
        x = self.second(x)
        x = x * torch.rsqrt(x.float().square().mean([1, 2, 3], keepdim=True) + 1e-8)
        return self.head(x.mean([2, 3]))
