# SPDX-License-Identifier: Apache-2.0
"""The models and the base class of the tests of capture()."""
import collections
import dataclasses
import json
import os
import tempfile
import unittest

import torch
from torch import Tensor, nn

import binade


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


class OwnBlock(Net):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            h = self.first(x)
        return self.second(torch.relu(h.float()))


class Branches(nn.Module):
    """Its path depends on the values of the batch, and a lambda keeps it from being scripted."""

    def __init__(self, scale=lambda x: 2 * x):
        super().__init__()
        self.inner, self.scale = nn.Linear(4, 3), scale

    def forward(self, x):
        if x.mean() > 0:  # the branch
            return self.inner(x)
        return self.scale(self.inner(-x))


class Averages(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 3)
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x):
        y = self.inner(x)
        self.mean = 0.9 * self.mean + 0.1 * y.detach().mean(0)
        return y + self.mean


class Clipped(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        return gradient.clamp(-1, 1)


class Foreign(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 3)

    def forward(self, x):
        return Clipped.apply(self.inner(x))  # the call


Pair = collections.namedtuple("Pair", ["a", "b"])


@dataclasses.dataclass
class Sample:
    x: Tensor
    weight: Tensor


def batches(count=4, rows=6, classes=3):
    return [(torch.randn(rows, 4), torch.randint(0, classes, (rows,))) for _ in range(count)]


def sgd(model, **more):
    return torch.optim.SGD(model.parameters(), lr=0.1, **more)


class CaptureTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.to = os.path.join(folder.name, "run")

    def capture(self, *given, **more):
        return binade.capture(*given, **{"to": self.to, "quiet": True, **more})

    def run_of(self, *given, **more):
        captured = self.capture(*given, **more)
        self.assertEqual(captured.differences, [])
        with open(captured.run, encoding="utf-8") as file:
            return json.load(file)

    def refused(self, problem, change, *given, **more):
        with self.assertRaises(binade.CaptureError) as caught:
            self.capture(*given, **more)
        self.assertRegex(caught.exception.problem, problem)
        self.assertRegex(caught.exception.change, change)
        self.assertFalse(os.path.exists(self.to))
        self.assertEqual(os.listdir(os.path.dirname(self.to)), [])
        return caught.exception
