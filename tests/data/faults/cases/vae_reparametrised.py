# SPDX-License-Identifier: Apache-2.0
"""A variational autoencoder whose log variance is not bounded.

thread: https://github.com/NVIDIA/apex/issues/812
saw: a VAE does not train with Apex, with exp and the divergence blowing up
truth: exp of half the log variance, in float32, is beyond 65,504 where the decoder casts it
cure: clamp the log variance
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "cast", "sites": ["decoder/aten::linear#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[16,16]"], "classes": 4}, "batch": 16,
       "optimizer": {"kind": "adam", "learning_rate": 0.0001}}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean, self.variance = nn.Linear(16, 8), nn.Linear(16, 8)
        self.variance.bias.data.fill_(22.0)
        self.decoder = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def forward(self, x: Tensor) -> Tensor:
        mean, logvar = self.mean(x), self.variance(x)
        z = mean + torch.exp(0.5 * logvar) * torch.randn_like(mean)
        return self.head(torch.tanh(self.decoder(z) * 1e-5))
