# SPDX-License-Identifier: Apache-2.0
"""The same training in Python: DistributedDataParallel over Gloo, as PyTorch's documentation writes it. One process is
one rank; ranks.py starts them and sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT.

usage: ranks_ddp.py steps MODEL.pt INPUTS.npy LABELS.npy BATCH STEPS {float32|bfloat16}
       ranks_ddp.py buckets BYTES...

`steps` prints on rank 0 the seconds of each step, `buckets` the seconds of each all-reduce of so many bytes, as JSON.
BATCH is the batch of one rank.
"""
import json
import os
import sys
import time

import numpy
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

REPEATS = 60


def batches(inputs, labels, size):
    """Endless batches of this rank, in an order of its own in each epoch."""
    sampler = torch.utils.data.DistributedSampler(labels, shuffle=True, seed=1)
    for epoch in range(sys.maxsize):
        sampler.set_epoch(epoch)
        order = torch.tensor(list(sampler))
        for start in range(0, len(order) - size + 1, size):
            chosen = order[start:start + size]
            yield inputs[chosen], labels[chosen]


def steps(model, inputs, labels, size, count, precision):
    torch.manual_seed(1)
    net = DistributedDataParallel(torch.jit.load(model))
    net.train()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    data = batches(torch.from_numpy(numpy.load(inputs)), torch.from_numpy(numpy.load(labels)), size)
    seconds = []
    for _ in range(count):
        start = time.perf_counter()
        x, y = next(data)
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
            loss = torch.nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loss.item()
        seconds.append(time.perf_counter() - start)
    return seconds


def buckets(sizes):
    """{bytes: seconds of each all-reduce}; a barrier before each, so that no rank waits for another."""
    times = {}
    for size in sizes:
        tensor = torch.ones(size // 4)
        times[size] = []
        for i in range(REPEATS + 5):
            dist.barrier()
            start = time.perf_counter()
            dist.all_reduce(tensor)
            tensor /= dist.get_world_size()
            if i >= 5:
                times[size].append(time.perf_counter() - start)
    return times


def main():
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    dist.init_process_group("gloo")
    command, *words = sys.argv[1:]
    if command == "steps":
        model, inputs, labels, size, count, precision = words
        result = steps(model, inputs, labels, int(size), int(count), precision)
    else:
        result = buckets([int(word) for word in words])
    if dist.get_rank() == 0:
        print(json.dumps(result), flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
