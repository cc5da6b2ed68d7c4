#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the models of this folder that cast to float16 themselves, with PyTorch 2.11: python3 make_half_models.py"""
import torch
from torch import nn
from saved_model import save

torch.manual_seed(4)
torch.set_num_threads(1)


class HalfLogits(nn.Module):
    """Attention that casts its logits to float16 itself, where they are beyond its end."""

    def __init__(self):
        super().__init__()
        self.q = nn.Linear(8, 8, bias=False)
        self.k = nn.Linear(8, 8, bias=False)
        self.v = nn.Linear(8, 4, bias=False)
        with torch.no_grad():
            self.q.weight.copy_(torch.eye(8) * 300)
            self.k.weight.copy_(torch.eye(8) * 300)

    def forward(self, x):
        logits = torch.matmul(self.q(x), self.k(x).t()).half()
        return torch.matmul(torch.softmax(logits.float(), -1), self.v(x))


class HalfLog(nn.Module):
    """A logarithm whose 1e-9 is 0 in the float16 that the model asks for itself."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        p = torch.softmax(self.fc(x) * 100, -1)
        return torch.log(p.half() + 1e-9).float()


class HalfParameter(nn.Module):
    """A parameter in float16 beside float32 ones, a buffer in float16 that is written, a dtype that is asked for."""

    def __init__(self):
        super().__init__()
        self.first = nn.Parameter(torch.randn(8, 8).half())
        self.fc = nn.Linear(8, 4)
        self.register_buffer("kept", torch.zeros(8).half())

    def forward(self, x):
        h = torch.matmul(x.half(), self.first)
        self.kept.copy_(h.detach()[0])
        self.kept.add_(1.0)
        if h.dtype == torch.float16:
            h = h.type_as(self.kept) * 2.0
        else:
            h = h * 2.0
        return self.fc(torch.cat([h.float(), self.kept.float().unsqueeze(0)], 0)[: x.size(0)])


class AssertsHalf(nn.Module):
    """Refuses to go on with anything but the float16 that it has cast to."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        h = self.fc(x).to(torch.float16)
        assert h.dtype == torch.float16, "half it must be"
        return h.float()


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Overflows(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (self.fc(x) * 1e6).half().float()


class OpaqueHalf(nn.Module):
    """Casts to float16 inside a call that is chosen while it runs."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Overflows(), Overflows()])

    def forward(self, x):
        layer: Layer = self.layers[x.size(0) % 2]
        return layer.forward(x)


save("half_logits", torch.jit.script(HalfLogits()))
save("half_log", torch.jit.script(HalfLog()))
save("half_parameter", torch.jit.script(HalfParameter()))
save("asserts_half", torch.jit.script(AssertsHalf()))
save("opaque_half", torch.jit.script(OpaqueHalf()))
