#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The model of docs/scale.md: time of a step and traffic for 8 to 1,024 ranks, as Markdown tables.

usage: scale_model.py [FIGURES]    FIGURES is what `./dev bench ranks` prints. Without it, the tables have what the
links alone allow, and no row for Gloo.

A ring adds S bytes of N ranks in 2 (N - 1) messages of S / N bytes, one after the other:

    time(N, S) = 2 (N - 1) * latency + 2 (N - 1) / N * S / bandwidth
"""
import json
import math
import re
import sys

RANKS = (8, 64, 256, 1024)
# Bytes per second and direction, and seconds for a message, of the link of one rank. Sources: docs/scale.md.
LINKS = {
    "Ethernet, 10 Gbit/s": (1.25e9, 25e-6),
    "Ethernet, 100 Gbit/s": (12.5e9, 10e-6),
    "InfiniBand NDR, 400 Gbit/s": (50e9, 2e-6),
}
# Parameters; gradients are float32.
MODELS = {"ResNet-50": 25.6e6, "BERT-large": 340e6, "GPT-2 XL": 1.56e9}
EVERY = 32  # one step in so many is observed by default
RECORD = 100  # bytes of a tensor's statistics: 80 in the demo's run file (5,212 of 65 tensors), and the keys of CBOR
PER_CALL = 3.8  # tensors of an op call: 65 of 17 in the demo
TENSORS = {"ResNet-50": 176 * PER_CALL, "BERT-large": 510 * PER_CALL, "GPT-2 XL": 1060 * PER_CALL}  # op calls, counted
FACTS = 12 * 8  # bytes that a rank exchanges with all others in a step: engine/ranks/shared_training.cpp
DECODE = 100e6  # bytes of statistics that rank 0 decodes and merges in a second: assumed


def ring(ranks, size, bandwidth, latency):
    """Seconds to add `size` bytes of all ranks."""
    return 2 * (ranks - 1) * latency + 2 * (ranks - 1) / ranks * size / bandwidth


def exchange(ranks, size, bandwidth, latency):
    """Seconds until each rank has `size` bytes of every other one: a ring, too."""
    return (ranks - 1) * (latency + size / bandwidth)


def gather(ranks, size, bandwidth, latency):
    """Seconds until rank 0 has `size` bytes of every other rank, through its one link."""
    return latency + (ranks - 1) * size / bandwidth


def gloo(lines):
    """Bandwidth and latency of Gloo itself, from sums over 2 ranks of one computer; None without figures.

    For two ranks a ring takes 2 * latency + S / bandwidth.
    """
    times = {}
    for line in lines:
        figure = json.loads(line)
        found = re.fullmatch(r"sum of a bucket of ([\d.]+) MiB over 2 ranks", figure.get("case", ""))
        if found:
            times[float(found.group(1)) * 2**20] = figure["value"]
    if len(times) < 2:
        return None
    small, large = min(times), max(times)
    bandwidth = (large - small) / (times[large] - times[small])
    return bandwidth, max(0.0, (times[small] - small / bandwidth) / 2)


def seconds(value):
    for unit, factor in (("s", 1), ("ms", 1e3)):
        if value * factor >= 0.9995:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"


def table(title, rows):
    print(f"\n{title}\n\n| | " + " | ".join(f"{ranks:,} ranks" for ranks in RANKS) + " |")
    print("| --- |" + " --- |" * len(RANKS))
    for name, cells in rows:
        print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    links = dict(LINKS)
    if len(sys.argv) > 1:
        with open(sys.argv[1], encoding="utf-8") as file:
            measured = gloo(file)
        if measured:
            print(f"Gloo: {measured[0] / 1e9:.2f} GB/s, {seconds(measured[1])} a message")
            links["Gloo between two processes of one computer, measured"] = measured
    for model, parameters in MODELS.items():
        table(f"Sum of the gradients of {model} ({parameters * 4 / 1e6:,.0f} MB)",
              [(link, [seconds(ring(ranks, parameters * 4, *speed)) for ranks in RANKS])
               for link, speed in links.items()])
    table("What ranks agree on in each step",
          [(link, [seconds(exchange(ranks, FACTS, *speed)) for ranks in RANKS]) for link, speed in links.items()])
    for model, tensors in TENSORS.items():
        size = tensors * RECORD
        share = size / EVERY / (MODELS[model] * 4)
        table(f"Statistics of {model} in an observed step: {size / 1e3:,.0f} kB a rank, {100 * share:.2g} % of the "
              f"gradients over {EVERY} steps",
              [(f"to rank 0, {link}", [seconds(gather(ranks, size, *speed)) for ranks in RANKS])
               for link, speed in links.items()] +
              [("decoded on rank 0", [seconds((ranks - 1) * size / DECODE) for ranks in RANKS])])
    table("Wait for the slowest rank, as a share of the mean step",
          [(f"normal distribution, standard deviation {100 * spread:.0f} %",
            [f"{100 * spread * math.sqrt(2 * math.log(ranks)):.0f} %" for ranks in RANKS]) for spread in (0.01, 0.05)])


if __name__ == "__main__":
    main()
