# SPDX-License-Identifier: Apache-2.0
"""The model as TorchScript: scripted, or traced where it cannot be scripted."""
import contextlib
import io
import re
import warnings

from .messages import CaptureError, is_users, reason_of, torch

TRACE_KEEPS = ("A trace keeps what held for the first batch: training or evaluation mode, the path through if and "
               "loops, numbers taken out of tensors, and the device. It forgets torch.no_grad().")


def compiled(case, how, sample, notes, reset):
    """(the TorchScript module, "script", "trace" or "script, loss traced")."""
    evaluating = [name for name, module in case.model.named_modules() if not module.training]
    scripted = why = None
    if how != "trace":
        if evaluating and not isinstance(case.model, torch.jit.ScriptModule):
            which = evaluating[0] or "the model"
            why = f"{which} is in evaluation mode, and the engine switches a script to training mode"
        else:
            scripted, why = _scripted(case.model)
    if scripted is not None and not case.wrapped:
        failure = _fails(scripted, case, sample, reset)
        if failure is None:
            notes.add("The model was scripted.")
            return scripted, "script"
        scripted, why = None, failure
    if how == "script" and scripted is None:
        raise CaptureError(f"The model cannot be scripted: {why}.", 'Change this, or capture with how="trace".')
    if scripted is not None:
        module, outer = _scripted(case.wrapper(scripted), case.compute)
        outer = outer or _fails(module, case, sample, reset)
        if outer is None:
            notes.add("The model was scripted, inside a module that " + (
                "computes the loss." if case.folded else "gives forward its arguments."))
            return module, "script"
        if how == "script":
            raise CaptureError(f"The call of model and loss cannot be scripted: {outer}.",
                               'Change this, or capture with how="auto".')
        try:
            module = _traced(case.wrapper(scripted), case, sample, notes)
            if _fails(module, case, sample, reset) is None:
                notes.add(f"The model was scripted. The loss was traced, because it cannot be scripted: {outer}.")
                return module, "script, loss traced"
        except CaptureError:
            pass  # the trace of the whole says more
        why = outer
    try:
        module = _traced(case.wrapper(case.model) if case.wrapped else case.model, case, sample, notes)
    except CaptureError as error:
        if why is None:
            raise
        raise CaptureError(f"The model can be neither scripted nor traced. Script: {why}. {error.problem}",
                           error.change) from error
    finally:
        reset()
    notes.add("The model was traced" + (f", because it cannot be scripted: {why}." if why else "."))
    notes.add(TRACE_KEEPS)
    return module, "trace"


def _scripted(module, function=None):
    """(the script, None), or (None, why there is none). `function` may be at fault where the error names no place."""
    if isinstance(module, torch.jit.ScriptModule):
        return module, None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.jit.script(module), None
    except Exception as error:  # the frontend raises many types
        with contextlib.suppress(AttributeError):  # otherwise the next script of the class fails for another reason
            torch.jit._recursive.concrete_type_store.type_store.clear()
            torch.jit._recursive.concrete_type_store.methods_compiled.clear()
        return None, reason_of(error, function or type(module).forward)


def _fails(module, case, sample, reset):
    """Why forward of a TorchScript module fails, or None."""
    try:
        with torch.no_grad(), torch.jit.optimized_execution(False):
            run(module, case, sample)
        return None
    except Exception as error:
        return reason_of(error)
    finally:
        reset()


def _traced(module, case, sample, notes):
    inputs = module_inputs(case, sample)
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            if case.wrapped or not any(isinstance(key, str) for key in case.arguments):
                traced = torch.jit.trace(module, tuple(inputs.values()), check_trace=False)
            else:
                traced = torch.jit.trace(module, example_kwarg_inputs=inputs, check_trace=False)
    except Exception as error:
        raise CaptureError(f"Trace: {reason_of(error)}.",
                           "Change the line that the message names: TorchScript takes tensors, numbers, lists, tuples "
                           "and dictionaries of one type.") from error
    places = {}
    for each in heard:
        if issubclass(each.category, torch.jit.TracerWarning) and is_users(each.filename):
            places.setdefault(f"{each.filename}:{each.lineno}", re.split(r"(?<=[a-z])\. ", str(each.message))[0])
    for place, what in places.items():
        notes.add(f"{place}: the trace keeps a value of the first batch here. {what}.")
    return traced


def module_inputs(case, tensors):
    """The captured forward's arguments by name, in the order of its signature."""
    names = case.inputs()
    if not case.wrapped:
        names = list(case.arguments.values())
    return {name: tensors[name].to(case.device) if case.by_rows else tensors[name].to(case.device)[None]
            for name in names}


def run(module, case, tensors):
    """What a captured module returns."""
    inputs = module_inputs(case, tensors)
    if not case.wrapped and any(isinstance(key, str) for key in case.arguments):
        return module(**inputs)
    return module(*inputs.values())


def save(module, file, device):
    """Writes the module with tensors on the CPU, where the engine loads it."""
    memory = io.BytesIO()
    try:
        torch.jit.save(module, file if device.type == "cpu" else memory)
    except RuntimeError as error:  # calls of Python, which a trace may contain
        raise CaptureError(f"The model cannot be saved as TorchScript: {reason_of(error)}.",
                           "Replace this call by operations of torch, which TorchScript can hold.") from error
    if device.type == "cpu":
        return
    memory.seek(0)
    torch.jit.save(torch.jit.load(memory, map_location="cpu"), file)
