#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ranks: trainings on several ranks of this computer, over Gloo.

- a step on 2 ranks ÷ the same with Python's DistributedDataParallel (ranks_ddp.py), in float32 and under bfloat16
  autocast. Both train the same TorchScript model on the same files, one thread a rank. Needs a Python with PyTorch 2.11
  (BINADE_PYTHON);
- a step that observes by default ÷ one that observes nothing, and the bytes that this adds ÷ the gradients';
- the gradient of 2 and 4 ranks beside that of one process on the whole batch, and the merged histograms;
- the time of a sum over 2 ranks for each size of bucket, and the same in Python.

usage: ranks.py BIN [PART...]    BIN is the folder of built programs; prints one figure as JSON a line

PART is steps, observing, traffic, gradients or buckets; without one, all are measured, which takes an hour.

Runs of both programs alternate; a pair is the median step of one run ÷ that of the other.
"""
import array
import io
import json
import os
import random
import socket
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_MEASURED = 77
PYTHON = os.environ.get("BINADE_PYTHON")
STEPS, WARM_UP, PAIRS = 60, 10, 9
BATCH = 32  # of all ranks
EXAMPLES = 512
BUCKETS = [2**16, 2**20, 2**22, 25 * 2**20]


def say(case, value, unit="ratio", bar=None, values=(), better="lower", bench="ranks"):
    figure = {"bench": bench, "case": case, "value": float(f"{value:.4g}")}
    if values:
        ordered = sorted(values)
        edge = max(0, int(len(ordered) / 2 - 0.98 * len(ordered) ** 0.5))  # as median_interval() of ratio.cpp
        figure |= {"low": float(f"{ordered[edge]:.4g}"), "high": float(f"{ordered[-1 - edge]:.4g}")}
    figure["unit"] = unit
    if bar is not None:
        figure |= {"bar": bar, "better": better, "pass": value <= bar}
    print(json.dumps(figure), flush=True)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def as_ranks(count, command):
    """Runs a command as so many ranks; what rank 0 prints last, as JSON."""
    port, processes = str(free_port()), []
    for rank in range(count):
        variables = {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1",
                     "MASTER_PORT": port, "OMP_NUM_THREADS": "1", "TORCH_CPP_LOG_LEVEL": "ERROR",
                     "GLOO_SOCKET_IFNAME": "lo"}
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | variables))
    printed = [process.communicate(timeout=600)[0] for process in processes]
    if any(process.returncode != 0 for process in processes):
        sys.exit(f"{' '.join(command)} ended with {[process.returncode for process in processes]}")
    return json.loads(printed[0].strip().splitlines()[-1])


def write_npy(path, kind, shape, data):
    """An array of NumPy's format 1.0, of the standard library alone."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data.tobytes())


class Runs:
    """A folder with a model, data, and runs of the engine on them."""

    def __init__(self, programs, folder, sample, shape):
        self.engine, self.folder, self.made = os.path.join(programs, "binade-engine"), folder, 0
        self.model = os.path.join(folder, f"{sample}.pt")
        self.inputs, self.labels = os.path.join(folder, f"{sample}-x.npy"), os.path.join(folder, f"{sample}-y.npy")
        subprocess.run([self.engine, "sample", sample, "--out", self.model], check=True, stdout=subprocess.DEVNULL)
        seeded, size = random.Random(1), EXAMPLES
        for each in shape:
            size *= each
        write_npy(self.inputs, "<f4", [EXAMPLES, *shape], array.array("f", (seeded.gauss(0, 1) for _ in range(size))))
        write_npy(self.labels, "<i8", [EXAMPLES], array.array("q", (seeded.randrange(10) for _ in range(EXAMPLES))))

    @staticmethod
    def named(file):
        """The name that the engine gives to the array of a file."""
        return os.path.splitext(os.path.basename(file))[0]

    def description(self, **more):
        run = {"binade_run": 1, "name": "bench", "model": self.model, "steps": STEPS, "batch": BATCH, "seed": 1,
               "data": {"kind": "files", "files": [self.inputs, self.labels], "test": 0,
                        "columns": {"x": {"from": self.named(self.inputs)}},
                        "targets": {"label": {"from": self.named(self.labels)}}},
               "loss": "cross_entropy", "optimizer": {"kind": "sgd", "learning_rate": 0.01, "momentum": 0.9},
               "scaler": {"enabled": False}, "policy": {"binade_policy": 1, "base": "all-float32"},
               "observe": {"level": "off"}, **more}
        self.made += 1
        path = os.path.join(self.folder, f"{self.made}.run.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(run, file)
        return path

    def train(self, ranks, **more):
        """Trains; the run file."""
        run, record = self.description(**more), os.path.join(self.folder, f"{self.made}.binade")
        command = [self.engine, "launch", "--ranks", str(ranks)] if ranks > 1 else [self.engine, "train"]
        ended = subprocess.run([*command, run, "--run-file", record], capture_output=True, text=True, check=False,
                               env=os.environ | {"OMP_NUM_THREADS": "1"})
        if ended.returncode != 0:
            sys.exit(f"{' '.join(command)} {run} ended with {ended.returncode}: {ended.stderr}")
        return record

    def median_step(self, ranks, **more):
        with sqlite3.connect(self.train(ranks, **more)) as file:
            seconds = [row[0] for row in file.execute("SELECT seconds FROM steps ORDER BY step")]
        return statistics.median(seconds[WARM_UP:])


def steps_beside_ddp(runs):
    lacks = lack()
    for precision, base in (("float32", "all-float32"), ("bfloat16", "cpu-amp")):
        case = f"resnet {precision}: a step on 2 ranks / with Python's DistributedDataParallel"
        if lacks:
            print(json.dumps({"bench": "ranks", "case": case, "state": "no-pytorch", "reason": lacks + ".",
                              "next": "Let BINADE_PYTHON name a Python with PyTorch 2.11."}), flush=True)
            continue
        policy = {"binade_policy": 1, "base": base, **({"low": "bfloat16"} if base == "cpu-amp" else {})}
        python = [PYTHON, f"{HERE}/ranks_ddp.py", "steps", runs.model, runs.inputs, runs.labels, str(BATCH // 2),
                  str(STEPS), precision]
        ratios = []
        for pair in range(PAIRS):
            def ours():
                return runs.median_step(2, policy=policy)

            def theirs():
                return statistics.median(as_ranks(2, python)[WARM_UP:])
            first, second = (ours(), theirs()) if pair % 2 == 0 else reversed((theirs(), ours()))
            ratios.append(first / second)
        say(case, statistics.median(ratios), bar=1.02, values=ratios)
    return NOT_MEASURED if lacks else 0


def lack():
    """Why Python's part cannot be measured; empty if it can."""
    if not PYTHON:
        return "BINADE_PYTHON is not set"
    asked = subprocess.run([PYTHON, "-c", "import numpy, torch; print(torch.__version__)"], capture_output=True,
                           text=True, check=False)
    if asked.returncode != 0:
        return f"{PYTHON} has no PyTorch with NumPy"
    version = asked.stdout.strip()
    return "" if version.startswith("2.11.") else f"{PYTHON} has PyTorch {version}, not 2.11"


def observing(runs):
    ratios = []
    for pair in range(PAIRS):
        def with_it():
            return mean_step(runs.train(2, observe={}, steps=8 * 32))

        def without():
            return mean_step(runs.train(2, steps=8 * 32))
        first, second = (with_it(), without()) if pair % 2 == 0 else reversed((without(), with_it()))
        ratios.append(first / second)
    say("resnet float32: a step on 2 ranks that observes by default / that observes nothing", statistics.median(ratios),
        bar=1.02, values=ratios)


def traffic(runs, programs):
    def sent(**more):
        run = runs.description(steps=64, **more)
        return as_ranks(2, [os.path.join(programs, "bench_ranks"), "traffic", run])
    bare, observed = sent(), sent(observe={})
    gradients = observed["gradients"]
    steps = observed["steps"]
    most = max(with_it - without for with_it, without in zip(observed["sent"], bare["sent"])) / steps
    say("resnet: bytes that a rank sends for observing by default in a step / bytes of its gradients", most / gradients,
        bar=0.01)
    say("resnet: bytes that a rank sends beside gradients in a step, observing nothing", max(bare["sent"]) / steps, "B")
    say("resnet: bytes of gradients in a step", gradients, "B")


def mean_step(record):
    """The mean, because one step in 32 is observed. Without the slowest 2 %, which are the machine's."""
    with sqlite3.connect(record) as file:
        seconds = sorted(row[0] for row in file.execute("SELECT seconds FROM steps WHERE step >= 32"))
    return statistics.fmean(seconds[:len(seconds) - len(seconds) // 50])


def tensors_of(path):
    """{name: float32 values} of a safetensors file."""
    with open(path, "rb") as file:
        head = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    found = {}
    for name, entry in head.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            found[name] = array.array("f", data[start:end])
    return found


def first_gradients(runs, ranks):
    """The gradients of the first step, which SGD's momentum is then, and the counts of its tensors."""
    folder = os.path.join(runs.folder, f"checkpoints-{ranks}")
    record = runs.train(ranks, steps=1, checkpoint={"folder": folder}, batch_norm="synchronised",
                        observe={"level": "what-if", "every": 1, "measure_cost": False, "inputs": True})
    files = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".safetensors")]
    momentum = {name: values for name, values in tensors_of(files[0]).items() if name.startswith("optimizer.")}
    return momentum, counts_of(record)


def counts_of(record):
    """{tensor: (number of values, histogram)} of the first step; the layout is that of docs/run-file.md."""
    with sqlite3.connect(record) as file:
        packed, = file.execute("SELECT packed FROM stats ORDER BY seq").fetchone()
        names = {row[0]: row[1:] for row in file.execute("SELECT id, site, kind, argument FROM tensors")}
    data, counts = io.BytesIO(zlib.decompress(packed)), {}

    def varint():
        byte = data.read(1)[0]
        return byte if byte < 128 else byte - 128 + 128 * varint()
    while head := data.read(10):
        tensor, length = struct.unpack("<II2x", head)
        end = data.tell() + length - 2
        totals = tuple(varint() for _ in range(7))
        _, _, _, first, binades = struct.unpack("<ffdHH", data.read(20))
        counts[names[tensor]] = (totals[0], (totals, first, tuple(varint() for _ in range(binades))))
        data.seek(end)
    return counts


def gradients(runs, sample):
    alone, counted = first_gradients(runs, 1)
    for ranks in (2, 4):
        together, merged = first_gradients(runs, ranks)
        squares = {name: sum(value * value for value in values) for name, values in alone.items()}
        apart = {name: sum((a - b) ** 2 for a, b in zip(values, together[name])) for name, values in alone.items()}
        case = f"{sample} float32, {ranks} ranks beside one process on the whole batch: "
        whole = sum(squares.values())
        say(case + "difference of the gradient", (sum(apart.values()) / whole) ** 0.5, "relative", bar=1e-6)
        # The gradient of a bias before a batch norm is 0 but for rounding, and a share of that says nothing.
        worst = max(apart[name] / square for name, square in squares.items() if square > 1e-10 * whole) ** 0.5
        say(case + "largest difference of a parameter's gradient", worst, "relative")
        pairs = [(each, merged.get(tensor, (0, ()))) for tensor, each in counted.items()]
        # Each rank has a loss, and a gradient of each weight, of its own; the sum over the ranks counts all of them.
        other = sum(b[0] not in (a[0], ranks * a[0]) for a, b in pairs)
        say(case + "tensors with another number of values", other, "tensors", bar=0)
        shared = [(a[1], b[1]) for a, b in pairs if a[0] == b[0]]
        say(case + f"of {len(shared)} histograms of tensors that the ranks share, those that differ",
            sum(a != b for a, b in shared), "tensors")


def bucket_times(programs):
    sizes = [str(size) for size in BUCKETS]
    ours = as_ranks(2, [os.path.join(programs, "bench_ranks"), "buckets", *sizes])
    theirs = {} if lack() else as_ranks(2, [PYTHON, f"{HERE}/ranks_ddp.py", "buckets", *sizes])
    for size in sizes:
        for who, seconds in (("", ours), (", in Python", theirs)):
            if size in seconds:
                case = f"sum of a bucket of {int(size) / 2**20:g} MiB over 2 ranks{who}"
                say(case, statistics.median(seconds[size]), "s", values=seconds[size])


def main():
    programs, *parts = sys.argv[1:]
    state = 0
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(programs, folder, "resnet", (3, 32, 32))
        if not parts or "steps" in parts:
            state = steps_beside_ddp(runs)
        if not parts or "observing" in parts:
            observing(runs)
        if not parts or "traffic" in parts:
            traffic(runs, programs)
        if not parts or "gradients" in parts:
            gradients(Runs(programs, folder, "cnn", (1, 28, 28)), "cnn")
        if not parts or "buckets" in parts:
            bucket_times(programs)
    return state


if __name__ == "__main__":
    sys.exit(main())
