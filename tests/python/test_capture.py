# SPDX-License-Identifier: Apache-2.0
"""What capture() writes, keeps and refuses. Each test trains or checks with the engine where a file is concerned."""
import collections
import json
import os
import random
import re
import typing
import unittest
import warnings

import torch
import torch.nn.functional as F
from torch import nn

import capture_case
import models
from capture_case import Averages, batches, Branches, CaptureTest, Clipped, Foreign, Net, OwnBlock, Pair, Sample, sgd
from engine import run_engine


def line_of(text):
    """The number of the first line of the models' file that holds `text`."""
    with open(capture_case.__file__, encoding="utf-8") as file:
        return next(i for i, line in enumerate(file, start=1) if text in line)


class Batches(CaptureTest):
    def test_batches_come_in_the_order_of_the_loader(self):
        data = batches()
        run = self.run_of(Net(), loss="cross_entropy", data=data, steps=4)
        self.assertEqual((run["batch"], run["steps"], run["data"]["shuffle"]), (6, 4, False))
        with open(os.path.join(self.to, "data", "x.safetensors"), "rb") as file:
            raw = file.read()
        length = int.from_bytes(raw[:8], "little")
        entry = json.loads(raw[8:8 + length])["x"]
        self.assertEqual((entry["dtype"], entry["shape"]), ("F32", [24, 4]))
        values = torch.frombuffer(bytearray(raw[8 + length:]), dtype=torch.float32).reshape(24, 4)
        self.assertTrue(torch.equal(values, torch.cat([x for x, _ in data])))
        run_engine("data", self.run_path())

    def run_path(self):
        return os.path.join(self.to, "training.run.json")

    def test_a_loader_is_read_again_and_an_iterator_once(self):
        captured = self.capture(Net(), loss="cross_entropy", data=batches(3), steps=7)
        self.assertEqual(captured.batches, 7)
        self.to += "2"
        captured = self.capture(Net(), loss="cross_entropy", data=iter(batches(3)), steps=7)
        self.assertEqual(captured.batches, 3)
        self.assertIn("There are 3 batches for 7: the run repeats them in their order.", captured.notes)

    def test_short_batches_are_left_out_and_counted(self):
        data = batches(2) + batches(1, rows=2)
        captured = self.capture(Net(), loss="cross_entropy", data=data)
        self.assertEqual(captured.batches, 2)
        self.assertIn("Batches with another number of rows than 6 were left out: 1.", captured.notes)

    def test_a_loader_that_gives_no_more_ends_the_data(self):
        class Once(list):
            passes = 0

            def __iter__(self):
                self.passes += 1
                return super().__iter__() if self.passes == 1 else iter(self.later)
        data = Once(batches(3))
        data.later = []
        captured = self.capture(Net(), loss="cross_entropy", data=data, steps=7)
        self.assertEqual(captured.batches, 3)
        self.assertIn("Read again, data yields nothing.", captured.notes)
        data = Once(batches(2))
        data.later = batches(1, rows=2)
        captured = self.capture(Net(), loss="cross_entropy", data=data, steps=7, to=self.to + "2")
        self.assertEqual(captured.batches, 2)

    def test_steps_are_whole_numbers(self):
        for steps in (2.5, 0, "3", float("inf")):
            self.refused(f"steps is {steps}", "whole number", Net(), loss="cross_entropy", data=batches(), steps=steps)
        run = self.run_of(Net(), loss="cross_entropy", data=batches(), steps=torch.tensor(3))  # as numpy's integers
        self.assertEqual(run["steps"], 3)

    def test_nested_inputs_of_every_kind_reach_forward(self):
        class Nested(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(4, 3)

            def forward(self, first, pair, more, sample, factor: float = 1.0):
                x = first["x"] + pair.a + pair.b + sum(more) + sample.x * sample.weight
                return self.inner(x.float()) * factor

        def part():
            return torch.randn(6, 4)
        data = [(({"x": part()}, Pair(part(), part().to(torch.bfloat16)), [part(), torch.ones(6, 4).long()],
                  Sample(part(), part() > 0), 2.0), torch.randint(0, 3, (6,))) for _ in range(2)]
        run = self.run_of(Nested(), loss="cross_entropy", data=data, optimizer=None)
        self.assertEqual({name: column["dtype"] for name, column in run["data"]["columns"].items()}, {
            "first_x": "float32", "pair_a": "float32", "pair_b": "bfloat16", "more_0": "float32", "more_1": "int64",
            "sample_x": "float32", "sample_weight": "bool"})
        self.assertEqual(run["data"]["targets"], {"target": {"from": "target", "dtype": "int64"}})
        run_engine("data", self.run_path())

    def test_a_dictionary_without_an_argument_of_forward_is_refused(self):
        self.refused(r"No key of a batch \(pixels, label\) is an argument of forward \(x\)", "split", Net(),
                     loss="cross_entropy", data=[{"pixels": torch.randn(6, 4), "label": torch.zeros(6).long()}])

    def test_a_dictionary_is_divided_by_the_names_of_forward(self):
        run = self.run_of(Net(), loss=F.cross_entropy, data=[{"x": x, "label": y} for x, y in batches()])
        self.assertEqual(list(run["data"]["columns"]), ["x"])
        self.assertEqual(run["losses"], [{"kind": "cross_entropy", "target": "target"}])

    def test_texts_of_a_batch_are_left_out_and_named(self):
        data = [{"x": x, "path": [f"{i}/{row}.png" for row in range(6)], "label": y, "split": "train"}
                for i, (x, y) in enumerate(batches())]
        captured = self.capture(Net(), loss="cross_entropy", data=data)
        self.assertEqual((captured.differences, captured.batches), ([], 4))
        self.assertIn("Texts are no data of a run, and were left out of each batch: 'path', 'split'.", captured.notes)
        with open(captured.run, encoding="utf-8") as file:
            run = json.load(file)
        self.assertEqual(list(run["data"]["columns"]), ["x"])
        self.assertEqual(run["losses"], [{"kind": "cross_entropy", "target": "target"}])
        tuples = [(batch["x"], batch["label"], batch["path"]) for batch in data]
        captured = self.capture(Net(), loss="cross_entropy", data=tuples, to=self.to + "2")
        self.assertEqual(captured.differences, [])
        self.assertIn("Texts are no data of a run, and were left out of each batch: 2.", captured.notes)

    def test_a_text_that_changes_inside_an_argument_is_refused(self):
        class Named(Net):
            def forward(self, batch):
                return super().forward(batch["x"])
        data = [({"x": x, "path": [f"{i}.png"] * 6}, y) for i, (x, y) in enumerate(batches())]
        self.refused("Batch 1 has other members, or other numbers or texts", "leave out texts with split", Named(),
                     loss="cross_entropy", data=data)
        self.refused("no target is found", "split", Net(), loss="cross_entropy",
                     data=[(torch.randn(6, 4), ["a name"] * 6)])

    def test_the_check_names_its_threads(self):
        before = torch.get_num_threads()
        self.addCleanup(torch.set_num_threads, before)
        for count, text in ((1, "with 1 thread:"), (2, "with 2 threads:")):
            torch.set_num_threads(count)
            captured = self.capture(Net(), loss="cross_entropy", data=batches(), to=f"{self.to}{count}")
            self.assertIn(f"One step equals the original's to the bit, {text} 1 output, 1 loss, 4 gradients.",
                          captured.notes)

    def test_split_divides_what_no_rule_divides(self):
        data = [[y, "a name", x] for x, y in batches()]
        self.run_of(Net(), loss="cross_entropy", data=data, split=lambda batch: (batch[2], batch[0]))

    def test_bad_batches_are_refused_with_what_to_change(self):
        net = Net()
        self.refused("yields nothing", "data set", net, loss="mse", data=[])
        self.refused("Neither batch nor data", "loader", net, loss="mse")
        self.refused("yields no batches", "DataLoader", net, loss="mse", data=3)
        self.refused("steps is missing", "number of steps", net, loss="mse", data=iter(batches()))
        self.refused("no target is found", "split", net, loss="mse", batch=torch.ones(2, 4))
        self.refused("x in a batch is a str|is a set", "as_tensor", net, loss="mse", batch=({1, 2}, torch.ones(2)))
        longer = batches(1) + [(torch.randn(6, 5), torch.zeros(6).long())]
        self.refused(r"x is float32\[6, 5\] in batch 1, and float32\[6, 4\] in the first", "Pad", net,
                     loss="cross_entropy", data=longer)
        infinite = torch.full((2, 4), float("-inf"))
        self.refused("x holds NaN or infinity in batch 0", "mask as bool", net, loss="cross_entropy",
                     batch=(infinite, torch.zeros(2).long()))
        self.refused("forward fails on the first batch", "Check batch", net, loss="mse",
                     batch=(torch.ones(2, 5), torch.ones(2, 3)))


class Models(CaptureTest):
    def test_the_person_keeps_the_model_as_it_was(self):
        torch.manual_seed(5)
        training = models.conv_net()
        model = training.model
        model(training.batches[0][0]).sum().backward()
        optimizer = sgd(model)
        before = {name: each.clone() for name, each in model.state_dict().items()}
        gradients = [each.grad.clone() for each in model.parameters()]
        draws = torch.random.get_rng_state()
        self.run_of(model, loss=training.loss, optimizer=optimizer, data=training.batches, steps=3)
        self.assertTrue(all(torch.equal(each, before[name]) for name, each in model.state_dict().items()))
        self.assertTrue(all(torch.equal(p.grad, g) for p, g in zip(model.parameters(), gradients)))
        self.assertTrue(torch.equal(draws, torch.random.get_rng_state()))

    def test_compiled_and_data_parallel_models_are_unwrapped(self):
        net = Net()
        net.first = torch.compile(net.first)
        captured = self.capture(nn.DataParallel(torch.compile(net)), loss="cross_entropy", data=batches())
        self.assertEqual(captured.how, "script")
        self.assertIn("The model inside DataParallel is captured.", captured.notes)
        self.assertIn("The model inside OptimizedModule is captured.", captured.notes)
        names = [name for name, _ in torch.jit.load(os.path.join(self.to, "model.pt")).named_parameters()]
        self.assertEqual(names, ["first.weight", "first.bias", "second.weight", "second.bias"])
        self.assertTrue(hasattr(net.first, "_orig_mod"))

    def test_evaluation_mode_is_kept_by_a_trace(self):
        model = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 1).eval()
        captured = self.capture(model, loss="mse", data=[(torch.randn(2, 3, 4), torch.randn(2, 3, 4))])
        self.assertEqual((captured.how, captured.differences), ("trace", []))
        self.assertTrue(any("the model is in evaluation mode" in note for note in captured.notes))
        run_engine("train", os.path.join(self.to, "training.run.json"), "--run-file", "none")

    def test_state_outside_of_buffers_is_left_alone(self):
        class Keeps(Averages):
            last = None

            def forward(self, x):
                self.last = Averages.forward(self, x)
                return self.last
        model = Keeps()
        mean = model.mean
        captured = self.capture(model, loss="cross_entropy", data=batches(), optimizer=sgd(model))
        self.assertEqual(captured.how, "trace")  # which loses the assignment, and says so
        self.assertRegex("".join(captured.differences), r"^buffer mean: the largest difference is 0\.\d+$")
        self.assertIs(model.mean, mean)
        self.assertEqual((model.mean.sum().item(), model.last), (0, None))
        self.run_of(Averages(), loss="cross_entropy", data=batches(), to=self.to + "2")  # which is scripted

    def test_the_first_op_call_that_differs_is_named(self):
        class Scaled(nn.Module):
            def forward(self, x):
                return torch.tanh(x * (3.0 if torch.jit.is_scripting() else 2.0))
        model = nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.5), Scaled())
        captured = self.capture(model, batches()[0], "cross_entropy", sgd(model))
        self.assertEqual(captured.how, "script")
        self.assertRegex(captured.differences[-1],
                         r"^the first op call that differs is aten::mul, number \d of the step, in layer '2'$")
        self.assertFalse(torch.nn.modules.module._global_forward_pre_hooks)

    def test_an_op_call_that_the_captured_model_lacks_is_named(self):
        class Clamped(nn.Module):
            def forward(self, x):
                if torch.jit.is_scripting():
                    return x.clamp(max=0.0)
                return torch.sigmoid(x)
        model = nn.Sequential(nn.Linear(4, 3), Clamped())
        captured = self.capture(model, batches()[0], "cross_entropy", sgd(model))
        self.assertRegex(captured.differences[-1], r"aten::sigmoid, number \d of the step, in layer '1'; the captured "
                                                   r"model calls aten::clamp there$")

    def test_an_op_call_in_backward_is_named(self):
        class Detached(nn.Module):
            def forward(self, x):
                kept = x.detach() if torch.jit.is_scripting() else x
                return x * 0.5 + kept * 0.5
        model = nn.Sequential(nn.Linear(4, 3), Detached())
        captured = self.capture(model, batches()[0], "cross_entropy", sgd(model))
        self.assertRegex(captured.differences[0], "^gradient of 0.weight: ")
        self.assertRegex(captured.differences[-1], r"^the first op call that differs is aten::\w+, number \d+ of the "
                                                   r"step, in backward \(\w+Backward0\)")

    def test_containers_and_private_attributes_are_left_alone(self):
        class Counts(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(4, 3)
                self.seen, self._norms, self._calls = [{"rows": [1]}], collections.deque([2.0], maxlen=2), 0
                self._mean = torch.zeros(3)

            def forward(self, x):
                y = self.inner(x)
                self.seen[0]["rows"].append(len(x))
                self.seen.append({})
                self._norms.append(3.0)
                self._calls += 1
                self._later = self._calls
                self._mean += y.detach().mean(0)
                return y
        model = Counts()
        seen, rows, mean = model.seen, model.seen[0]["rows"], model._mean
        self.capture(model, loss="cross_entropy", data=batches(), optimizer=sgd(model))
        self.assertEqual((model.seen, list(model._norms), model._calls), ([{"rows": [1]}], [2.0], 0))
        self.assertTrue(model.seen is seen and seen[0]["rows"] is rows and model._mean is mean)
        self.assertFalse(hasattr(model, "_later"))
        self.assertEqual(mean.tolist(), [0, 0, 0])

    def test_random_numbers_of_python_go_on_as_before(self):
        def augmented():
            for x, y in batches():
                yield x * random.random(), y
        random.seed(7)
        expected = random.random()
        random.seed(7)
        self.capture(Net(), loss="cross_entropy", data=augmented(), steps=3)
        self.assertEqual(random.random(), expected)

    def test_numbers_in_a_trace_stay_numbers(self):
        self.run_of(Net(), loss=lambda output, target: 0.5 * F.cross_entropy(output, target) + 1e-3, data=batches())

    def test_a_block_of_autocast_is_no_difference(self):
        model = OwnBlock()
        captured = self.capture(model, batches()[0], "cross_entropy", sgd(model))
        self.assertEqual((captured.how, captured.differences), ("script", []))
        self.assertIn("without the model's own torch.autocast blocks", " ".join(captured.notes))
        with torch.autocast("cpu", dtype=torch.bfloat16):  # works as before
            self.assertEqual(model.first(torch.ones(1, 4)).dtype, torch.bfloat16)

    def test_a_float64_model_trains(self):
        model = Net().double()
        data = [(x.double(), y) for x, y in batches()]
        captured = self.capture(model, loss="cross_entropy", optimizer=sgd(model), data=data)
        self.assertEqual(captured.differences, [])
        run_engine("train", captured.run, "--run-file", "none")

    def test_a_model_that_returns_its_loss(self):
        class WithLoss(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = Net()

            def forward(self, x, label):
                output = self.net(x)
                return {"loss": F.cross_entropy(output, label), "output": output}
        run = self.run_of(WithLoss(), data=batches(), optimizer=None)
        self.assertEqual(run["losses"][0]["kind"], "text")
        run_engine("train", os.path.join(self.to, "training.run.json"), "--run-file", "none")

    def test_a_trace_that_depends_on_values_is_refused(self):
        data = [(torch.full((2, 4), sign), torch.zeros(2).long()) for sign in (1.0, -1.0)]
        self.refused("The trace gives another result than the model for the second batch", "depends on the values",
                     Branches(), loss="cross_entropy", data=data)

    def test_a_trace_of_a_forward_that_counts_its_calls_is_refused(self):
        class Counts(nn.Module):
            def __init__(self):
                super().__init__()
                self.net, self.calls, self.same = nn.Linear(4, 3), 0, lambda x: x

            def forward(self, x):
                self.calls += 1
                return self.same(self.net(x)) * self.calls
        net = Counts()
        self.refused("another result than the model in the second step", "changes an attribute", net,
                     loss="cross_entropy", data=batches())
        self.assertEqual(net.calls, 0)

    def test_the_line_of_a_branch_is_named(self):
        data = [(torch.full((2, 4), 1.0), torch.zeros(2).long()) for _ in range(2)]
        captured = self.capture(Branches(), loss="cross_entropy", data=data)
        self.assertEqual(captured.how, "trace")
        place = f"{capture_case.__file__}:{line_of('# the branch')}: the trace keeps a value"
        self.assertTrue(any(note.startswith(place) for note in captured.notes), captured.notes)
        why = f"cannot be scripted: scale is a function .* lambda .*:{line_of('self.scale(self.inner')}"
        self.assertTrue(any(re.search(why, note) for note in captured.notes), captured.notes)

    def test_an_argument_that_scripting_refuses_is_the_reason(self):
        class Annotated(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(4, 3)

            def forward(self, extra: typing.Tuple[torch.Tensor, torch.Tensor]):
                return self.inner(extra[0] + extra[1])
        data = [([[torch.randn(6, 4), torch.randn(6, 4)]], torch.randint(0, 3, (6,))) for _ in range(2)]
        captured = self.capture(Annotated(), loss="cross_entropy", data=data)
        why = (r"traced: forward cannot be called: Expected a value of type 'Tuple\[Tensor, Tensor\]' for argument "
               r"'extra' but instead found type 'List\[Tensor\]' \(.*test_capture.py:\d+\)")
        self.assertTrue(any(re.search(why, note) for note in captured.notes), captured.notes)

    def test_a_call_of_python_is_refused_with_its_line(self):
        error = self.refused("neither scripted nor traced. Script: Could not export Python function call 'Clipped'",
                             "operations of torch", Foreign(), loss="cross_entropy", data=batches())
        self.assertIn(f"capture_case.py:{line_of('# the call')}", str(error))

    def test_what_a_trace_forgets_is_found_with_its_line(self):
        model = nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3)))
        self.refused("fails where the original runs: .*automatic differentiation", "Layer '0' .*no_grad", model,
                     loss="cross_entropy", data=batches())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # it is deprecated
            old = nn.Sequential(nn.utils.spectral_norm(nn.Linear(4, 3)))
        self.refused("fails where the original runs: .*automatic differentiation",
                     "Layer '0' .*a hook.*remove_spectral_norm", old, loss="cross_entropy", data=batches())

    def test_weight_norm_of_both_kinds_is_traced(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            old = nn.utils.weight_norm(nn.Linear(4, 8))
        for number, layer in enumerate((old, nn.utils.parametrizations.weight_norm(nn.Linear(4, 8)))):
            model = nn.Sequential(layer, nn.ReLU(), nn.Linear(8, 3))
            model(torch.randn(6, 4)).sum().backward()  # the hook keeps a weight with a graph
            captured = self.capture(model, loss="cross_entropy", data=batches(), optimizer=sgd(model),
                                    to=f"{self.to}{number}")
            self.assertEqual((captured.how, captured.differences), ("trace", []))
            self.assertIn("One step equals the original's to the bit", " ".join(captured.notes))
            run_engine("train", captured.run, "--run-file", "none")
            if layer is old:
                self.assertRegex(captured.notes[0], "layer '0' has a hook of the class WeightNorm, and TorchScript")

    def test_how_script_refuses_what_cannot_be_scripted(self):
        self.refused("cannot be scripted", 'how="trace"', Branches(), loss="cross_entropy", data=batches(),
                     how="script")

    def test_other_things_than_modules_are_refused(self):
        self.refused(r"The model is a function \(.*test_capture.py:\d+\)", "forward of a torch.nn.Module",
                     lambda x: x, loss="mse", data=batches())

    def test_frozen_parameters_stay_frozen(self):
        training = models.gan_generator()
        optimizer = training.optimizer(training.parameters)
        captured = self.capture(training.model, loss=training.loss, optimizer=optimizer, data=training.batches)
        module = torch.jit.load(os.path.join(self.to, "model.pt"))
        self.assertEqual({name.split(".")[0] for name, p in module.named_parameters() if p.requires_grad},
                         {"generator"})
        self.assertTrue(all(p.requires_grad for p in training.model.parameters()))
        self.assertTrue(any("are not in the optimizer" in note for note in captured.notes))


if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main()
