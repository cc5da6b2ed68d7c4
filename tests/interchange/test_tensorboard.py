#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads an exported run with TensorBoard's own reader.

Usage: test_tensorboard.py PROGRAM, where PROGRAM records the tests' run and exports it (write_run.cpp).
Exit code 77: skipped, because the package tensorboard is not installed.
"""

import math
import pathlib
import subprocess
import sys
import tempfile

try:
    from tensorboard.backend.event_processing import event_accumulator
    from tensorboard.util import tensor_util
except ImportError as error:
    print(f"SKIP: the Python package tensorboard is not installed ({error})")
    sys.exit(77)


def check(claim, holds):
    print(("PASS   : " if holds else "FAIL!  : ") + claim)
    return holds


def main():
    with tempfile.TemporaryDirectory() as folder:
        logs = pathlib.Path(folder) / "logs"
        subprocess.run([sys.argv[1], str(pathlib.Path(folder) / "run.binade"), str(logs)], check=True)
        reader = event_accumulator.EventAccumulator(str(logs), size_guidance={"tensors": 0, "scalars": 0, "histograms": 0})
        reader.Reload()
        tags = reader.Tags()
        losses = reader.Scalars("loss")
        texts = reader.Tensors("policy")
        histogram = reader.Histograms("gradients_log2/fc1.weight")[0].histogram_value
        events = tensor_util.make_ndarray(reader.Tensors("events/gradient_overflow")[0].tensor_proto)
        passed = [
            # The steps 4 and 5 were rewound: TensorBoard keeps those that ran afterwards.
            check("a rewound run has each step once", [each.step for each in losses] == list(range(8))),
            check("NaN stays", math.isnan(losses[3].value)),
            check("losses have their values", math.isclose(losses[0].value, 2 / 3, rel_tol=1e-7)),
            check("times grow by the step", abs(losses[1].wall_time - losses[0].wall_time - 0.25) < 1e-6),
            check("buckets are binades", list(histogram.bucket_limit) == [0, 1, 2, 3, 4]),
            check("buckets have counts", list(histogram.bucket) == [1, 2, 0, 0, 1]),
            check("the policy is a text", b"layer4.*" in tensor_util.make_ndarray(texts[0].tensor_proto)[0]),
            check("an event is a text", b"fc1.weight" in events[0]),
            check("histograms are found", tags["histograms"] == ["gradients_log2/fc1.weight"]),
        ]
        return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
