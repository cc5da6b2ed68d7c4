# SPDX-License-Identifier: Apache-2.0
"""The settings of a training that capture() writes: loss, optimizer, schedule, loss scaling, steps."""
import functools
import json
import os
import shutil
import unittest

import torch
import torch.nn.functional as F
from torch import nn

import binade
from capture_case import batches, CaptureTest, Net, sgd


class Settings(CaptureTest):
    def test_known_losses_are_named_and_others_become_part_of_the_model(self):
        numbers = [(x, torch.randn(6, 3)) for x, _ in batches()]
        cases = [("cross_entropy", batches(), "cross_entropy"), (nn.CrossEntropyLoss(), batches(), "cross_entropy"),
                 (F.mse_loss, numbers, "mse"), (nn.SmoothL1Loss(), numbers, "smooth_l1"),
                 (nn.SmoothL1Loss(beta=0.5), numbers, "text"),
                 (nn.CrossEntropyLoss(label_smoothing=0.1), batches(), "text"),
                 (nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0])), batches(), "text"),
                 (lambda output, target: (output - target).abs().mean(), numbers, "text"),
                 (functools.partial(F.cross_entropy, label_smoothing=0.1), batches(), "text")]
        for i, (loss, data, kind) in enumerate(cases):
            with self.subTest(i=i):
                run = self.run_of(Net(), loss=loss, data=data, to=f"{self.to}{i}")
                self.assertEqual(run["losses"][0]["kind"], kind)

    def test_losses_that_are_none_are_refused(self):
        self.refused("unknown", "cross_entropy", Net(), loss="crossentropy", data=batches())
        self.refused(r"The loss is float32\[6\]", "mean or a sum", Net(), data=batches(),
                     loss=nn.CrossEntropyLoss(reduction="none"))

    def test_optimizers_arrive_with_their_settings(self):
        net = Net()
        biases = [net.first.bias, net.second.bias]
        others = [net.first.weight, net.second.weight]
        optimizer = torch.optim.AdamW([{"params": others}, {"params": biases, "weight_decay": 0.0, "lr": 0.02}],
                                      lr=0.01, betas=(0.8, 0.99), eps=1e-6, fused=True)
        run = self.run_of(net, loss="cross_entropy", optimizer=optimizer, data=batches())
        self.assertEqual(run["optimizer"], {
            "kind": "adamw", "learning_rate": 0.01, "weight_decay": 0.01, "beta1": 0.8, "beta2": 0.99, "epsilon": 1e-6,
            "fused": True, "groups": [{"match": name, "learning_rate": 0.02, "weight_decay": 0.0}
                                      for name in ("first.bias", "second.bias")]})

    def test_optimizers_that_the_engine_lacks_are_refused(self):
        net = Net()

        def refused(optimizer, problem, change):
            self.refused(problem, change, net, loss="cross_entropy", optimizer=optimizer, data=batches())
        refused(torch.optim.LBFGS(net.parameters()), "LBFGS is not one of", "edit training.run.json")
        refused(sgd(net, maximize=True), "maximizes", "Negate the loss")
        refused(torch.optim.SGD([{"params": net.first.parameters(), "momentum": 0.5},
                                 {"params": net.second.parameters()}], lr=0.1), "different values of momentum", "rate")
        stranger = nn.Parameter(torch.ones(1))
        refused(torch.optim.SGD([*net.parameters(), stranger], lr=1), "1 tensors that are no parameters", "holds")

    def test_schedules_are_found_from_their_rates(self):
        schedulers = torch.optim.lr_scheduler
        def warm(optimizer):
            return schedulers.LinearLR(optimizer, start_factor=0.25, total_iters=3)
        cases = [
            (lambda o: schedulers.StepLR(o, 3, 0.5), {"kind": "step", "every": 3, "factor": 0.5, "warmup": 0}),
            (lambda o: schedulers.StepLR(o, 30), {"kind": "constant", "warmup": 0}),
            (lambda o: schedulers.CosineAnnealingLR(o, 9, eta_min=0.01), {"kind": "cosine", "floor": 0.1, "warmup": 0}),
            (warm, {"kind": "constant", "warmup": 4}),
            (lambda o: schedulers.LambdaLR(o, lambda step: (step + 1) / 5 if step < 5 else 0.1 ** ((step - 5) // 2)),
             {"kind": "step", "every": 2, "factor": 0.1, "warmup": 5})]
        for i, (make, expected) in enumerate(cases):
            with self.subTest(i=i):
                net = Net()
                optimizer = sgd(net)
                scheduler = make(optimizer)
                rate = optimizer.param_groups[0]["lr"]
                run = self.run_of(net, loss="cross_entropy", optimizer=optimizer, scheduler=scheduler, data=batches(),
                                  steps=10, to=f"{self.to}{i}")
                self.assertEqual(run["optimizer"]["learning_rate"], 0.1)
                for field, value in expected.items():
                    self.assertAlmostEqual(run["schedule"][field], value) if isinstance(value, float) else \
                        self.assertEqual(run["schedule"][field], value)
                self.assertEqual((optimizer.param_groups[0]["lr"], scheduler.last_epoch), (rate, 0))

    def test_schedules_that_the_engine_lacks_are_refused(self):
        net = Net()
        optimizer = sgd(net)
        for scheduler, problem in (
                (torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=20), "OneCycleLR does not follow"),
                (torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer), "depends on losses")):
            self.refused(problem, "StepLR|constant, step and cosine", net, loss="cross_entropy", optimizer=optimizer,
                         scheduler=scheduler, data=batches(), steps=20)

    def test_a_cosine_over_all_steps_is_refused_with_the_number_to_change(self):
        net = Net()
        optimizer = sgd(net)
        self.refused("CosineAnnealingLR reaches its floor after 20 steps", "steps=21, or with T_max=19", net,
                     loss="cross_entropy", optimizer=optimizer, data=batches(), steps=20,
                     scheduler=torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20))

    def test_a_policy_is_a_name_or_a_file(self):
        file = self.to + ".policy.json"
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"binade_policy": 1, "base": "cpu-amp"}, out)
        self.assertEqual(self.run_of(Net(), loss="cross_entropy", data=batches(), policy=file)["policy"],
                         {"binade_policy": 1, "base": "cpu-amp"})
        os.remove(file)
        shutil.rmtree(self.to)
        self.refused("The policy cuda-ampp could not be read", "or one of cuda-amp, cpu-amp", Net(),
                     loss="cross_entropy", data=batches(), policy="cuda-ampp")

    def test_loss_scaling_arrives_with_its_settings(self):
        scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_factor=4.0, backoff_factor=0.25,
                                      growth_interval=100)
        net = Net()
        run = self.run_of(net, loss="cross_entropy", optimizer=sgd(net), scaler=scaler, data=batches())
        self.assertEqual(run["scaler"], {"enabled": True, "init_scale": 1024.0, "growth_factor": 4.0,
                                         "backoff_factor": 0.25, "growth_interval": 100})
        self.assertEqual(run["policy"]["base"], "cuda-amp")
        run = self.run_of(Net(), loss="cross_entropy", data=batches(), to=self.to + "2")
        self.assertEqual((run["scaler"], run["policy"]), ({"enabled": False}, "all-float32"))

    def test_an_existing_folder_is_left_alone(self):
        os.makedirs(self.to)
        with self.assertRaisesRegex(binade.CaptureError, "exists already"):
            self.capture(Net(), loss="mse", data=batches())
        self.assertEqual(os.listdir(self.to), [])


if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main()
