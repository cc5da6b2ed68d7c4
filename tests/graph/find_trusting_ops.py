# SPDX-License-Identifier: Apache-2.0
#
# Finds ops that end the process, or do not end, for arguments that a model can give them. Takes the calls of
# resources/ops/trial_calls.jsonl to ops that op_safety.csv calls `computes`, puts extreme values into one argument at a
# time, and makes each call in a forked process. Prints the calls that a signal ended or that took too long, for ops
# that engine/graph/argument_checks.cpp does not check. Needs torch 2.11.0. Takes about half an hour.
#
#   python find_trusting_ops.py [--only NAME] [--seconds N]
import argparse, csv, json, os, re, resource, select, signal, sys, time, warnings
import torch

warnings.simplefilter("ignore")
torch.set_num_threads(1)
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
INTEGERS = [0, -1, 1, 1 << 31, (1 << 63) - 1, -(1 << 63), 10**12]
REALS = [0.0, -1.0, float("inf"), float("-inf"), float("nan"), -1e15 + 0.5, 1e300]
MOST_BYTES = 6 << 30


def tensor_of(description):
    (dtype, shape), = [(k, v) for k, v in description.items() if k != "data"]
    kind, data = getattr(torch, dtype), description.get("data")
    if data is None:
        count = 1
        for size in shape: count *= size
        values = torch.arange(count, dtype=torch.float64) / max(1, 2 * count) + 0.25
        return values.reshape(shape).to(kind)
    def number(x):
        if isinstance(x, str): return float(x)
        return complex(*x) if isinstance(x, list) else x
    if isinstance(data, list) and (not data or kind not in (torch.complex64, torch.complex128) or isinstance(data[0], list)):
        return torch.tensor([number(x) for x in data]).reshape(shape).to(kind)
    return torch.full(shape, number(data), dtype=kind)


def value_of(v):
    if isinstance(v, list): return [value_of(x) for x in v]
    if not isinstance(v, dict): return v
    if list(v) == ["dtype"]: return getattr(torch, v["dtype"])
    if list(v) == ["complex"]: return complex(*v["complex"])
    if list(v) == ["device"]: return torch.device(v["device"])
    return tensor_of(v)


def other_tensors(t):
    """Tensors that may stand in the place of `t`, each with its name."""
    yield "None", None
    yield "empty", torch.empty(0, dtype=t.dtype)
    yield "no dimensions", t.reshape(-1)[:1].sum().to(t.dtype) if t.numel() else torch.zeros((), dtype=t.dtype)
    for d in range(t.dim()):
        yield f"dimension {d} is 0", t.narrow(d, 0, 0)
        yield f"dimension {d} twice as long", torch.cat([t, t], d)
        if t.size(d) > 1: yield f"dimension {d} is 1", t.narrow(d, 0, 1)
    yield "one dimension more", t.unsqueeze(0)
    for dtype in (torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64):
        if dtype != t.dtype: yield str(dtype), t.to(dtype)
    yield "not contiguous", t.unsqueeze(-1).expand(*t.shape, 2)[..., 0]
    if t.dtype.is_floating_point:
        for x in REALS: yield f"all {x}", torch.full_like(t, x)
        yield "all -1e15 + 0.5 in float64", torch.full_like(t, -1e15 + 0.5, dtype=torch.float64)
    elif not t.dtype.is_complex and t.dtype != torch.bool:
        top = torch.iinfo(t.dtype)
        for x in {0, -1, 1, top.min, top.max, 10**6}:
            if top.min <= x <= top.max: yield f"all {x}", torch.full_like(t, x)


def others(v):
    """Values that may stand in the place of `v`, each with its name."""
    if isinstance(v, bool): yield str(not v), not v
    elif isinstance(v, int):
        for x in INTEGERS: yield str(x), x
    elif isinstance(v, float):
        for x in REALS: yield str(x), x
    elif isinstance(v, str): yield "''", ""
    elif isinstance(v, torch.Tensor): yield from other_tensors(v)
    elif isinstance(v, list):
        yield "[]", []
        for i, each in enumerate(v[:4]):
            for name, x in others(each): yield f"[{i}] {name}", v[:i] + [x] + v[i + 1:]
        if v and isinstance(v[0], int):
            for x in INTEGERS: yield f"all {x}", [x] * len(v)
        if v: yield "one more", v + v[-1:]
    elif v is None: pass


def changed(op, args, kwargs):
    """Calls that differ in one argument, each with its name. Only an optional argument may be None."""
    types = {a.name: str(a.type) for a in op._schema.arguments}
    for i, v in enumerate(args):
        for name, x in others(v):
            if x is None and not list(types.values())[i].startswith("Optional"): continue
            yield f"argument {i}: {name}", args[:i] + [x] + args[i + 1:], kwargs
    for k, v in kwargs.items():
        for name, x in others(v):
            if x is None and not types[k].startswith("Optional"): continue
            yield f"{k}: {name}", args, {**kwargs, k: x}


def overload_of(name):
    space, op = name.split("::")
    op, _, overload = op.partition(".")
    return getattr(getattr(getattr(torch.ops, space), op), overload or "default")


def child(call, first, out):
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1); os.dup2(null, 2)
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_BYTES, used + MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    op = overload_of(call["op"])
    args, kwargs = [value_of(v) for v in call.get("args", [])], {k: value_of(v) for k, v in call.get("kwargs", {}).items()}
    for n, (name, a, k) in enumerate(changed(op, args, kwargs)):
        if n < first: continue
        os.write(out, f"{n}\t{name}\n".encode())
        copies = lambda v: v.clone() if isinstance(v, torch.Tensor) and v.numel() < 10**6 else [copies(x) for x in v] if isinstance(v, list) else v
        try: op(*[copies(v) for v in a], **{key: copies(v) for key, v in k.items()})
        except Exception: pass
    os._exit(0)


def calls_that_die(call, seconds):
    first = 0
    while True:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            try: child(call, first, write)
            finally: os._exit(3)
        os.close(write)
        last, ended, rest = None, None, b""
        while True:
            if not select.select([read], [], [], seconds)[0]:
                ended = "does not end"; os.kill(pid, signal.SIGKILL); break
            data = os.read(read, 1 << 16)
            if not data: break
            rest += data
            *lines, rest = rest.split(b"\n")
            if lines: last = lines[-1].decode().split("\t")
        os.close(read)
        status = os.waitpid(pid, 0)[1]
        if ended is None and os.WIFSIGNALED(status): ended = signal.Signals(os.WTERMSIG(status)).name
        if ended is None or last is None: return
        yield last[1], ended
        first = int(last[0]) + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--checked", action="store_true", help="also print ops that argument_checks.cpp checks")
    options = parser.parse_args()
    with open(os.path.join(ROOT, "resources/ops/op_safety.csv")) as file:
        computes = {row["op"] for row in csv.DictReader(file) if row["safety"] == "computes"}
    with open(os.path.join(ROOT, "engine/graph/argument_checks.cpp")) as file:
        checked = set(re.findall(r'\{"(aten::\w+)"', file.read()))
    found = asked = 0
    with open(os.path.join(ROOT, "resources/ops/trial_calls.jsonl")) as file:
        for line in file:
            call = json.loads(line)
            op = call["op"].split(".")[0]
            if op not in computes or options.only not in call["op"] or "out" in call.get("kwargs", {}): continue
            if op in checked and not options.checked: continue
            asked += 1
            for name, ended in calls_that_die(call, options.seconds):
                found += 1
                print(call["op"], "|", name, "|", ended, flush=True)
    print(f"{found} calls of {asked} ops and overloads end the process or do not end")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
