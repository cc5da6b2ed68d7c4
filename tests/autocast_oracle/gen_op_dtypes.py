#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Writes tests/data/autocast/op_dtypes.jsonl.zst: what dtype PyTorch's autocast gives the results of every op of
# LibTorch that computes on floats. One JSON object a line, one call each: op, overload, args, kwargs (payloads as in
# autocast_oracle.jsonl), `inner` (listed ops that arrived while the op ran) and `cases`.
#
#   gen_op_dtypes.py [OUT.jsonl]       needs torch 2.11.0, numpy, expecttest; takes some minutes, no GPU; then: zstd -19
#
# Calls come from the samples of torch.testing (op_db, module_db): a fallback on an autocast key that no backend uses
# notes every op that goes by, also those that ops call inside. Overloads that no sample reaches get the arguments of
# their siblings by name. A case is {device, low, in, ok, out?}: `device` cpu was run; cuda is FakeTensors, which know
# dtypes and no kernels, so that what a CUDA kernel calls inside is not cast there: see `inner`.
import collections, contextlib, json, sys, time
from torch._subclasses.fake_tensor import FakeTensorMode
from op_samples import *

OUT = sys.argv[1] if len(sys.argv) > 1 else "op_dtypes.jsonl"
MOST_CALLS = 3

# ---- a watch on every op
calls = collections.OrderedDict()
watching, seen_inside = [True], [None]
def signature(v):
    if isinstance(v, torch.Tensor): return (v.dim(), v.is_floating_point(), v.is_complex())
    if isinstance(v, (list, tuple)): return (len(v) if v and not isinstance(v[0], torch.Tensor) else 0,) + tuple(signature(x) for x in v[:3])
    return v if isinstance(v, (bool, str, type(None))) else type(v).__name__
def noted(op, args, kwargs):
    name = (op._schema.name, op._schema.overload_name)
    if seen_inside[0] is not None and full(*name) in LISTED: seen_inside[0].add(full(*name))
    if watching[0] and name[0].startswith("aten::"):
        known = calls.setdefault(name, collections.OrderedDict())
        if len(known) < 40:
            try:
                s = (signature(args), signature(tuple(kwargs.values())))
                if s not in known: known[s] = ([snap(a) for a in args], {k: snap(v) for k, v in kwargs.items()})
            except Exception: pass
    return contextlib.nullcontext()
library = watch_ops(noted)
start = time.time()
run_samples(3, of_op=12, of_module=8)
watching[0] = False
print(f"{len(calls)} overloads met in {time.time() - start:.0f} s", file=sys.stderr, flush=True)

# ---- payloads: a value as JSON, and back
DTYPES |= {n: getattr(torch, n) for n in "complex32 float8_e4m3fn float8_e5m2 uint16 uint32 uint64".split()}
NAMES = {v: k for k, v in DTYPES.items()}
def tensor_payload(t, digits):
    check_encodable(t, NAMES)
    told = {"dtype": NAMES[t.dtype], "shape": list(t.shape)}
    flat = t.detach().reshape(-1)
    if t.is_floating_point(): told["data"] = [number(round(float(x), digits)) for x in flat.double().tolist()]
    else: told["data"] = flat.tolist()
    if all(x == 1 for x in told["data"]): del told["data"]
    return told
def payload(v, digits):
    if isinstance(v, torch.Tensor):
        if v.is_complex():
            if v.layout != torch.strided or v.numel() > MOST_ELEMENTS: raise Unfit()
            flat = torch.view_as_real(v.detach().resolve_conj().resolve_neg().contiguous()).double().reshape(-1).tolist()
            return {"tensor": {"dtype": NAMES[v.dtype], "shape": list(v.shape), "pairs": [number(round(x, digits)) for x in flat]}}
        return {"tensor": tensor_payload(v, digits)}
    if v is None: return {"none": True}
    if isinstance(v, bool): return {"bool": v}
    if isinstance(v, (torch.SymInt,)): return {"int": int(v)}
    if isinstance(v, int): return {"int": v}
    if isinstance(v, float): return {"float": number(v)}
    if isinstance(v, complex): return {"complex": [number(v.real), number(v.imag)]}
    if isinstance(v, str): return {"str": v}
    if isinstance(v, torch.dtype):
        if v not in NAMES: raise Unfit()
        return {"scalar_type": NAMES[v]}
    if isinstance(v, torch.device):
        if v.type != "cpu": raise Unfit()
        return {"device": "cpu"}
    if isinstance(v, torch.memory_format): return {"int": MEMORY[v]}
    if isinstance(v, torch.layout):
        if v != torch.strided: raise Unfit()
        return {"int": 0}
    if isinstance(v, (list, tuple)):
        if any(isinstance(x, torch.Tensor) for x in v):
            if any(x is None for x in v): return {"opt_tensors": [None if x is None else payload(x, digits)["tensor"] for x in v]}
            return {"tensors": [payload(x, digits)["tensor"] for x in v]}
        if all(isinstance(x, bool) for x in v) and v: return {"bools": list(v)}
        if all(isinstance(x, (int, torch.SymInt)) for x in v): return {"ints": [int(x) for x in v]}
        if all(isinstance(x, (int, float)) for x in v): return {"floats": [number(float(x)) for x in v]}
    raise Unfit()
def make(told, dtype, device=None):
    def tensor(t):
        if t is None: return None
        d = DTYPES[t["dtype"]]
        if "pairs" in t: made = torch.view_as_complex(torch.tensor([float(x) for x in t["pairs"]], dtype=torch.float64).reshape(-1, 2)).to(d).reshape(t["shape"])
        else:
            n = math.prod(t["shape"])
            data = [float(x) if isinstance(x, str) else x for x in t.get("data", [1] * n)]
            made = torch.tensor(data, dtype=torch.float64 if d.is_floating_point else d).to(d).reshape(t["shape"])
        if dtype is not None and d == torch.float32: made = made.to(dtype)
        return made if device is None else made.to(device)
    (kind, v), = told.items()
    if kind == "tensor": return tensor(v)
    if kind in ("tensors", "opt_tensors"): return [tensor(t) for t in v]
    if kind == "none": return None
    if kind == "float": return float(v)
    if kind == "floats": return [float(x) for x in v]
    if kind == "complex": return complex(float(v[0]), float(v[1]))
    if kind == "scalar_type": return DTYPES[v]
    if kind == "device": return torch.device(device or "cpu")
    return v

# ---- calls of one overload
def overload_of(name): return getattr(getattr(torch.ops.aten, name[0][6:]), name[1] or "default")
def arguments_of(row, dtype, device=None):
    args = [make(a, dtype, device) for a in row["args"]]
    kwargs = {k: make(v, dtype, device) for k, v in row["kwargs"].items()}
    for s, i in zip(SCHEMAS[row["op"], row["overload"]].arguments, range(len(args))): args[i] = restored(args[i], s)
    for s in SCHEMAS[row["op"], row["overload"]].arguments:
        if s.name in kwargs: kwargs[s.name] = restored(kwargs[s.name], s)
    return args, kwargs
def restored(v, s):
    text = str(s.type)
    if isinstance(v, int) and not isinstance(v, bool):
        if s.name == "memory_format": return BACK[v]
        if s.name == "layout": return torch.strided
    return v
def outcome(row, dtype, context):
    try:
        args, kwargs = arguments_of(row, dtype)
        with context: out = overload_of((row["op"], row["overload"]))(*args, **kwargs)
        return {"ok": True, "out": [NAMES.get(t.dtype, "?") for t in flat_tensors(out)]}
    except TooLong: raise
    except Exception as e: return {"ok": False, "error": type(e).__name__}
def outcome_on_cuda(row, dtype, low):
    try:
        with FakeTensorMode(allow_non_fake_inputs=True):
            args, kwargs = arguments_of(row, dtype, "cuda")
            guard = torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.AutocastCUDA)
            enabled, before = torch.is_autocast_enabled("cuda"), torch.get_autocast_dtype("cuda")
            torch.set_autocast_enabled("cuda", True); torch.set_autocast_dtype("cuda", low); torch.autocast_increment_nesting()
            try: out = overload_of((row["op"], row["overload"]))(*args, **kwargs)
            finally:
                if torch.autocast_decrement_nesting() == 0: torch.clear_autocast_cache()
                torch.set_autocast_enabled("cuda", enabled); torch.set_autocast_dtype("cuda", before)
        return {"ok": True, "out": [NAMES.get(t.dtype, "?") for t in flat_tensors(out)]}
    except TooLong: raise
    except Exception as e:
        return {"ok": False, "error": type(e).__name__}
def inside(row):
    found = set()
    for grad in (False, True):
        args, kwargs = arguments_of(row, None)
        if grad:
            for t in flat_tensors(args + list(kwargs.values())):
                if t.is_floating_point(): t.requires_grad_()
        seen_inside[0] = set()
        try:
            with Watch(): overload_of((row["op"], row["overload"]))(*args, **kwargs)
        except TooLong: raise
        except Exception: pass
        finally: got, seen_inside[0] = seen_inside[0], None
        found |= got
    found.discard(full(row["op"], row["overload"]))
    return sorted(found)
def coerced(v, s):
    kind = str(s.type)
    if kind == "Tensor" and isinstance(v, (int, float, bool)): return torch.tensor(float(v))
    if kind in ("number", "Optional[number]") and isinstance(v, torch.Tensor): return 1.5 if v.is_floating_point() else 1
    if kind in ("float", "Optional[float]") and isinstance(v, (int, torch.Tensor)): return float(v) if isinstance(v, int) or v.numel() == 1 else 1.5
    if kind in ("int", "Optional[int]") and isinstance(v, (list, tuple)) and v and isinstance(v[0], int): return v[0]
    if kind in ("List[int]", "Optional[List[int]]") and isinstance(v, int) and not isinstance(v, bool): return [v]
    return v
def by_name(name, call):
    s = SCHEMAS[name]
    return {a.name: v for a, v in zip(s.arguments, call[0])} | dict(call[1])
def sibling(target, source, call):
    given, schema, args, kwargs = by_name(source, call), SCHEMAS[target], [], {}
    results = None
    for a in schema.arguments:
        if a.name in given: v = coerced(given[a.name], a)
        elif a.kwarg_only and a.alias_info is not None and a.alias_info.is_write:
            if results is None:
                real = overload_of(source)(*[snap(x) for x in call[0]], **{k: snap(x) for k, x in call[1].items()})
                results = [torch.zeros_like(t) for t in flat_tensors(real)]
            if str(a.type) == "List[Tensor]": v = results
            else:
                if not results: raise Unfit()
                v = results.pop(0)
        elif a.has_default_value(): continue
        elif str(a.type).startswith("Optional"): v = None
        else: raise Unfit()
        if a.kwarg_only: kwargs[a.name] = v
        else:
            if len(args) != [x.name for x in schema.arguments].index(a.name): kwargs[a.name] = v
            else: args.append(v)
    return args, kwargs
def family(op): return op[6:].rstrip("_") if not op.endswith("__") else op[6:]

def types_of(name): return tuple(str(a.type) for a in SCHEMAS[name].arguments if not a.has_default_value())
# Calls that no sample makes.
def rand(*shape): return torch.rand(shape) / 2 + 0.25
def whole(*values): return torch.tensor(values)
def recurrent(gates, layers=1): return [rand(gates * 4, 4), rand(gates * 4, 4), rand(gates * 4), rand(gates * 4)] * layers
EXTRA = {
    "affine_grid_generator": [(rand(2, 2, 3), [2, 1, 4, 4], False), (rand(2, 3, 4), [2, 1, 2, 2, 2], True)],
    "_euclidean_dist": [(rand(3, 4), rand(5, 4))], "_cdist_forward": [(rand(3, 4), rand(5, 4), 2.0, None), (rand(30, 4), rand(30, 4), 2.0, 1)],
    "_trilinear": [(rand(2, 1, 3), rand(2, 3, 1), rand(2, 3, 3), [], [], [], [1])],
    "rnn_tanh.input": [(rand(3, 2, 4), rand(1, 2, 4), recurrent(1), True, 1, 0.0, False, False, False)],
    "rnn_relu.input": [(rand(3, 2, 4), rand(1, 2, 4), recurrent(1), True, 1, 0.0, False, False, False)],
    "gru.input": [(rand(3, 2, 4), rand(1, 2, 4), recurrent(3), True, 1, 0.0, False, False, False)],
    "lstm.input": [(rand(3, 2, 4), [rand(1, 2, 4), rand(1, 2, 4)], recurrent(4), True, 1, 0.0, False, False, False),
                   (rand(3, 2, 4), [rand(1, 2, 4), rand(1, 2, 4)], recurrent(4), True, 1, 0.0, True, False, False)],
    "rnn_tanh.data": [(rand(5, 4), whole(2, 2, 1), rand(1, 2, 4), recurrent(1), True, 1, 0.0, False, False)],
    "rnn_relu.data": [(rand(5, 4), whole(2, 2, 1), rand(1, 2, 4), recurrent(1), True, 1, 0.0, False, False)],
    "gru.data": [(rand(5, 4), whole(2, 2, 1), rand(1, 2, 4), recurrent(3), True, 1, 0.0, False, False)],
    "lstm.data": [(rand(5, 4), whole(2, 2, 1), [rand(1, 2, 4), rand(1, 2, 4)], recurrent(4), True, 1, 0.0, False, False)],
    "istft": [(torch.randn(5, 6, dtype=torch.complex64), 8, None, None, torch.ones(8))],
    "vander": [(rand(4), None, False)], "linalg_vander": [(rand(4),)], "pad_sequence": [([rand(3, 2), rand(2, 2)],)],
    "_masked_softmax": [(rand(2, 2, 4, 4), torch.zeros(4, 4, dtype=torch.bool), None, 0)],
    "_compute_linear_combination": [(rand(3, 4), rand(2, 3))], "_weight_norm": [(rand(4, 3), rand(4, 1))],
    "_weight_norm_interface": [(rand(4, 3), rand(4, 1))], "norm_except_dim": [(rand(4, 3),)], "native_norm": [(rand(4), 2)],
    "_batch_norm_with_update": [(rand(2, 3, 4), rand(3), rand(3), rand(3), rand(3), 0.1, 1e-5)],
    "_batch_norm_no_update": [(rand(2, 3, 4), rand(3), rand(3), rand(3), rand(3), 0.1, 1e-5)],
    "_native_batch_norm_legit_no_training": [(rand(2, 3, 4), rand(3), rand(3), rand(3), rand(3), 0.1, 1e-5)],
    "_native_batch_norm_legit_functional": [(rand(2, 3, 4), rand(3), rand(3), rand(3), rand(3), True, 0.1, 1e-5)],
    "_batch_norm_with_update_functional": [(rand(2, 3, 4), rand(3), rand(3), rand(3), rand(3), 0.1, 1e-5)],
    "_ctc_loss": [(torch.log_softmax(rand(5, 2, 4), 2), whole([1, 2], [2, 3]), [5, 5], [2, 2])],
    "_ctc_loss.Tensor": [(torch.log_softmax(rand(5, 2, 4), 2), whole([1, 2], [2, 3]), whole(5, 5), whole(2, 2))],
    "where.Scalar": [(whole(True, False), 1.5, 2.5)], "where.ScalarSelf": [(whole(True, False), 1.5, rand(2))],
    "_upsample_nearest_exact3d": [(rand(1, 1, 2, 2, 2), [4, 4, 4])], "to.other": [(rand(3), rand(2))],
    "_grid_sampler_2d_cpu_fallback": [(rand(1, 1, 4, 4), rand(1, 2, 2, 2), 0, 0, False)], "_nnpack_spatial_convolution": [(rand(1, 1, 4, 4), rand(1, 1, 3, 3), None, [0, 0])],
    "_linalg_check_errors": [(torch.tensor(0, dtype=torch.int32), "linalg.inv")], "view.dtype": [(rand(4), torch.int32)],
    "glu_jvp": [(rand(2), rand(4), rand(4), 0)], "_add_relu.Tensor": [(rand(3), rand(3))], "_dirichlet_grad": [(rand(3), rand(3), rand(3))],
    "_standard_gamma": [(rand(3),)], "_standard_gamma_grad": [(rand(3), rand(3))], "_sample_dirichlet": [(rand(3),)], "poisson": [(rand(3),)], "binomial": [(rand(3) + 2, rand(3))],
    "batch_norm_elemt": [(rand(2, 3, 4), rand(3), rand(3), rand(3), rand(3), 1e-5)], "fill_diagonal_": [(rand(3, 3), 1.0)], "_masked_scale": [(rand(3), torch.ones(3, dtype=torch.uint8), 2.0)],
    "native_channel_shuffle": [(rand(1, 4, 2, 2), 2)], "channel_shuffle": [(rand(1, 4, 2, 2), 2)], "unique_dim": [(rand(3, 2), 0)], "unique_dim_consecutive": [(rand(3, 2), 0)],
    "col2im": [(rand(1, 4, 4), [4, 4], [2, 2], [1, 1], [0, 0], [2, 2])], "slice_scatter": [(rand(4), rand(2), 0, 0, 2)], "slice_inverse": [(rand(2), rand(4), 0, 0, 2)],
    "einsum.sublist": [], "linalg_norm.ord_str": [(rand(3, 3), "fro")], "linalg__powsum": [(rand(3), 2)], "_scaled_dot_product_attention_math": [(rand(1, 1, 4, 8), rand(1, 1, 4, 8), rand(1, 1, 4, 8))],
    "_transformer_encoder_layer_fwd": [(rand(2, 3, 8), 8, 2, rand(24, 8), rand(24), rand(8, 8), rand(8), False, False, 1e-5, rand(8), rand(8), rand(8), rand(8), rand(16, 8), rand(16), rand(8, 16), rand(8))],
    "_native_multi_head_attention": [(rand(1, 2, 4), rand(1, 2, 4), rand(1, 2, 4), 4, 2, rand(12, 4), rand(12), rand(4, 4), rand(4))],
    "mkldnn_rnn_layer": [(rand(2, 1, 3), rand(8, 3), rand(8, 2), rand(8), rand(8), rand(1, 2), rand(1, 2), False, [], 2, 2, 1, True, False, False, False)],
    "repeat_interleave.Tensor": [(whole(1, 2),)], "_int_mm": [], "_pdist_forward": [(rand(4, 3), 2.0)], "_aminmax": [(rand(3),)], "rename": [], "swapaxes": [(rand(3, 2), 0, 1)], "swapdims": [(rand(3, 2), 0, 1)],
    "matrix_power": [(rand(3, 3), 2)], "frobenius_norm.dim": [(rand(3, 3), [0, 1])], "row_stack": [([rand(2, 2), rand(2, 2)],)], "concat": [([rand(2, 2), rand(2, 2)],)], "concatenate": [([rand(2, 2), rand(2, 2)],)],
    "special_log_softmax": [(rand(3, 3), 0)], "special_softmax": [(rand(3, 3), 0)], "special_logsumexp": [(rand(3, 3), [0])], "special_multigammaln": [(rand(3) + 2, 2)], "one_hot": [], "moveaxis.int": [(rand(3, 2), 0, 1)],
    "unsafe_split_with_sizes": [(rand(4), [2, 2])], "gradient.scalararray": [(rand(4, 4),)], "flatten_dense_tensors": [([rand(2), rand(3)],)], "linspace.Scalar_Tensor": [(0.5, rand().reshape([]), 3)],
}
def oracle_calls():
    """Arguments of autocast_oracle.jsonl, where it lies beside the table: float32 ones."""
    found = collections.defaultdict(list)
    import os, subprocess
    packed = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/autocast/autocast_oracle.jsonl.zst")
    text = subprocess.run(["zstd", "-dc", packed], capture_output=True).stdout.decode()
    for line in text.splitlines():
        row = json.loads(line)
        if row["device"] != "cpu" and not row.get("cast"): continue
        if any(d != "float32" for d in row["in_dtypes"]) or row.get("variant"): continue
        name = (row["op"], row["overload"])
        if len(found[name]) > 1: continue
        try: found[name].append(([make({k: v for k, v in a.items() if k not in ("name", "type")}, None) for a in row["args"]],
                                 {k: make(v, None) for k, v in row["kwargs"].items()} if row.get("kwargs") else {}))
        except Exception: pass
    return found
for name, made in EXTRA.items():
    op, _, overload = name.partition(".")
    for args in made: calls.setdefault(("aten::" + op, overload), collections.OrderedDict())["extra", signature(args)] = (list(args), {})
for name, made in oracle_calls().items():
    if name in SCHEMAS and not calls.get(name):
        for call in made: calls.setdefault(name, collections.OrderedDict())["oracle", signature(call[0])] = call
donors = collections.defaultdict(list)
for name in calls:
    if name in SCHEMAS and not name[0].endswith("_"): donors[types_of(name)].append(name)
families = collections.defaultdict(list)
for name in calls:
    if name in SCHEMAS: families[family(name[0])].append(name)
def strangers(name):
    """Calls of other ops with the same kinds of arguments."""
    for source in donors[types_of(name)][:60]:
        for call in list(calls[source].values())[:2]:
            given = list(call[0])[:len(types_of(name))]
            if len(given) == len(types_of(name)): yield name, (given, {})

def floats_in(call): return any(t.is_floating_point() for t in flat_tensors(list(call[0]) + list(call[1].values())))
def rows_for(name):
    found = 0
    own = list(calls.get(name, {}).values())
    candidates = [(name, c) for c in own] or [(s, c) for s in families[family(name[0])] if s != name for c in list(calls[s].values())[:6]]
    candidates.sort(key=lambda c: elements(list(c[1][0])) > 200)
    candidates += list(strangers(name)) if not own else []
    shapes = set()
    for source, call in candidates:
        if found >= MOST_CALLS: break
        try:
            if source != name: call = sibling(name, source, call)
            if not floats_in(call): continue
            kind = signature(call[0])
            if kind in shapes: continue
            for digits in (1, 5):
                row = {"op": name[0], "overload": name[1], "args": [payload(a, digits) for a in call[0]],
                       "kwargs": {k: payload(v, digits) for k, v in call[1].items() if v is not None}}
                plain = outcome(row, None, torch.autocast("cpu", enabled=False))
                if plain["ok"]: break
            if not plain["ok"]: continue
        except Unfit: continue
        except TooLong: raise
        except Exception: continue
        shapes.add(kind); found += 1
        row["inner"] = inside(row)
        row["cases"] = [{"device": "cpu", "low": None, "in": "float32", **plain}]
        for low, given in (("bfloat16", "float32"), ("bfloat16", "bfloat16"), ("float16", "float32"), ("float16", "float16")):
            dtype = None if given == "float32" else DTYPES[given]
            row["cases"].append({"device": "cpu", "low": low, "in": given, **outcome(row, dtype, torch.autocast("cpu", DTYPES[low]))})
            row["cases"].append({"device": "cuda", "low": low, "in": given, **outcome_on_cuda(row, dtype, DTYPES[low])})
        yield row

written, untried = 0, []
with open(OUT, "w") as out:
    for name in sorted(SCHEMAS):
        schema = SCHEMAS[name]
        if not any("Tensor" in str(a.type) for a in schema.arguments): continue
        made = []
        limited(20, lambda: made.extend(rows_for(name)))
        for row in made: out.write(json.dumps(row, separators=(",", ":")) + "\n"); written += 1
        if not made: untried.append(full(*name))
print(f"{written} calls; {len(untried)} overloads with tensors without one; {time.time() - start:.0f} s", file=sys.stderr)
with open(OUT + ".untried", "w") as f: f.write("\n".join(untried) + "\n")
