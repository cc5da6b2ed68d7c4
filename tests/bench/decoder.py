#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Losses of a decoder of 3.3 million parameters on real text, trained in bfloat16, MXFP8 and NVFP4.

usage: decoder.py FOLDER    FOLDER has binade-engine; needs a Python with PyTorch 2.11 (run.py takes the one that
BINADE_PYTHON names). Prints one line of JSON for each training. Takes a quarter of an hour on one core: environment
variables BINADE_DECODER_STEPS and BINADE_DECODER_ONLY (numbers of cases, from 0, separated by commas) make it smaller.

The text is the licences of a Debian system and the language reference in Python's own help, as bytes. All trainings have
the same start, batches and schedule. One bfloat16 training starts from parameters that are moved by about one rounding
of float32: its difference from the other one is the noise. It is measured as a Try measures it: twice the root mean
square over ten blocks of steps.
"""
import glob
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time

try:
    import torch
except ImportError:
    torch = None

BENCH = "scaled.losses"
NOT_MEASURED = 77
STEPS = int(os.environ.get("BINADE_DECODER_STEPS", "500"))
WIDTH, HEADS, LAYERS, TOKENS, BATCH = 256, 4, 4, 64, 8
BLOCKS = 10
NEAREST = {"rounding": "nearest"}
# case -> recipe, changes of its rules, whether the parameters are moved
CASES = {
    "bfloat16": (None, {}, False),
    "mxfp8": ("mxfp8", {}, False),
    "nvfp4": ("nvfp4", {}, False),
    "nvfp4 without stochastic rounding": ("nvfp4", NEAREST, False),
    "bfloat16, parameters moved": (None, {}, True),
}

if torch is not None:

    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1 = torch.nn.LayerNorm(WIDTH)
            self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH)
            self.out = torch.nn.Linear(WIDTH, WIDTH)
            self.norm2 = torch.nn.LayerNorm(WIDTH)
            self.up = torch.nn.Linear(WIDTH, 4 * WIDTH)
            self.down = torch.nn.Linear(4 * WIDTH, WIDTH)
            self.heads = HEADS
            self.register_buffer("future", torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1))

        def forward(self, x):
            b, t, w = x.shape
            qkv = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, w // self.heads).permute(2, 0, 3, 1, 4)
            scores = torch.matmul(qkv[0], qkv[1].transpose(-2, -1)) * (w // self.heads) ** -0.5
            weights = torch.softmax(scores.masked_fill(self.future[:t, :t], -1e4), -1)
            x = x + self.out(torch.matmul(weights, qkv[2]).transpose(1, 2).reshape(b, t, w))
            return x + self.down(torch.nn.functional.gelu(self.up(self.norm2(x))))

    class Decoder(torch.nn.Module):
        """Predicts each next byte. Weights are drawn as those of GPT-2."""

        def __init__(self):
            super().__init__()
            self.tokens = torch.nn.Embedding(256, WIDTH)
            self.positions = torch.nn.Embedding(TOKENS, WIDTH)
            self.blocks = torch.nn.ModuleList(Block() for _ in range(LAYERS))
            self.norm = torch.nn.LayerNorm(WIDTH)
            self.head = torch.nn.Linear(WIDTH, 256)
            for name, parameter in self.named_parameters():
                if name.endswith("bias"):
                    torch.nn.init.zeros_(parameter)
                elif "norm" not in name:
                    deep = name.endswith(("out.weight", "down.weight"))
                    torch.nn.init.normal_(parameter, 0, 0.02 / (math.sqrt(2 * LAYERS) if deep else 1))

        def forward(self, x):
            y = self.tokens(x) + self.positions(torch.arange(x.shape[1], device=x.device))
            for block in self.blocks:
                y = block(y)
            return self.head(self.norm(y)).transpose(1, 2)


def text():
    """The licences and the language reference, each once."""
    parts = {}
    for path in sorted(glob.glob("/usr/share/common-licenses/*")):
        with open(path, "rb") as file:
            parts.setdefault(hashlib.sha256(file.read()).digest(), path)
    licences = []
    for path in parts.values():
        with open(path, "rb") as file:
            licences.append(file.read())
    import pydoc_data.topics
    reference = [pydoc_data.topics.topics[name].encode() for name in sorted(pydoc_data.topics.topics)]
    return b"\n".join(licences + reference)


def write_data(folder, content):
    """Windows of the text, each with the same moved on by one byte."""
    windows = (len(content) - 1) // TOKENS
    values = torch.tensor(list(content[: windows * TOKENS + 1]), dtype=torch.int64)
    tokens, targets = values[:-1].view(windows, TOKENS), values[1:].view(windows, TOKENS)
    torch.save({"tokens": tokens.clone(), "targets": targets.clone()}, os.path.join(folder, "text.pt"))


def write_models(folder):
    torch.manual_seed(1)
    model = Decoder()
    torch.jit.script(model).save(os.path.join(folder, "decoder.pt"))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1 + 2**-23)
    torch.jit.script(model).save(os.path.join(folder, "moved.pt"))
    return sum(parameter.numel() for parameter in model.parameters())


def policy_of(recipe, changes):
    """The policy as an object; the rules of the recipe are those that `binade_policy` files state."""
    policy = {"binade_policy": 1, "base": "cuda-amp", "low": "bfloat16"}
    if recipe is None:
        return policy
    products = {name: recipe for name in ("forward", "grad_input", "grad_weight")}
    if recipe == "nvfp4":
        products |= {"rounding": "stochastic", "transform": "hadamard"}
    return policy | {"sites": [{"match": "*aten::linear#*", "format": "bfloat16"} | products | changes]}


def train(engine, folder, case):
    recipe, changes, moved = CASES[case]
    description = {
        "binade_run": 1,
        "model": "moved.pt" if moved else "decoder.pt",
        "data": {"kind": "files", "files": ["text.pt"], "columns": {"x": {"from": "tokens"}},
                 "targets": {"next": {"from": "targets"}}, "test": 0.05},
        "loss": "cross_entropy",
        "optimizer": {"kind": "adamw", "learning_rate": 1e-3, "beta2": 0.95, "weight_decay": 0.1},
        "schedule": {"kind": "cosine", "warmup": STEPS // 10, "floor": 0.1},
        "clip": {"norm": 1},
        "scaler": {"enabled": False},
        "policy": policy_of(recipe, changes),
        "observe": {"level": "off"},
        "batch": BATCH, "steps": STEPS, "seed": 1,
    }
    path = os.path.join(folder, "decoder.run.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(description, file)
    losses, held_out = [], None
    start = time.monotonic()
    command = [engine, "train", path, "--json", "--run-file", "none"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "step":
                losses.append(float(event["loss"]))
            elif event["event"] == "evaluated":
                held_out = float(event["loss"])
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return losses, held_out, time.monotonic() - start


def mean(values):
    return sum(values) / len(values)


def noise(moved, base):
    """Twice the root mean square of the difference over blocks of steps."""
    size = max(1, len(base) // BLOCKS)
    gaps = [mean(moved[i:i + size]) - mean(base[i:i + size]) for i in range(0, len(base) - size + 1, size)]
    return 2 * math.sqrt(mean([gap * gap for gap in gaps]))


def main():
    if torch is None:
        print(json.dumps({"bench": BENCH, "state": "not measured", "reason": "this Python has no PyTorch",
                          "next": "Let BINADE_PYTHON name a Python with PyTorch 2.11."}))
        return NOT_MEASURED
    engine = os.path.join(os.path.abspath(sys.argv[1]), "binade-engine")
    chosen = os.environ.get("BINADE_DECODER_ONLY")
    names = list(CASES) if not chosen else [list(CASES)[int(number)] for number in chosen.split(",")]
    content = text()
    with tempfile.TemporaryDirectory() as folder:
        write_data(folder, content)
        print(json.dumps({"bench": BENCH, "case": "model and text", "parameters": write_models(folder),
                          "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(),
                          "steps": STEPS, "batch": BATCH, "tokens": TOKENS}), flush=True)
        base = None
        last = max(1, STEPS // 5)
        for name in names:
            losses, held_out, seconds = train(engine, folder, name)
            line = {"bench": BENCH, "case": name, "value": round(held_out, 5), "unit": "loss held out",
                    "last_loss": round(mean(losses[-last:]), 5), "largest_loss": round(max(losses), 4),
                    "seconds": round(seconds)}
            if base is None:
                base = losses, held_out
            else:
                line |= {"held_out_above_first": round(held_out - base[1], 5),
                         "last_above_first": round(mean(losses[-last:]) - mean(base[0][-last:]), 5),
                         "all_steps_above_first": round(mean(losses) - mean(base[0]), 5)}
                if CASES[name][2]:
                    line["noise"] = round(noise(losses, base[0]), 5)
            line["loss_every_50"] = [round(mean(losses[i:i + 50]), 4) for i in range(0, len(losses), 50)]
            print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
