# SPDX-License-Identifier: Apache-2.0
"""The proof of an exported policy on captured models, which the file calls in a module of its own."""
import importlib.util
import json
import os
import sys
import tempfile
import unittest

import torch
from engine import lines

import binade

TEXT = '''
import collections
import typing
import torch
from torch import nn

Pair = collections.namedtuple("Pair", ["gain", "shift"])

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.norm, self.drop = nn.Linear(4, 8), nn.LayerNorm(8), nn.Dropout(0.5)

    def forward(self, x, extra: typing.Dict[str, typing.List[torch.Tensor]]):
        gain, shift = extra["side"]
        return self.drop(self.norm(self.up(x) * gain.float() + shift))

class Of(Net):
    def forward(self, x, pair: Pair):
        return self.norm(self.up(x) * pair.gain + pair.shift)

class Other(Net):
    def forward(self, x):
        return self.up(x)

class Loss(nn.Module):
    def forward(self, output, target):
        return nn.functional.cross_entropy(output.float(), target, label_smoothing=0.1)

class WithLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.model, self.loss = Net(), Loss()
'''


class CapturedProof(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = os.path.join(self.folder, "captured_models.py")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(TEXT)
        spec = importlib.util.spec_from_file_location("captured_models", self.file)
        self.models = sys.modules["captured_models"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.models)

    def proof(self, net, inputs, loss, made, sites=()):
        """What --prove reports of a capture of `net` and the function `made` of the module."""
        run = os.path.join(self.folder, f"run{len(os.listdir(self.folder))}")
        captured = binade.capture(net, (inputs, torch.randint(0, 8, (6,))), loss=loss, steps=2, to=run, quiet=True)
        self.assertEqual(captured.differences, [])
        policy = run + ".json"
        with open(policy, "w", encoding="utf-8") as file:
            json.dump({"binade_policy": 1, "base": "cpu-amp", "low": "bfloat16", "sites": list(sites)}, file)
        return lines("export", os.path.join(run, "model.pt"), "--policy", policy, "--run", captured.run, "--to",
                     "pytorch", "--out", run + ".py", "--prove", "--python", sys.executable, "--python-model",
                     f"{self.file}:{made}")[-1]["in_python"]

    def proven(self, *given, **more):
        proof = self.proof(*given, **more)
        self.assertEqual((proof["first_difference"], proof["different"], proof["extra"]), ("", [], []))
        self.assertGreater(proof["op_calls"], 2)

    def nested(self):
        return torch.randn(6, 4), {"side": [torch.rand(6, 8).bfloat16(), torch.randn(6, 8)]}

    def test_a_model_with_nested_inputs_is_called_as_in_the_capture(self):
        rule = {"match": "model.up", "format": "float32"}
        self.proven(self.models.Net(), self.nested(), "cross_entropy", "Net", [rule])

    def test_named_tuples_are_made_by_the_class_of_the_module(self):
        pair = self.models.Pair(torch.rand(6, 8), torch.randn(6, 8))
        self.proven(self.models.Of(), (torch.randn(6, 4), pair), "cross_entropy", "Of")

    def test_a_loss_in_the_file_is_run_too(self):
        self.proven(self.models.Net(), self.nested(), self.models.Loss(), "WithLoss")
        self.proven(self.models.Net(), self.nested(), lambda output, target: self.models.Loss()(output, target),
                    "WithLoss")
        with self.assertRaisesRegex(AssertionError, "also computes the loss; return a module with the parts"):
            self.proof(self.models.Net(), self.nested(), self.models.Loss(), "Net")

    def test_other_arguments_of_forward_are_named_on_both_sides(self):
        with self.assertRaisesRegex(AssertionError, r"forward of the module takes \(x\), and the file calls it with "
                                                    r"\(x, \{'side': \[extra_side_0, extra_side_1\]\}\)"):
            self.proof(self.models.Net(), self.nested(), "cross_entropy", "Other")


if __name__ == "__main__":
    unittest.main()
