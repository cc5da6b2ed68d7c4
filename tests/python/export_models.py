# SPDX-License-Identifier: Apache-2.0
"""Models for the tests of exported policies: what people write, with functions, operators, in-place ops and loops."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(channels)

    def forward(self, x):
        out = self.relu(self.norm1(self.conv1(x)))
        out = self.norm2(self.conv2(out))
        out += x
        return self.relu(out)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.layers = nn.Sequential(Block(8), Block(8))
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = F.relu(self.stem(x))
        x = F.adaptive_avg_pool2d(self.layers(x), 1).flatten(1)
        return self.head(F.dropout(x, 0.1, self.training))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 16)
        self.lstm = nn.LSTM(16, 16, 2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(32, 7)

    def forward(self, words):
        states, _ = self.lstm(self.words(words))
        return self.head(states)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.1, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).layers
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.GroupNorm(2, 8)
        self.pool = nn.MaxPool2d(2)
        self.down = nn.Conv2d(8, 16, 3, padding=1)
        self.up = nn.ConvTranspose2d(16, 8, 2, 2)
        self.last = nn.Conv2d(16, 2, 1)

    def forward(self, x):
        skipped = F.gelu(self.norm(self.first(x)))
        up = self.up(F.silu(self.down(self.pool(skipped))))
        up = F.interpolate(up, size=[8, 8], mode="bilinear", align_corners=False)
        return self.last(torch.cat([skipped, up], 1)).softmax(1)


class Operators(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8, 8))
        self.other = nn.Parameter(torch.randn(8, 8))
        self.query = nn.Linear(8, 8)

    def forward(self, x):
        y = x + self.query(x)
        z = y @ self.weight
        a = (z * torch.matmul(z, self.weight.t())).softmax(-1)
        b = 2.0 - a
        c = 1.0 / (a + 1.0)
        d = F.layer_norm(torch.einsum("bi,ij->bj", a, self.other), [8])
        e = F.log_softmax(d, -1) + F.normalize(d)
        for _ in range(2):
            e = torch.tanh(e) + 0.5
        return e + (b / c).exp().log() - (a**2).mean() + torch.bmm(a.unsqueeze(0), self.weight.unsqueeze(0)).sum()


_MODELS = {"residual": Residual, "tagger": Tagger, "encoder": Encoder, "u_net": UNet, "operators": Operators}
_SPECS = {"residual": ["float32[2,3,8,8]"], "tagger": ["int64[3,6]<50"], "encoder": ["float32[2,5,16]"],
          "u_net": ["float32[2,3,8,8]"], "operators": ["float32[4,8]"]}


def make(name):
    return _MODELS[name]()


def specs(name):
    return _SPECS[name]


def batch(name):
    return {"residual": (torch.randn(2, 3, 8, 8),), "tagger": (torch.randint(0, 50, (3, 6)),),
            "encoder": (torch.randn(2, 5, 16),), "u_net": (torch.randn(2, 3, 8, 8),),
            "operators": (torch.randn(4, 8),)}[name]


def residual():
    return Residual()


def tagger():
    return Tagger()


def encoder():
    return Encoder()


def u_net():
    return UNet()


def operators():
    return Operators()
