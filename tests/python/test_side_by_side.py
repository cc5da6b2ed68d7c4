# SPDX-License-Identifier: Apache-2.0
"""The models of models.py, captured and trained 20 steps in the engine and in Python, in float32 on the same batches.

Prints a table. A training whose numbers differ must be in KNOWN, which names the op call that differs and why. The test
names that op call itself: it sets both sides to the state before the first step that differs, and compares op calls.
"""
import os
import tempfile
import unittest
import warnings

import torch
import torch.nn.functional as F

import binade
import models
from binade.case import Case
from binade.check import first_call
from binade.compiled import module_inputs
from binade.state import undisturbed
from engine import lines, run_engine

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


def loss_of(training, batch):
    inputs, target = divided(batch)
    loss = getattr(F, training.loss) if isinstance(training.loss, str) else training.loss
    return loss(training.model(*inputs), target)


def trained_in_python(training):
    """The losses of a plain training loop."""
    optimizer = training.optimizer(training.parameters or training.model.parameters())
    losses = []
    torch.manual_seed(SEED)
    for batch in training.batches[:STEPS]:
        optimizer.zero_grad()
        loss = loss_of(training, batch)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def tensors_of(module):
    named = [*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]
    return {name.removeprefix("model."): tensor for name, tensor in named}


def loaded(file):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of TorchScript
        return torch.jit.load(file)


def spec_of(tensor):
    """Random values of this shape, as --input of binade-engine takes them."""
    limit = "" if tensor.is_floating_point() or tensor.dtype == torch.bool else f"<{int(tensor.max()) + 1}"
    return f"{str(tensor.dtype).removeprefix('torch.')}[{','.join(map(str, tensor.shape))}]{limit}"


def first_call_of(step, training, run, folder):
    """Names the first op call of a step that differs from Python's, from the engine's state before the step; empty if
    Python's op calls, those of the captured model and those of the engine are equal."""
    before = os.path.join(os.path.dirname(run), "model.pt")
    if step > 0:
        before = os.path.join(folder, f"before_{step}.pt")
        run_engine("train", run, "--steps", str(step), "--run-file", "none", "--save", before)
    state = tensors_of(loaded(before))
    trained = {id(each) for each in training.parameters or training.model.parameters()}
    with torch.no_grad():
        for name, tensor in tensors_of(training.model).items():
            tensor.copy_(state[name])
    for each in training.model.parameters():
        each.requires_grad_(id(each) in trained)
    batch = training.batches[step]
    with undisturbed(training.model, training.loss) as reset:
        case = Case(training.model, training.loss, batch, None)  # which runs forward
        tensors = case.tensors_of(batch, step)
        found = first_call(before, case, tensors, SEED, reset)
    if not found:
        specs = [part for each in module_inputs(case, tensors).values() for part in ("--input", spec_of(each))]
        try:
            run_engine("verify", before, *specs, "--no-executor")
        except AssertionError as error:  # verify names the op call
            found = [str(error)]
    return f"step {step}: {found[0]}" if found else ""


class Drifting(torch.nn.Module):
    """Scales by another factor from its third call on, if it is scripted."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        factor = 1.0
        if torch.jit.is_scripting() and int(self.calls) >= 2:
            factor = 1.5
        self.calls += 1
        return x * factor


def drifting():
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), Drifting(), torch.nn.Linear(8, 3))
    batches = [(torch.randn(6, 4), models.labels(6, 3)) for _ in range(STEPS)]
    return models.Training(model, batches, "cross_entropy", models.sgd)


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
        trained, mine = tensors_of(loaded(saved)), tensors_of(training.model)
        different = [name for name in mine if not torch.equal(mine[name], trained[name])]
        first = next((i for i in range(STEPS) if ours[i] != theirs[i]), None)
        equal = sum(a == b for a, b in zip(ours, theirs))
        parameters = sum(each.numel() for each in training.model.parameters())
        row = (make.__name__, captured.how, parameters, equal, len(mine) - len(different), len(mine))
        if first is None and not different:
            return row, ""
        # A loss that differs can come from the gradients of the step before.
        steps = [STEPS - 1] if first is None else range(max(first - 1, 0), first + 1)
        calls = (first_call_of(step, training, captured.run, folder) for step in steps)
        named = next(filter(None, calls), "no op call differs, so the optimizer does")
        where = f"the loss of step {first} first" if first is not None else "no loss"
        return row, f"{named}; {where}; {len(different)} tensors, such as {', '.join(different[:3])}"

    def test_a_difference_is_named_with_its_op_call(self):
        with tempfile.TemporaryDirectory() as folder:
            _, difference = self.compare(drifting, os.path.join(folder, "drifting"))
        self.assertRegex(difference, r"^step 2: the first op call that differs is aten::mul, number \d+ of the step, "
                                     r"in layer '1'; the loss of step 2 first; \d tensors, such as ")


if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main()
