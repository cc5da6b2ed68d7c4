# SPDX-License-Identifier: Apache-2.0
"""One step of the captured model beside the same step of the original."""
import contextlib

from .compiled import run
from .messages import CaptureError, reason_of, torch
from .op_calls import first_different_call


def differences(case, file, samples, seed, way, reset, notes):
    """A sentence for each output, loss, gradient or buffer whose bits differ in the step on the first batch, and one
    for the first op call that differs."""
    captured = torch.jit.load(file, map_location=case.device)
    expected = _original(case, samples[0], seed, reset)
    actual = _captured(captured, case, samples[0], seed)
    found = _compare(expected, actual)
    if found and "autocast" in str(captured.inlined_graph):
        with _no_blocks():
            without = _compare(_original(case, samples[0], seed, reset), actual)
        if not without:
            found = []
            notes.add("One step was compared without the model's own torch.autocast blocks. Python ignores these in "
                      "the captured file, and the engine follows them.")
    if found and _compare(expected, _original(case, samples[0], seed, reset)):
        found.append("the original differs from itself in a second run, so it has operations in no fixed order")
    elif found:
        found += first_call(file, case, samples[0], seed, reset)
    if not found:
        notes.add(f"One step equals the original's to the bit{_threads(case)}: {_counts(expected)}.")
    if way == "trace" and not found and len(samples) > 1:
        _check_path(case, file, samples, seed, reset, notes)
    return found


def first_call(file, case, tensors, seed, reset):
    """The sentence on the first op call that differs; empty if the calls and their results are equal."""
    captured = torch.jit.load(file, map_location=case.device)  # without the gradients and buffers of the first run
    _start_anew(case, reset)
    try:
        named = first_different_call(lambda: _original_step(case, tensors, seed),
                                     lambda: _captured_step(captured, case, tensors, seed), case.model)
    except RuntimeError as error:
        return [f"the first op call that differs was not found: {reason_of(error)}"]
    finally:
        reset()
    return [named] if named else []


@contextlib.contextmanager
def _no_blocks():
    """Ignores torch.autocast in the original, as the interpreter of TorchScript does."""
    block = torch.amp.autocast_mode.autocast
    enter, leave = block.__enter__, block.__exit__
    block.__enter__, block.__exit__ = lambda self: self, lambda *_: None
    try:
        yield
    finally:
        block.__enter__, block.__exit__ = enter, leave


def _check_path(case, file, samples, seed, reset, notes):
    """The second batch alone, and after the first, which may have changed what forward keeps."""
    captured = torch.jit.load(file, map_location=case.device)
    found = _compare(_original(case, samples[1], seed, reset), _captured(captured, case, samples[1], seed))
    if found:
        raise CaptureError(f"The trace gives another result than the model for the second batch: {found[0]}.",
                           "forward depends on the values of its batch. Let it be scripted: the notes name the lines.")
    captured = torch.jit.load(file, map_location=case.device)
    found = _compare(_original(case, samples[1], seed, reset, samples[0]),
                     _captured(captured, case, samples[1], seed, samples[0]))
    if found:
        raise CaptureError(f"The trace gives another result than the model in the second step: {found[0]}.",
                           "forward changes an attribute, and a trace keeps the first value. Keep the value in a "
                           "buffer and change it in place, or let the model be scripted.")
    notes.add("The trace equals the original for the second batch too.")


def _original(case, tensors, seed, reset, before=None):
    _start_anew(case, reset)
    if before is not None:
        torch.manual_seed(seed)
        case.loss_of(case.forward(before), before)
    parameters = case.named("named_parameters")
    output, loss = _original_step(case, tensors, seed)
    buffers = case.named("named_buffers")  # forward may have put others in their place
    result = _results(None if case.folded or case.pick else output, loss, parameters, buffers)
    reset()
    return result


def _start_anew(case, reset):
    reset()
    for _, parameter in case.named("named_parameters"):
        parameter.grad = None


def _original_step(case, tensors, seed):
    torch.manual_seed(seed)
    output = case.forward(tensors)
    loss = case.loss_of(output, tensors)
    _backward(loss)
    return output, loss


def _captured_step(module, case, tensors, seed):
    with torch.jit.optimized_execution(False):  # as the engine runs it
        torch.manual_seed(seed)
        output = run(module, case, tensors)
        loss = output if case.folded or case.pick else case.loss_of(output, tensors)
        _backward(loss)
    return output, loss


def _captured(module, case, tensors, seed, before=None):
    whole = case.folded or bool(case.pick)
    try:
        if before is not None:
            with torch.jit.optimized_execution(False):
                torch.manual_seed(seed)
                run(module, case, before)
        output, loss = _captured_step(module, case, tensors, seed)
    except RuntimeError as error:
        change = "Change the line that the message names. A trace forgets torch.no_grad(), for example."
        change = _computed_weight(case.model) or change
        raise CaptureError(f"The captured model fails where the original runs: {reason_of(error)}.", change) from error
    return _results(None if whole else output, loss, module.named_parameters(remove_duplicate=False),
                    module.named_buffers(remove_duplicate=False))


def _computed_weight(model):
    """What to change in a model with a layer that computes its weight in each forward; None without one."""
    for name, module in model.named_modules():
        if isinstance(module, torch.jit.ScriptModule):
            continue
        hooks = {type(hook).__name__ for hook in module._forward_pre_hooks.values()}
        if torch.nn.utils.parametrize.is_parametrized(module):
            where, remove = "a parametrization", "torch.nn.utils.parametrize.remove_parametrizations"
        elif "SpectralNorm" in hooks:
            where, remove = "a hook", "torch.nn.utils.remove_spectral_norm"
        else:
            continue
        return (f"Layer {name!r} computes its weight in {where}, such as a spectral norm, and a trace forgets "
                f"torch.no_grad() there. Capture the model after {remove}.")
    return None


def _backward(loss):
    if loss.requires_grad:
        loss.sum().backward()


def _results(output, loss, parameters, buffers):
    all_ = {f"output{path}": tensor for path, tensor in _tensors(output)}
    all_["loss"] = loss
    all_.update((f"gradient of {name}", parameter.grad) for name, parameter in parameters)
    all_.update((f"buffer {name}", buffer) for name, buffer in buffers)
    return {name: None if tensor is None else tensor.detach().clone() for name, tensor in all_.items()}


def _tensors(value, path=""):
    if isinstance(value, torch.Tensor):
        yield path, value
    elif isinstance(value, dict):
        for key in value:
            yield from _tensors(value[key], f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for i, each in enumerate(value):
            yield from _tensors(each, f"{path}[{i}]")


def _compare(expected, actual):
    found = []
    for name in expected:
        a, b = expected[name], actual.get(name)
        if a is None and b is None:
            continue
        if a is None or b is None:
            found.append(f"{name} is missing in the {'original' if a is None else 'captured model'}")
        elif a.shape != b.shape or a.dtype != b.dtype:
            found.append(f"{name} is {list(b.shape)} {b.dtype} instead of {list(a.shape)} {a.dtype}")
        elif not torch.equal(_bits(a), _bits(b)):
            size = (a.double() - b.double()).abs().max().item()
            found.append(f"{name}: the largest difference is {size:.3g}")
    return found


def _bits(tensor):
    return tensor.reshape(-1).contiguous().view(torch.uint8)  # NaN equals itself, and -0 is not 0


def _threads(case):
    """The number of threads of a step on the CPU: kernels divide sums by it, so another number gives other bits."""
    if case.device.type != "cpu":
        return ""
    count = torch.get_num_threads()
    return f", with {count} thread{'s' * (count != 1)}"


def _counts(results):
    counts = {}
    for name in results:
        kind = name.split()[0].split(".")[0].split("[")[0]
        counts[kind] = counts.get(kind, 0) + (results[name] is not None)
    return ", ".join(f"{count} {kind}{'s' * (count != 1)}".replace("losss", "losses")
                     for kind, count in counts.items())
