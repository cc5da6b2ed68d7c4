# SPDX-License-Identifier: Apache-2.0
"""A convolution of 364 channels that gives -66,610, and a group norm behind it.

thread: https://github.com/NVIDIA/apex/issues/180
saw: one -inf in the output of nn.Conv3d far into training, NaN behind the group norm
truth: the convolution's result is beyond 65,504
cure: the convolution in float32, or a smaller input
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["conv/aten::conv2d#0", "conv::_conv_forward/aten::conv2d#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[4,16,4,4]"], "classes": 4}, "batch": 4,
       "optimizer": {"kind": "adam", "learning_rate": 0.0003}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 16, 1, bias=False)
        self.conv.weight.data.mul_(80)
        self.norm = nn.GroupNorm(4, 16)
        self.head = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.relu(self.norm(self.conv(x * 1000.0)))
        return self.head(h.mean([2, 3]))
