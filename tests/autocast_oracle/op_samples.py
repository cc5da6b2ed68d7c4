# SPDX-License-Identifier: Apache-2.0
#
# What gen_op_dtypes.py and gen_inner_calls.py share: the ops that LibTorch's autocast lists, a watch under which every
# op that runs is noted, and the samples of torch.testing. Needs torch 2.11.0, numpy, expecttest.
import logging, math, signal, warnings
import torch
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
torch.set_num_threads(1); torch.manual_seed(0)
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db

MOST_ELEMENTS = 2000
KEY = torch._C.DispatchKey.AutocastPrivateUse1
KEYS, BELOW = torch._C.DispatchKeySet(KEY), torch._C._dispatch_keyset_full_after(KEY)
SCHEMAS = {(s.name, s.overload_name): s for s in torch._C._jit_get_all_schemas() if s.name.startswith("aten::")}

def full(op, overload): return op + ("." + overload if overload else "")
def has(name, key):
    try: return torch._C._dispatch_has_kernel_for_dispatch_key(name, key)
    except RuntimeError: return False  # the interpreter's own
LISTED = {full(*k) for k in SCHEMAS if has(full(*k), "AutocastCPU") or has(full(*k), "AutocastCUDA")}

# ---- values
DTYPES = {n: getattr(torch, n) for n in "float32 float16 bfloat16 float64 int64 int32 int16 int8 uint8 bool complex64 complex128".split()}
MEMORY = {torch.contiguous_format: 0, torch.preserve_format: 1, torch.channels_last: 2, torch.channels_last_3d: 3}
BACK = {v: k for k, v in MEMORY.items()}
class Unfit(Exception): pass
def number(x):
    if isinstance(x, float) and not math.isfinite(x): return "nan" if x != x else "inf" if x > 0 else "-inf"
    return x
def flat_tensors(v):
    if isinstance(v, torch.Tensor): return [v]
    return [t for x in v for t in flat_tensors(x)] if isinstance(v, (list, tuple)) else []
def elements(v): return sum(t.numel() for t in flat_tensors(v))
def snap(v):
    if isinstance(v, torch.Tensor): return v.detach().clone()
    return [snap(x) for x in v] if isinstance(v, (list, tuple)) else v
def check_encodable(t, names):
    if t.layout != torch.strided or t.is_quantized or t.dtype not in names or t.device.type != "cpu" or any(t.names): raise Unfit()
    if t.numel() > MOST_ELEMENTS: raise Unfit()

# ---- a watch on every op
def watch_ops(noted):
    """Calls noted(op, args, kwargs) around each op under a Watch, as a context in which the op runs."""
    def fallback(keys, op, *args, **kwargs):
        with torch._C._ExcludeDispatchKeyGuard(KEYS):
            args = tuple(torch.tensor(a) if isinstance(a, (int, float, bool, complex)) and str(s.type) in ("Tensor", "Optional[Tensor]") else a
                         for a, s in zip(args, op._schema.arguments))
            context = noted(op, args, kwargs)
        with context: return op.redispatch(keys & BELOW, *args, **kwargs)
    library = torch.library.Library("_", "IMPL")
    library.fallback(fallback, "AutocastPrivateUse1", with_keyset=True)
    return library  # which lasts as long as somebody has it
class Watch:
    def __enter__(self):
        self.guard = torch._C._IncludeDispatchKeyGuard(KEY); self.guard.__enter__()
        torch.set_autocast_enabled("privateuseone", True)
    def __exit__(self, *error):
        torch.set_autocast_enabled("privateuseone", False); self.guard.__exit__(None, None, None)

class TooLong(Exception): pass
def alarm(*_): raise TooLong()
signal.signal(signal.SIGALRM, alarm)
def limited(seconds, function):
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try: function()
    except TooLong: pass
    except Exception: pass
    finally: signal.setitimer(signal.ITIMER_REAL, 0)

# ---- the samples of torch.testing
def samples_of(op, grad, most, size_of, watch):
    for n, sample in enumerate(op.sample_inputs("cpu", torch.float32, requires_grad=grad)):
        if n >= most: break
        if size_of(sample) > MOST_ELEMENTS: continue
        for f in [op.op] + ([op.inplace_variant] if op.inplace_variant and not grad else []):
            try:
                first = sample.input.clone() if f is op.inplace_variant and isinstance(sample.input, torch.Tensor) else sample.input
                with watch():
                    made = f(first, *sample.args, **sample.kwargs)
                    results = [t for t in flat_tensors(made) if t.requires_grad and (t.is_floating_point() or t.is_complex())]
                    if grad and results: torch.autograd.backward(results, [torch.ones_like(t) for t in results])
            except TooLong: raise
            except Exception: pass
def inputs_of(module, train, most, watch):
    for n, sample in enumerate(module.module_inputs_func(module, device="cpu", dtype=torch.float32, requires_grad=False, training=train)):
        if n >= most: break
        try:
            made = module.module_cls(*sample.constructor_input.args, **sample.constructor_input.kwargs).train(train)
            given = sample.forward_input
            if given is None: continue
            for grad in (True, False):
                with torch.set_grad_enabled(grad), watch(): made(*given.args, **given.kwargs)
        except TooLong: raise
        except Exception: pass
def run_samples(seconds, watch=Watch, size_of=lambda sample: elements(sample.input), of_op=math.inf, of_module=math.inf):
    for op in op_db:
        if torch.float32 in op.supported_dtypes("cpu"):
            for grad in (False, True) if op.supports_autograd else (False,): limited(seconds, lambda: samples_of(op, grad, of_op, size_of, watch))
    for module in module_db:
        for train in (True, False): limited(seconds, lambda: inputs_of(module, train, of_module, watch))
