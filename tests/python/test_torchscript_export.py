# SPDX-License-Identifier: Apache-2.0
"""What `binade-engine export --to torchscript` writes: in Python, without Binade, it infers and trains as the engine.

Each model of models.py is captured and trained by the engine under a policy. Python trains the exported file with the
same batches and optimizer, twice:

- without the executor's optimisation: losses, parameters and buffers equal the engine's to the bit;
- by the default executor, as torch.jit.load leaves it. Its first call records dtypes, the next compiles backward by
  formulas of its own, which add in another order. So the losses of STEPS steps stay within BOUND.
"""
import contextlib
import json
import os
import tempfile
import unittest
import warnings

import models
import torch
import torch.nn.functional as F
from engine import lines

import binade

STEPS = 6  # the default executor compiles in the second, and implicit promotions fail from the third on
SEED = 1
# Relative. A gradient that rounds to the neighbouring bfloat16 differs by 2^-8, and a step moves a parameter by the
# learning rate, at most 0.05, times its gradient.
BOUND = 2.0**-8

# The file computes in its dtypes, so the engine does too, also where it would emulate bfloat16 by default.
CPU_LIST = {"base": "cpu-amp", "low": "bfloat16", "execution": "native"}


def with_float32(policy, match):
    return {**policy, "sites": [{"match": match, "format": "float32"}]}


# LSTMs stay in float32: oneDNN has none in bfloat16 without AVX-512.
TRAINED = [
    ("lstm_tagger", "CPU list, lstm in float32", with_float32(CPU_LIST, "model.lstm")),
    ("conv_net", "CPU list, a layer in float32", with_float32(CPU_LIST, "features.4")),
]
INFERRED = [("conv_net", "CPU list", CPU_LIST)]


def plain(optimised):
    """A context for calls of a file: PyTorch's default executor, or the same without optimisation."""
    return contextlib.nullcontext() if optimised else torch.jit.optimized_execution(False)


def loaded(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of TorchScript
        return torch.jit.load(path)


def tensors_of(module):
    return dict([*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)])


def equal(a, b):
    """Whether tensors by name have the same bits."""
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


def farthest(ours, theirs):
    return max(abs(a - b) / abs(b) for a, b in zip(ours, theirs, strict=True))


class Exported:
    """A training, captured, run by the engine under a policy, and its model exported with that policy."""

    def __init__(self, name, policy, folder, evaluates=False):
        torch.manual_seed(3)
        self.training = getattr(models, name)()
        self.training.model.train(not evaluates)
        optimizer = None if evaluates else self.training.optimizer(self.training.model.parameters())
        captured = binade.capture(self.training.model, loss=self.training.loss, optimizer=optimizer,
                                  data=self.training.batches, steps=STEPS, seed=SEED, how=self.training.how,
                                  policy={"binade_policy": 1, **policy}, to=os.path.join(folder, "run"), quiet=True)
        with open(captured.run, encoding="utf-8") as file:
            run = json.load(file)
        self.loss_in_file = "target" not in run["losses"][0]
        policy_file = os.path.join(folder, "policy.json")
        with open(policy_file, "w", encoding="utf-8") as file:
            json.dump(run["policy"], file)
        saved, self.file = os.path.join(folder, "trained.pt"), os.path.join(folder, "exported.pt")
        self.losses = [each["loss"] for each in lines("train", captured.run, "--run-file", "none", "--save", saved)
                       if each["event"] == "step"]
        self.trained = tensors_of(loaded(saved))
        self.report = lines("export", os.path.join(folder, "run", "model.pt"), "--policy", policy_file, "--run",
                            captured.run, "--to", "torchscript", "--out", self.file)[-1]

    def loss_of(self, module, batch):
        """The file's loss of a batch. The guide has the rule: a loss outside of the file takes float32."""
        inputs, target = batch
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        if self.loss_in_file:
            return module(*inputs, target)
        loss = self.training.loss
        return (getattr(F, loss) if isinstance(loss, str) else loss)(module(*inputs).float(), target)

    def train(self, optimised):
        """(losses, tensors) of a plain training loop on the file."""
        module = loaded(self.file)
        module.train()
        optimizer = self.training.optimizer(module.parameters())
        losses = []
        torch.manual_seed(SEED)
        with plain(optimised):
            for batch in self.training.batches[:STEPS]:
                optimizer.zero_grad()
                loss = self.loss_of(module, batch)
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
        return losses, tensors_of(module)

    def infer(self, optimised):
        module = loaded(self.file).eval()
        with plain(optimised), torch.no_grad():
            return [self.loss_of(module, batch).item() for batch in self.training.batches[:STEPS]]


class TorchScriptExport(unittest.TestCase):
    def exported(self, name, policy, **more):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        made = Exported(name, policy, folder.name, **more)
        self.assertEqual(len(made.losses), STEPS)
        self.assertGreater(made.report["casts"], 0)
        return made

    def test_a_file_trains_in_python_as_in_the_engine(self):
        print(f"\n{'model':<20}{'policy':<30}{'to the bit':>11}{'by the executor':>18}")
        for name, described, policy in TRAINED:
            with self.subTest(model=name, policy=described):
                exported = self.exported(name, policy)
                losses, tensors = exported.train(optimised=False)
                optimised, _ = exported.train(optimised=True)
                far = farthest(optimised, exported.losses)
                print(f"{name:<20}{described:<30}{sum(a == b for a, b in zip(losses, exported.losses)):>9}/{STEPS}"
                      f"{f'{far:.1e}':>18}")
                self.assertEqual(losses, exported.losses)
                self.assertTrue(equal(tensors, exported.trained))
                self.assertLessEqual(far, BOUND)

    def test_a_file_infers_in_python_as_in_the_engine(self):
        for name, described, policy in INFERRED:
            with self.subTest(model=name, policy=described):
                exported = self.exported(name, policy, evaluates=True)
                self.assertEqual(exported.infer(optimised=False), exported.losses)
                self.assertLessEqual(farthest(exported.infer(optimised=True), exported.losses), BOUND)

    def test_another_policy_gives_other_losses(self):
        """The comparison would find a file without its casts."""
        exported = self.exported("lstm_tagger", TRAINED[0][2])
        exported.file = os.path.join(os.path.dirname(exported.file), "run", "model.pt")
        losses, tensors = exported.train(optimised=False)
        self.assertNotEqual(losses, exported.losses)
        self.assertFalse(equal(tensors, exported.trained))


if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main()
