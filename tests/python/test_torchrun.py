# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own torchrun starts the ranks of `binade-engine train`, and starts them again after one was killed."""
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from engine import lines

PATIENCE = 240  # seconds
PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "guide", "several-gpus.md")


def run_description(folder, steps, **more):
    path = os.path.join(folder, "run.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"binade_run": 1, "name": "by torchrun", "model": "sample:mlp", "batch": 8, "steps": steps, "seed": 1,
                   "policy": "all-float32", "data": {"kind": "synthetic", "inputs": ["float32[8,1,28,28]"]}, **more},
                  file)
    return path


def losses(objects):
    return {each["step"]: each["loss"] for each in objects if each["event"] == "step"}


def torchrun(folder, run, *options):
    """torchrun with two ranks. What they print goes to a file, `out`."""
    return started(folder, ["--standalone", "--no-python", "--nproc-per-node", "2", *options,
                            os.environ["BINADE_ENGINE"], "train", run])


def started(folder, words):
    command = [sys.executable, "-m", "torch.distributed.run", *words, "--run-file", "none", "--rank-timeout", "20",
               "--json"]
    with open(os.path.join(folder, "out"), "w", encoding="utf-8") as out, \
            open(os.path.join(folder, "err"), "w", encoding="utf-8") as err:
        return subprocess.Popen(command, stdout=out, stderr=err,
                                env={name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"})


def printed(folder):
    """The objects of whole lines."""
    with open(os.path.join(folder, "out"), encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.startswith("{") and line.endswith("}\n")]


def process_of_rank(rank, parent):
    """The process of a rank that torchrun has started; None: there is none."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                of = int(file.read().rpartition(")")[2].split()[1])
            with open(f"/proc/{entry}/environ", "rb") as file:
                variables = file.read().split(b"\0")
        except (OSError, ValueError, IndexError):
            continue
        if of == parent and b"RANK=%d" % rank in variables:
            return int(entry)
    return None


class Torchrun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def finish(self, process):
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)  # it ends its ranks
            process.wait(PATIENCE)
            code = None
        with open(os.path.join(self.folder, "err"), encoding="utf-8") as file:
            self.assertEqual(code, 0, file.read())

    def test_its_ranks_train_like_those_of_launch(self):
        run = run_description(self.folder, 8)
        launched = losses(lines("launch", run, "--ranks", "2", "--run-file", "none"))
        self.finish(torchrun(self.folder, run))
        self.assertEqual(losses(printed(self.folder)), launched)
        self.assertEqual(len(launched), 8)

    def test_the_commands_of_the_guide(self):
        """With two ranks, on this computer."""
        run = run_description(self.folder, 8)
        with open(PAGE, encoding="utf-8") as page:
            commands = [line.strip() for line in page if line.startswith("torchrun ")]
        self.assertEqual(len(commands), 2)
        instead = {"8": "2", "4": "1", "HOST:29500": "localhost:0", "RUN.json": run,
                   "binade-engine": os.environ["BINADE_ENGINE"]}
        for command in commands:
            with self.subTest(command):
                words = [instead.get(word, word) for word in shlex.split(command)[1:]]
                self.finish(started(self.folder, words))
                self.assertEqual(len(losses(printed(self.folder))), 8)

    def test_its_restart_continues_from_the_newest_checkpoint(self):
        whole = run_description(self.folder, 200)
        unbroken = losses(lines("launch", whole, "--ranks", "2", "--run-file", "none"))
        kept = os.path.join(self.folder, "kept")
        run = run_description(self.folder, 200, checkpoint={"folder": kept, "every": 10, "keep": 3})
        process = torchrun(self.folder, run, "--max-restarts", "1", "--monitor-interval", "0.2")
        end = time.monotonic() + PATIENCE
        while not (os.path.isdir(kept) and any(name.endswith(".safetensors") for name in os.listdir(kept))):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        rank = process_of_rank(1, process.pid)
        self.assertIsNotNone(rank)
        os.kill(rank, signal.SIGKILL)
        self.finish(process)
        objects = printed(self.folder)
        self.assertEqual(sum(each["event"] == "started" for each in objects), 2)
        self.assertEqual(losses(objects), unbroken)


if __name__ == "__main__":
    unittest.main()
