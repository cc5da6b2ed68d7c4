#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Writes resources/ops/inner_calls.csv from what gen_op_dtypes.py found: which ops, kernels of their own, call ops of
# PyTorch's autocast lists while they run, and which could not be tried.
#
#   gen_inner_calls.py op_dtypes.jsonl [OUT.csv]       needs torch 2.11.0
#
# The last column says whether CUDA runs the same kernel (shared) or one of its own, by PyTorch's native_functions.yaml.
import collections, json, os, re, sys
import torch, torchgen

rows = [json.loads(line) for line in open(sys.argv[1])]
out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../resources/ops/inner_calls.csv")
full = lambda op, overload: op + ("." + overload if overload else "")
def has(name, key):
    try: return torch._C._dispatch_has_kernel_for_dispatch_key(name, key)
    except RuntimeError: return False

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

calls, tried = collections.defaultdict(set), set()
for row in rows:
    name = full(row["op"], row["overload"])
    tried.add(name)
    calls[name].update(row["inner"])
lines = []
for schema in torch._C._jit_get_all_schemas():
    name = full(schema.name, schema.overload_name)
    if not schema.name.startswith("aten::") or not any("Tensor" in str(a.type) for a in schema.arguments): continue
    if has(name, "CompositeImplicitAutograd"): continue
    try: torch._C._dispatch_has_kernel_for_dispatch_key(name, "CPU")
    except RuntimeError: continue  # the interpreter's own
    if name in tried and not calls[name]: continue
    called = " ".join(sorted(c[6:] for c in calls[name])) if name in tried else "?"
    lines.append((schema.name[6:], schema.overload_name, called, "own" if is_own(name) else "shared"))
with open(out, "w") as f:
    f.write("op,overload,calls,kernel_on_cuda\n")
    for line in sorted(set(lines)): f.write(",".join(line) + "\n")
print(len(lines), "rows,", sum(l[2] == "?" for l in lines), "of them not tried")
