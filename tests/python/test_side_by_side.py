# SPDX-License-Identifier: Apache-2.0
"""The models of models.py, captured and trained 20 steps in the engine and in Python, in float32 on the same batches.

Prints a table. A training whose numbers differ must be in KNOWN, which names the op call that differs and why.
"""
import os
import tempfile
import unittest
import warnings

import torch
import torch.nn.functional as F

import binade
import models
from engine import lines

STEPS = 20
SEED = 1  # the engine seeds before the first step, and draws for dropout as Python does
KNOWN = {}  # by name of the model: the op call that differs, and why


def divided(batch):
    """(arguments of forward, target) of a batch of models.py."""
    if isinstance(batch, dict):
        return (batch["image"],), {key: value for key, value in batch.items() if key != "image"}
    inputs, target = batch
    if isinstance(inputs, models.Graph):
        return (inputs.nodes, inputs.edges), target
    return (inputs if isinstance(inputs, tuple) else (inputs,)), target


def trained_in_python(training):
    """The losses of a plain training loop."""
    optimizer = training.optimizer(training.parameters or training.model.parameters())
    loss_of = getattr(F, training.loss) if isinstance(training.loss, str) else training.loss
    losses = []
    torch.manual_seed(SEED)
    for batch in training.batches[:STEPS]:
        inputs, target = divided(batch)
        optimizer.zero_grad()
        loss = loss_of(training.model(*inputs), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def tensors_of(module):
    named = [*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]
    return {name.removeprefix("model."): tensor for name, tensor in named}


class SideBySide(unittest.TestCase):
    def test_engine_and_python_train_alike(self):
        rows, wrong = [], []
        with tempfile.TemporaryDirectory() as folder:
            for make in models.ALL:
                row, difference = self.compare(make, os.path.join(folder, make.__name__))
                rows.append(row)
                expected = KNOWN.get(make.__name__)
                if difference and not expected or expected and not difference:
                    wrong.append(f"{make.__name__}: {difference or 'is in KNOWN, and does not differ'}")
        print(f"\n{'model':<20}{'capture':<20}{'parameters':>10}{'steps':>6}{'equal losses':>14}{'equal tensors':>15}")
        for name, how, parameters, equal_losses, equal_tensors, count in rows:
            print(f"{name:<20}{how:<20}{parameters:>10}{STEPS:>6}{equal_losses:>14}{f'{equal_tensors}/{count}':>15}"
                  + (f"  {KNOWN[name]}" if name in KNOWN else ""))
        self.assertGreaterEqual(len(rows), 12)
        self.assertEqual(wrong, [])

    def compare(self, make, folder):
        torch.manual_seed(3)
        training = make()
        optimizer = training.optimizer(training.parameters or training.model.parameters())
        captured = binade.capture(training.model, loss=training.loss, optimizer=optimizer, data=training.batches,
                                  steps=STEPS, seed=SEED, how=training.how, to=folder, quiet=True)
        self.assertEqual(captured.differences, [], make.__name__)
        saved = os.path.join(folder, "trained.pt")
        theirs = [each["loss"] for each in lines("train", captured.run, "--run-file", "none", "--save", saved)
                  if each["event"] == "step"]
        ours = trained_in_python(training)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of TorchScript
            trained = tensors_of(torch.jit.load(saved))
        mine = tensors_of(training.model)
        different = [name for name in mine if not torch.equal(mine[name], trained[name])]
        first = next((i for i in range(STEPS) if ours[i] != theirs[i]), None)
        equal = sum(a == b for a, b in zip(ours, theirs))
        parameters = sum(each.numel() for each in training.model.parameters())
        row = (make.__name__, captured.how, parameters, equal, len(mine) - len(different), len(mine))
        if first is None and not different:
            return row, ""
        where = f"the loss of step {first} first" if first is not None else "no loss"
        return row, f"{where}; {len(different)} tensors, such as {', '.join(different[:3])}"


if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main()
