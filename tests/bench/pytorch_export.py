#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time of a training step with an exported Python policy, divided by the step under torch.autocast as a person writes it
on the CPU: one region around the model, and for modules in float32 a disabled region around each.

usage: pytorch_export.py ENGINE    needs a Python with PyTorch 2.11 (run.py takes the one that BINADE_PYTHON names);
prints one line of JSON for each policy

The bar is 1.05 where no single op call needs a rule. Pairs of steps alternate, and the median of their ratios counts.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
try:
    import export_models
    import torch
except ImportError:
    torch = None

BENCH = "export.python_vs_autocast"
NOT_MEASURED = 77
PAIRS = 100
POLICIES = {
    "the base list": ({}, True),
    "modules in float32": ({"sites": [{"match": "layers.0.conv1", "format": "float32"},
                                      {"match": "head", "format": "float32"}]}, True),
    "a single op call": ({"sites": [{"match": "layers.0.relu/aten::relu_#1", "format": "float32"}]}, False),
}


def exported(engine, folder, policy):
    model, out = os.path.join(folder, "model.pt"), os.path.join(folder, f"policy{len(os.listdir(folder))}.py")
    if not os.path.exists(model):
        torch.jit.script(export_models.make("residual")).save(model)
    with open(out + ".json", "w", encoding="utf-8") as file:
        json.dump({"binade_policy": 1, "base": "cpu-amp", "low": "bfloat16", **policy}, file)
    subprocess.run([engine, "export", model, "--policy", out + ".json", "--to", "pytorch", "--out", out], check=True,
                   stdout=subprocess.DEVNULL)
    scope = {}
    with open(out, encoding="utf-8") as file:
        exec(compile(file.read(), out, "exec"), scope)  # noqa: S102: the file was written above
    return scope


def seconds(step):
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


def in_float32(module):
    forward = module.forward

    def wide(x):
        with torch.autocast("cpu", enabled=False):
            return forward(x.float())

    module.forward = wide


def ratios_under(scope):
    torch.manual_seed(1)
    model, by_hand, x = export_models.make("residual"), export_models.make("residual"), torch.randn(16, 3, 32, 32)
    for path in scope["REGIONS"]:
        in_float32(by_hand.get_submodule(path))

    def plain():
        by_hand.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):
            output = by_hand(x)
        output.float().square().mean().backward()

    def tuned():
        model.zero_grad()
        model(x).float().square().mean().backward()

    def with_policy():
        with scope["apply"](model):
            tuned()  # installing is not part of a step
            return seconds(tuned)

    ratios = []
    for _ in range(PAIRS):
        plain()
        before = seconds(plain)
        ratios.append(with_policy() / before)
    return sorted(ratios)


def lack():
    """Why this Python cannot measure; empty if it can."""
    if torch is None:
        return f"{sys.executable} has no PyTorch"
    return "" if torch.__version__.startswith("2.11.") else f"{sys.executable} has PyTorch {torch.__version__}, not 2.11"


def main():
    if lack():
        print(json.dumps({"bench": BENCH, "case": "residual", "state": "no-pytorch", "reason": lack() + ".",
                          "next": "Let BINADE_PYTHON name a Python with PyTorch 2.11."}))
        return NOT_MEASURED
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        for name, (policy, barred) in POLICIES.items():
            ratios = ratios_under(exported(sys.argv[1], folder, policy))
            value = round(statistics.median(ratios), 4)
            edge = round(len(ratios) / 2 - 0.98 * len(ratios) ** 0.5)  # as median_interval() of ratio.cpp
            figure = {"bench": BENCH, "case": f"residual, {name}", "value": value, "low": round(ratios[edge], 4),
                      "high": round(ratios[-1 - edge], 4), "unit": "ratio"}
            if barred:
                figure |= {"bar": 1.05, "better": "lower", "pass": value <= 1.05}
            print(json.dumps(figure), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
