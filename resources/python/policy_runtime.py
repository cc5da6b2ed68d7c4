# SPDX-License-Identifier: Apache-2.0
# How the tables above are carried out; the same in every file of this kind.
import collections
import contextlib
import functools
import os
import sys
import types
import warnings

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


def apply(model, device=None):
    """Installs the policy on `model`: from now on its forward runs with it, and backward follows. `device` is the
    type of the tensors' device, "cpu" or "cuda"; by default that of the model's first parameter. Returns an object
    with remove(), which uninstalls, and autocast(), the region to compute a loss in; it also works as
    `with apply(model): ...`. Install it before torch.compile or DistributedDataParallel wraps the model. Raises
    ValueError for another model than the policy's, and for one that has a policy already."""
    return _Applied(model, device)


def scaler(device=None):
    """A torch.amp.GradScaler with the settings of the run."""
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    names = ("init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled")
    return torch.amp.GradScaler(device, **{name: SCALER[name] for name in names if name in SCALER})


def check(model, batch, device=None, report=print):
    """Runs `model(*batch)` once with the policy and compares, op call by op call, the dtypes that reach each op with
    those of the policy. `batch` is a tuple of arguments, a dict of named ones or a single tensor. The model is left in
    its mode; a check in train mode updates running statistics. A policy that apply() has installed is the one that is
    checked, and stays installed. Prints what it finds by `report`. Returns an object with the lists `different`,
    `missing`, `extra` and with `ok`: nothing is different or extra. Missing are op calls of the policy that this batch
    did not reach, most often in a branch that was not taken."""
    with contextlib.ExitStack() as stack:
        applied = next((each for each in _installed_on(model) if isinstance(each, _Applied)), None)
        if applied is None:
            applied = stack.enter_context(apply(model, device))
        elif device not in (None, applied.device):
            raise ValueError(f"the policy is installed for {applied.device}, and check is called for {device}")
        record = stack.enter_context(applied.recording(model))
        if isinstance(batch, dict):
            model(**batch)
        else:
            model(*(batch if isinstance(batch, (tuple, list)) else (batch,)))
    return record.finish(report)


def _installed_on(module):
    return [hook.binade_policy for hook in module._forward_hooks.values() if hasattr(hook, "binade_policy")]


class _Applied:
    def __init__(self, model, device=None):
        if any(_installed_on(module) for module in model.modules()):
            raise ValueError(f"{type(model).__name__} has a policy already: call remove() of what apply returned first")
        first = next(model.parameters(), None)
        self.device = device or (first.device.type if first is not None else "cpu")
        self.ops = {**BASE_OPS.get(self.device, {}), **OPS}
        self.record = None
        self._casts = {}  # parameters cast by rules in this forward, as in autocast's own cache
        self._mode = _Mode(self)
        self._hooks = []
        self._install(model)

    def autocast(self):
        return _region(self.device, LOW)

    def remove(self):
        for hook in self._hooks:
            hook.remove()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()

    @contextlib.contextmanager
    def recording(self, model):
        """Compares the op calls of forward meanwhile, as they run without it: it watches all modules, and only
        watches."""
        self.record = _Record(bool(_prefix(model)))
        hooks = []
        try:
            for module, path in _paths(model).items():
                contexts = [functools.partial(self._mode.watching, False)] if module is model else []
                hooks += self._around_forward(module, [*contexts, functools.partial(self._inside, path)])
            yield self.record
        finally:
            self.record = None
            for hook in hooks:
                hook.remove()

    def _install(self, model):
        if _prefix(model) and any(map(_of_loss, [*REGIONS, *map(_module_of, SITES)])):
            warnings.warn("The policy has rules for the loss, which this model does not compute: they are not applied. "
                          "Apply it to a module with the parts `model` and `loss`.", stacklevel=4)
        everywhere = bool(self.ops)
        local = {_module_of(key) for key in SITES}
        for module, path in _paths(model).items():
            contexts = [functools.partial(_region, self.device, LOW)] if module is model else []
            region = REGIONS.get(path)
            if region is not None and region != _around(path):
                contexts.append(functools.partial(_region, self.device, "" if region == "float32" else region))
            if module is model if everywhere else path in local:
                contexts.append(functools.partial(self._mode.watching, True))
            if everywhere or any(path == each or not each or path.startswith(each + ".") for each in local):
                contexts.append(functools.partial(self._inside, path))
            if module is model:
                contexts.append(self._forward)
            if contexts:
                self._hooks += self._around_forward(module, contexts)
            # A module whose ops only write in place takes what it is given, and so do containers without ops.
            if _inherited(path) == "float32" and not all(_writes(op) for op in _calls(path)):
                self._hooks.append(module.register_forward_pre_hook(self._cast_inputs, with_kwargs=True))

    def _around_forward(self, module, contexts):
        """Hooks that open contexts before forward, and close them after it, also after one that raised."""
        opened = []

        def enter(*_):
            with contextlib.ExitStack() as stack:
                for context in contexts:
                    stack.enter_context(context())
                opened.append(stack.pop_all())

        def leave(*_):
            if opened:  # not if a hook before enter raised
                opened.pop().close()

        leave.binade_policy = self
        # What was opened last is closed first, also among several pairs of hooks: hence in front of older ones.
        return (module.register_forward_pre_hook(enter),
                module.register_forward_hook(leave, always_call=True, prepend=True))

    @contextlib.contextmanager
    def _forward(self):
        self._mode.begin()
        self._casts.clear()
        try:
            yield
        finally:
            self._casts.clear()

    @contextlib.contextmanager
    def _inside(self, path):
        outer, self._mode.path = self._mode.path, path
        try:
            yield
        finally:
            self._mode.path = outer

    def _cast_inputs(self, module, args, kwargs):
        return self.cast(args, torch.float32), self.cast(kwargs, torch.float32)

    def eligible(self, value):
        return (isinstance(value, torch.Tensor) and value.is_floating_point() and value.dtype != torch.float64
                and value.device.type == self.device)

    def cast(self, value, dtype):
        """`value`, tensors in lists and dicts included, in `dtype`; a parameter only once in a forward. Autocast has a
        cache of its own: the gradient of a weight that both cast to one format may differ in its last bits."""
        if isinstance(value, torch.Tensor):
            if not self.eligible(value) or value.dtype == dtype:
                return value
            if not (value.is_leaf and value.requires_grad and torch.is_grad_enabled()):
                return value.to(dtype)
            key = (id(value), dtype)
            if key not in self._casts:
                self._casts[key] = (value.to(dtype), value)  # the original stays, so its id does
            return self._casts[key][0]
        if isinstance(value, dict):
            return {name: self.cast(each, dtype) for name, each in value.items()}
        if type(value) in (tuple, list):
            return type(value)(self.cast(each, dtype) for each in value)
        return value


def _paths(model):
    """The path in CALLS of each module of `model`; of a shared one, which has several, one that is there."""
    names = collections.defaultdict(list)
    prefix = _prefix(model)
    for name, module in model.named_modules(remove_duplicate=False):
        names[module].append(".".join(part for part in (prefix, name) if part))
    return {module: next((path for path in paths if path in CALLS), paths[0]) for module, paths in names.items()}


def _module_of(key):
    """The path of the module in a key of SITES: `layer1` in `layer1/aten::add`, `layer1/aten::add#1` and
    `layer1::method/aten::add#1`; empty for the model's own op calls, in `/aten::add` and `aten::add#1`."""
    scope, slash, _ = key.rpartition("/")
    return scope.partition("::")[0] if slash else ""


def _prefix(model):
    """The path of `model` in CALLS: empty, or `model` if the policy is for a captured model with its loss."""
    names = {name for name, _ in model.named_modules(remove_duplicate=False)}
    needed = {path for path in CALLS if path and path != "?"}
    absent = sorted(needed - names)
    if not absent:
        return ""
    if all(path.split(".")[0] in ("model", "loss") for path in needed):
        absent = sorted({path[6:] for path in needed if path.startswith("model.")} - names)
        if not absent:
            return "model"
    raise ValueError(f"this policy is for another model: {type(model).__name__} has no module {absent[0]!r}")


def _of_loss(path):
    return path.split(".")[0] == "loss"


def _region(device, low):
    return torch.autocast(device, dtype=_DTYPES[low]) if low else torch.autocast(device, enabled=False)


@functools.cache
def _inherited(path):
    """Format of the region that a module is in; empty if it is in none."""
    while path not in REGIONS and path:
        path = path.rpartition(".")[0]
    return REGIONS.get(path, "")


def _around(path):
    return _inherited(path.rpartition(".")[0]) if path else ""


class _Mode(TorchFunctionMode):
    """Sees every op that Python calls, and runs those that the tables name in another way than autocast does."""

    def __init__(self, applied):
        super().__init__()
        self.applied = applied
        self.path = ""
        self.active = False
        self.treats = False  # in a module where the tables need it; elsewhere it only records
        self.within = set()
        self.begin()

    @contextlib.contextmanager
    def watching(self, treats):
        outer = self.active, self.treats
        self.active, self.treats = True, treats or self.treats
        try:
            with contextlib.nullcontext() if outer[0] else self:
                yield
        finally:
            self.active, self.treats = outer

    def begin(self):
        self.seen = collections.Counter()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        # A method of Tensor may call its C++ base, which arrives here under the same name.
        within = None if func in self.within else _seen_through(func)
        if within is not None:
            self.within.add(func)
            try:
                with self:
                    return within(*args, **kwargs)
            finally:
                self.within.discard(func)
        op = _op(func, self.path)
        name, execution = self._name(op)
        treatment = self._treatment(op, name, execution)
        record = self.applied.record
        if record is None:
            return func(*args, **kwargs) if treatment is None else self._run(func, op, treatment, args, kwargs)
        with record.call(self.applied, self.path, op, name, execution, args, kwargs) as results:
            result = func(*args, **kwargs) if treatment is None else self._run(func, op, treatment, args, kwargs)
            results.append(result)
        return result

    def _name(self, op):
        """Name of this op call in the policy and its number in this forward. An op with several calls in a module is
        told apart by its line, since calls in branches that are not taken have names too; without lines by counting."""
        calls = _calls(self.path).get(op)
        if calls is None or self.applied.record is None and not any(name in _SINGLE for name, _, _ in calls):
            return None, 0
        lines = {line for _, _, line in calls if line} if len(calls) > 1 else ()
        line = _line(lines) if lines else ""
        here = [name for name, _, at in calls if at == line] or [name for name, _, _ in calls]
        before = self.seen[self.path, op, line]
        self.seen[self.path, op, line] += 1
        return here[before % len(here)], before // len(here)

    def _treatment(self, op, name, execution):
        if not self.treats or _inherited(self.path):
            return None
        for key in (f"{name}@{execution}", name, f"{self.path}/aten::{op}") if name else (f"{self.path}/aten::{op}",):
            if key in SITES:
                return SITES[key]
        return self.applied.ops.get(f"aten::{op}")

    def _run(self, func, op, treatment, args, kwargs):
        applied = self.applied
        if treatment == "banned":
            raise RuntimeError(f"{self.path}: the policy bans aten::{op}; give this call a format, or use another op")
        if treatment in ("set-dtype", "append-dtype"):
            if args and applied.eligible(args[0]) and kwargs.get("dtype") is None:
                kwargs = {**kwargs, "dtype": torch.float32}
        else:
            dtype = _target(applied, op, treatment, args, kwargs)
            if dtype is not None:
                args, kwargs = _cast_arguments(applied, op, args, kwargs, dtype)
        with torch.autocast(applied.device, enabled=False):
            return func(*args, **kwargs)


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _tensors(each)
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _tensors(each)


def _writes(op):
    return op.endswith("_") and not op.endswith("__")


# Ops whose first argument alone is data: the others are statistics, or only give a dtype.
_FIRST_ONLY = {"batch_norm", "instance_norm", "type_as"}
# Ops that take data in half beside float32 weights.
_MIXED = {"batch_norm", "instance_norm", "layer_norm", "group_norm"}


def _cast_arguments(applied, op, args, kwargs, dtype):
    if op in _FIRST_ONLY:
        return (applied.cast(args[0], dtype), *args[1:]), kwargs
    if _writes(op):
        return (args[0], *applied.cast(tuple(args[1:]), dtype)), applied.cast(kwargs, dtype)
    return applied.cast(tuple(args), dtype), applied.cast(kwargs, dtype)


def _target(applied, op, treatment, args, kwargs):
    """The dtype that a treatment casts arguments to; None: none."""
    if _writes(op):  # the written tensor keeps its dtype, and the others follow it
        follows = args[0].is_floating_point() and treatment != "follow"
        return args[0].dtype if follows else None
    if treatment in _DTYPES:
        return _DTYPES[treatment]
    given = [tensor for tensor in _tensors((args, kwargs)) if tensor.is_floating_point()]
    if treatment == "promote":
        low = _DTYPES[BASE_LOW]
        wider = any(applied.eligible(tensor) and tensor.dtype != low for tensor in given)
        return torch.float32 if wider else low
    dtypes = {tensor.dtype for tensor in given if tensor.dim() > 0}
    if treatment == "follow" and op not in _MIXED and len(dtypes) > 1 and torch.float64 not in dtypes:
        return functools.reduce(torch.promote_types, dtypes)
    return None


# --- names ---

_SINGLE = {key.partition("@")[0] for key in SITES if "#" in key}
_OPERATORS = {
    "__add__": "add", "__radd__": "add", "__iadd__": "add_", "__sub__": "sub", "__isub__": "sub_", "__mul__": "mul",
    "__rmul__": "mul", "__imul__": "mul_", "__truediv__": "div", "__div__": "div", "__itruediv__": "div_",
    "__idiv__": "div_", "__matmul__": "matmul", "__pow__": "pow", "__ipow__": "pow_", "__neg__": "neg",
    "__abs__": "abs", "__mod__": "remainder", "__eq__": "eq", "__ne__": "ne", "__lt__": "lt", "__le__": "le",
    "__gt__": "gt", "__ge__": "ge", "__invert__": "bitwise_not", "true_divide": "div", "true_divide_": "div_",
    "subtract": "sub",
    "multiply": "mul", "divide": "div", "negative": "neg", "absolute": "abs", "clip": "clamp", "concat": "cat",
    "concatenate": "cat", "__getitem__": "index", "__setitem__": "index_put_",
}  # fmt: skip
# A TorchScript file may have the second for the first; scripting takes `2 - x` for -x + 2.
_OTHER_NAMES = {
    "rsub": "add", "linalg_vector_norm": "norm",
    "conv1d": "_convolution", "conv2d": "_convolution", "conv3d": "_convolution", "conv_transpose1d": "_convolution",
    "conv_transpose2d": "_convolution", "conv_transpose3d": "_convolution",
}  # fmt: skip


def _op(func, path):
    name = getattr(func, "__name__", "")
    if name == "__get__":
        name = getattr(func.__self__, "__name__", "")
    name = _OPERATORS.get(name, name)
    other = _OTHER_NAMES.get(name)
    return other if other is not None and name not in _calls(path) and other in _calls(path) else name


@functools.cache
def _calls(path):
    """The op calls of a module, by op: name, treatment and line of each."""
    calls = collections.defaultdict(list)
    for text in CALLS.get(path, ()):
        short, treatment, *line = text.split(" ", 2)  # the name of a file may have spaces
        method, _, call = short.rpartition("/")
        op = call.partition("#")[0].removeprefix("aten::")
        scope = f"{path}::{method}" if method else path
        calls[op].append((f"{scope}/{call}" if scope else call, treatment, line[0] if line else ""))
    return dict(calls)


def _line(lines):
    """The innermost of `lines` that is running; empty for an op that an operator of Tensor is made of, such as 1 / x,
    since TorchScript knows no line for these."""
    frame = sys._getframe(3)
    if frame.f_code.co_filename.endswith("torch/_tensor.py"):
        return ""
    while frame is not None:
        line = f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
        if line in lines:
            return line
        frame = frame.f_back
    return ""


def _cell_seen_through(cell):
    held = cell.cell_contents
    return types.CellType(_seen_through(held) or held) if isinstance(held, types.FunctionType) else cell


@functools.cache
def _seen_through(func):
    """A function of Python, such as torch.nn.functional.relu, without its own call of the mode, so that the ops in it
    reach the mode instead; None for an op of C++. max_pool2d calls no mode itself, but one of two functions in its
    cells."""
    if not isinstance(func, types.FunctionType):
        return None
    names = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")
    scope = {**func.__globals__, **dict.fromkeys(names, lambda *_: False)}
    cells = func.__closure__
    if cells is not None and not set(names) & set(func.__code__.co_names):
        cells = tuple(_cell_seen_through(cell) for cell in cells)
    copy = types.FunctionType(func.__code__, scope, func.__name__, func.__defaults__, cells)
    copy.__kwdefaults__ = func.__kwdefaults__
    return copy
