# SPDX-License-Identifier: Apache-2.0
# The comparison that check() makes, behind policy_runtime.py in the same file.

# What LOW and the tables mean for an op of each treatment is computed from the dtypes that the call was given; what
# happened is seen below autocast, where the op and its casts arrive as separate calls.
_CASTS = {"aten::_to_copy", "aten::to", "aten::lift_fresh"}
# Views that copy where they must; no policy casts views.
_MAY_COPY = {"contiguous", "reshape", "flatten", "unflatten"}
# Layers that are one op of cuDNN on CUDA. Autocast casts their arguments inside, after views of them, and copies the
# weights into one buffer: the results show the format.
_RECURRENT = {"lstm", "gru", "rnn_tanh", "rnn_relu"}


class _Record:
    def __init__(self, without_loss):
        self.without_loss = without_loss
        self.seen = collections.Counter()
        self.different = []
        self.extra = []
        self.missing = []
        self.compared = 0

    @property
    def ok(self):
        return not self.different and not self.extra

    @contextlib.contextmanager
    def call(self, applied, path, op, name, execution, args, kwargs):
        results = []
        given = list(_tensors((args, kwargs)))
        if not any(applied.eligible(tensor) for tensor in given):
            if name is not None:
                self.seen[name] += 1
            yield results
            return
        below = _Below(given)
        with below:
            yield results
        if not below.ops or not any(True for _ in _tensors(results)):
            return  # an attribute, a number, or Python alone
        if name is None:
            if not below.only_views and op not in _MAY_COPY:
                self.extra.append(f"{path}/aten::{op}: Python calls it, and the policy has no such op call")
            return
        self.seen[name] += 1
        self.compared += 1
        of_op_call = next(how for each, how, _ in _calls(path)[op] if each == name)
        treatment = SITES.get(f"{name}@{execution}", of_op_call)  # a rule may be for a single execution
        difference = self._compare(applied, op, treatment, args, kwargs, below, list(_tensors(results)))
        if difference:
            single = f", call {execution}" if f"{name}@{execution}" in SITES else ""
            self.different.append(f"{name}{single}: {difference}")

    def _compare(self, applied, op, treatment, args, kwargs, below, results):
        if treatment in ("leave", "banned", "inside"):
            return ""
        if treatment in ("set-dtype", "append-dtype"):
            if not args or not applied.eligible(args[0]) or kwargs.get("dtype") is not None:
                return ""
            got = {_word(tensor.dtype) for tensor in results if tensor.is_floating_point()} - {"float64"}
            return "" if got <= {"float32"} else f"the policy gives float32, Python {' and '.join(sorted(got))}"
        if op in _RECURRENT and treatment in _DTYPES:
            got = _results(results) - {"float64"}
            return "" if got <= {treatment} else f"the policy gives {treatment}, Python {' and '.join(sorted(got))}"
        data = [args[0]] if op in _FIRST_ONLY else list(_tensors((args, kwargs)))
        data = [tensor for tensor in data if applied.eligible(tensor)]
        dtype = _target(applied, op, treatment, args, kwargs)
        wanted = {_word(tensor.dtype if dtype is None else dtype) for tensor in data}
        got = {_word(below.reached(tensor)) for tensor in data}
        if got == wanted:
            return ""
        # A kernel may widen its arguments itself: then only the result shows the format.
        if len(wanted) == 1 and {_word(tensor.dtype) for tensor in data} == wanted and _results(results) == wanted:
            return ""
        if (treatment == "follow" or _writes(op)) and _results(results) <= wanted:
            return ""  # the kernel widens the arguments
        return f"the policy gives it {' and '.join(sorted(wanted))}, Python {' and '.join(sorted(got))}"

    def finish(self, report):
        in_loss = [path for path in CALLS if self.without_loss and _of_loss(path)]
        for path in (path for path in CALLS if path not in in_loss):
            for calls in _calls(path).values():
                self.missing += [name for name, _, _ in calls if not self.seen[name]]
        for text in self.different + sorted(set(self.extra)):
            report(text)
        if self.missing:
            few = ", ".join(self.missing[:3]) + (f" and {len(self.missing) - 3} more" if len(self.missing) > 3 else "")
            report(f"not reached by this batch: {few}")
        if in_loss:
            report("not compared: the op calls of the loss, which this model does not compute")
        report(f"{self.compared} op calls compared: {len(self.different)} different, {len(set(self.extra))} extra")
        return self


def _word(dtype):
    return str(dtype).removeprefix("torch.")


def _results(results):
    return {_word(tensor.dtype) for tensor in results if tensor.is_floating_point()}


class _Below(TorchDispatchMode):
    """Sees the calls that an op makes below autocast."""

    def __init__(self, given):
        super().__init__()
        self.ops = []
        self.only_views = True
        self.given = {id(tensor) for tensor in given}
        self.casts = {}  # of given tensors, by id: the dtype
        self.first = []  # dtypes of the first op that computes

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = func._schema.name
        self.ops.append(name)
        if name in _CASTS:
            if args and id(args[0]) in self.given:
                self.casts.setdefault(id(args[0]), kwargs.get("dtype") or args[0].dtype)
        elif not _is_view(func):
            self.only_views = False
            self.first = self.first or [each.dtype for each in _tensors((args, kwargs)) if each.is_floating_point()]
        return func(*args, **kwargs)

    def reached(self, tensor):
        """The dtype in which a given tensor reached the op."""
        if id(tensor) in self.casts:
            return self.casts[id(tensor)]
        # A weight that autocast has cast before comes from its cache, without a call here.
        return tensor.dtype if tensor.dtype in self.first or not self.first else self.first[0]


@functools.cache
def _is_view(func):
    """Whether an op gives its argument's memory and writes nothing."""
    aliases = [result.alias_info for result in func._schema.returns if result.alias_info is not None]
    return bool(aliases) and not any(alias.is_write for alias in aliases)
