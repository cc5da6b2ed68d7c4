#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Asks LibTorch which ops, kernels of their own, call ops of PyTorch's autocast lists while they run. Writes
# resources/ops/inner_calls.csv, what was found, and resources/ops/trial_calls.jsonl, calls that show it again:
# `binade-engine probe` makes them and compares.
#
#   gen_inner_calls.py op_dtypes.jsonl [FOLDER]       needs torch 2.11.0, numpy, expecttest; takes some minutes, no GPU
#
# Asked are the calls of op_dtypes.jsonl (gen_op_dtypes.py) and every call, also of ops inside ops, that the samples of
# torch.testing make. The last column of the table says whether CUDA runs the same kernel (shared) or one of its own, by
# PyTorch's native_functions.yaml.
import collections, contextlib, json, os, re, sys
import torchgen
from op_samples import *

rows = [json.loads(line) for line in open(sys.argv[1])]
folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../resources/ops")
SHORT_LINE = 4000
def dispatched(name):
    try: torch._C._dispatch_has_kernel_for_dispatch_key(name, "CPU")
    except RuntimeError: return False
    return True
KERNELS = {full(*k) for k, s in SCHEMAS.items() if dispatched(full(*k)) and not has(full(*k), "CompositeImplicitAutograd")
           and any("Tensor" in str(a.type) for a in s.arguments)}

# ---- a call as a line of JSON, and back: see resources/ops/README.md
NAMES = {v: k for k, v in DTYPES.items()}
def spread(n):
    return [0.25 + 0.5 * math.modf((i + 1) * 0.6180339887498949)[0] for i in range(n)]
def encoded_tensor(t, digits, drawn):
    check_encodable(t, NAMES)
    told = {NAMES[t.dtype]: list(t.shape)}
    t = t.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    if t.is_complex(): told["data"] = [[number(round(x, digits)) for x in pair] for pair in torch.view_as_real(t).double().tolist()]
    elif not t.is_floating_point(): told["data"] = [int(x) if t.dtype == torch.bool else x for x in t.tolist()]
    elif not drawn: told["data"] = [number(round(x, digits)) for x in t.double().tolist()]
    if len(told.get("data", [])) > 1 and not t.is_complex() and len(set(told["data"])) == 1: told["data"] = told["data"][:1]
    return told
def encoded(v, digits, drawn):
    if isinstance(v, torch.Tensor): return encoded_tensor(v, digits, drawn)
    if v is None or isinstance(v, (bool, str)): return v
    if isinstance(v, (int, torch.SymInt)): return int(v)
    if isinstance(v, float): return number(v)
    if isinstance(v, complex): return {"complex": [number(v.real), number(v.imag)]}
    if isinstance(v, torch.dtype):
        if v not in NAMES: raise Unfit()
        return {"dtype": NAMES[v]}
    if isinstance(v, torch.device):
        if v.type != "cpu": raise Unfit()
        return {"device": "cpu"}
    if isinstance(v, torch.memory_format): return MEMORY[v]
    if isinstance(v, torch.layout):
        if v != torch.strided: raise Unfit()
        return 0
    if isinstance(v, (list, tuple)): return [encoded(x, digits, drawn) for x in v]
    raise Unfit()
def decoded_tensor(told):
    (dtype, shape), = ((k, v) for k, v in told.items() if k != "data")
    n = math.prod(shape)
    if dtype.startswith("complex"):
        made = torch.tensor([complex(float(a), float(b)) for a, b in told["data"]], dtype=torch.complex128)
    else:
        data = told.get("data", spread(n))
        data = [float(x) if isinstance(x, str) else x for x in data]
        made = torch.tensor(data * n if len(data) == 1 and n != 1 else data, dtype=torch.float64)
    return made.to(DTYPES[dtype]).reshape(shape)
def decoded(v, s):
    if isinstance(v, dict):
        if "dtype" in v: return DTYPES[v["dtype"]]
        if "complex" in v: return complex(*map(float, v["complex"]))
        if "device" in v: return torch.device("cpu")
        return decoded_tensor(v)
    if isinstance(v, list): return [decoded(x, s) for x in v]
    if isinstance(v, int) and not isinstance(v, bool) and s.name == "memory_format": return BACK[v]
    if isinstance(v, int) and not isinstance(v, bool) and s.name == "layout": return torch.strided
    if v in ("inf", "-inf", "nan") and "str" not in str(s.type): return float(v)
    return v

# ---- a watch on every op: which listed ops arrive inside which
frames, known, keepers = [], collections.defaultdict(set), collections.defaultdict(list)
@contextlib.contextmanager
def frame(name, given):
    frames.append((name, set(), given))
    try: yield
    finally:
        _, inside, given = frames.pop()
        if name in KERNELS and inside - known[name]:
            known[name] |= inside
            if given is not None: keepers[name].append(given)
def noted(op, args, kwargs):
    name = full(op._schema.name, op._schema.overload_name)
    if name in LISTED:
        for other, inside, _ in frames:
            if other != name: inside.add(name[6:])
    given = None
    if name in KERNELS and len(keepers[name]) < 30 and elements(list(args) + list(kwargs.values())) <= MOST_ELEMENTS:
        try:
            given = ([snap(a) for a in args], {k: snap(v) for k, v in kwargs.items()})
        except Exception: pass
    return frame(name, given)
library = watch_ops(noted)
class FramedWatch(Watch):
    def __exit__(self, *error):
        super().__exit__(*error)
        frames.clear()
run_samples(5, FramedWatch, size_of=lambda sample: elements([sample.input] + list(sample.args)))
print(len([k for k, v in known.items() if v]), "kernels seen to call listed ops in the samples", file=sys.stderr, flush=True)

# ---- calls that show it again
def overload_of(name):
    op, _, overload = name[6:].partition(".")
    return getattr(getattr(torch.ops.aten, op), overload or "default")
def schema_of(name):
    op, _, overload = name.partition(".")
    return SCHEMAS[op, overload]
def shown(line):
    """The listed ops inside a call; None where it is refused."""
    name, found, ran = line["op"], set(), False
    schema = {s.name: s for s in schema_of(name).arguments}
    for grad in (False, True):
        args = [decoded(a, s) for a, s in zip(line["args"], schema_of(name).arguments)]
        kwargs = {k: decoded(v, schema[k]) for k, v in line.get("kwargs", {}).items()}
        if grad:
            for t in flat_tensors(args + list(kwargs.values())):
                if t.is_floating_point(): t.requires_grad_()
        before = known.pop(name, set())
        try:
            with FramedWatch(): overload_of(name)(*args, **kwargs)
            ran = True; found |= known[name]
        except TooLong: raise
        except Exception: pass
        finally: known[name] |= before
    return found if ran else None
def line_of(name, args, kwargs, digits, drawn):
    line = {"op": name, "args": [encoded(a, digits, drawn) for a in args]}
    while line["args"] and line["args"][-1] is None and schema_of(name).arguments[len(line["args"]) - 1].has_default_value(): line["args"].pop()
    kwargs = {k: encoded(v, digits, drawn) for k, v in kwargs.items() if v is not None}
    return line | ({"kwargs": kwargs} if kwargs else {})
def from_row(row):
    """The arguments of a row of op_dtypes.jsonl."""
    def tensor(t):
        if t is None: return None
        d = DTYPES[t["dtype"]]
        if "pairs" in t: return torch.view_as_complex(torch.tensor([float(x) for x in t["pairs"]], dtype=torch.float64).reshape(-1, 2)).to(d).reshape(t["shape"])
        n = math.prod(t["shape"])
        return torch.tensor([float(x) if isinstance(x, str) else x for x in t.get("data", [1] * n)], dtype=torch.float64).to(d).reshape(t["shape"])
    def value(told, s):
        (kind, v), = told.items()
        if kind == "tensor": return tensor(v)
        if kind in ("tensors", "opt_tensors"): return [tensor(t) for t in v]
        if kind == "none": return None
        if kind == "float": return float(v)
        if kind == "floats": return [float(x) for x in v]
        if kind == "complex": return complex(float(v[0]), float(v[1]))
        if kind == "scalar_type": return DTYPES[v]
        if kind == "device": return torch.device("cpu")
        return decoded(v, s)
    schema = schema_of(full(row["op"], row["overload"]))
    named = {s.name: s for s in schema.arguments}
    return [value(a, s) for a, s in zip(row["args"], schema.arguments)], {k: value(v, named[k]) for k, v in row["kwargs"].items()}

candidates = collections.defaultdict(list)
for row in rows:
    name = full(row["op"], row["overload"])
    if name not in KERNELS: continue
    try: candidates[name].append(from_row(row))
    except KeyError: pass  # a dtype that no line can have
for name, calls in keepers.items(): candidates[name] += calls
table, lines = collections.defaultdict(set), []
def try_all(name):
    calls = sorted(candidates[name], key=lambda c: elements(list(c[0]) + list(c[1].values())))
    wanted, ran = set(known[name]), False
    for args, kwargs in calls:
        best = None
        for digits, drawn in ((5, False), (1, False), (1, True)):
            try:
                line = line_of(name, args, kwargs, digits, drawn)
                got = shown(line)
            except TooLong: raise
            except Exception: break  # no line can have such arguments
            if got is None: continue
            new = got - table[name]
            if best is None or new >= best[1]: best = (line, new)
        if best is None or ran and not best[1]: continue
        if len(json.dumps(best[0])) > SHORT_LINE and ran: continue
        ran = True
        table[name] |= best[1]; lines.append(best[0])
    if ran and wanted - table[name]: print(name, "was seen to call", sorted(wanted - table[name]), "too: no call of its own shows it", file=sys.stderr)
    if not ran: table.pop(name, None)
for name in sorted(candidates): limited(60, lambda: try_all(name))

# ---- which kernel CUDA runs
own, delegate, origin = {}, {}, {}
yaml = open(os.path.join(os.path.dirname(torchgen.__file__), "packaged/ATen/native/native_functions.yaml")).read()
for block in re.split(r"\n(?=- func: )", yaml):
    func = re.match(r"- func: ([\w.]+)\(", block)
    if not func: continue
    name = "aten::" + func[1]
    keys = re.findall(r"^    ([\w, ]+): \w+", block, re.M)
    cpu = [k for k in keys if "CPU" in [x.strip() for x in k.split(",")]]
    cuda = [k for k in keys if "CUDA" in [x.strip() for x in k.split(",")]]
    own[name] = bool(cuda) and cpu != cuda or bool(cpu) and not cuda
    structured = re.search(r"structured_delegate: ([\w.]+)", block)
    if structured: delegate[name] = "aten::" + structured[1]
    autogen = re.search(r"autogen: (.*)", block)
    for made in re.findall(r"[\w.]+", autogen[1]) if autogen else []: origin["aten::" + made] = name
def is_own(name):
    name = origin.get(name, name)
    return own.get(delegate.get(name, name), False)

tried = {line["op"] for line in lines}
told = []
for name in KERNELS:
    if name in tried and not table[name]: continue
    called = " ".join(sorted(table[name])) if name in tried else "?"
    op, _, overload = name[6:].partition(".")
    told.append((op, overload, called, "own" if is_own(name) else "shared"))
with open(os.path.join(folder, "inner_calls.csv"), "w") as f:
    f.write("op,overload,calls,kernel_on_cuda\n")
    for line in sorted(set(told)): f.write(",".join(line) + "\n")
with open(os.path.join(folder, "trial_calls.jsonl"), "w") as f:
    for line in lines: f.write(json.dumps(line, separators=(",", ":")) + "\n")
print(len(told), "rows,", sum(l[2] == "?" for l in told), "of them not tried;", len(lines), "trial calls of", len(tried), "ops")
