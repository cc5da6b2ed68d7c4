# SPDX-License-Identifier: Apache-2.0
"""The model as TorchScript: scripted, or traced where it cannot be scripted."""
import contextlib
import io
import json
import re
import warnings

from .messages import CaptureError, Notes, is_users, reason_of, torch

CHANGE = ("Change the line that the message names: TorchScript takes operations of torch on tensors, numbers, lists, "
          "tuples and dictionaries of one type.")
ARITHMETIC = ("aten::add", "aten::sub", "aten::mul", "aten::div")

CALL_FILE = "binade_call.json"  # in model.pt; policy_proof.py reads it

TRACE_KEEPS = ("A trace keeps what held for the first batch: training or evaluation mode, the path through if and "
               "loops, numbers taken out of tensors, and the device. It forgets torch.no_grad() and what "
               "forward assigns to attributes.")


def write_model(file, case, how, sample, notes, reset):
    """Writes the captured module. Returns "script", "trace" or "script, loss traced"."""
    scripted = why = None
    if how != "trace":
        scripted, why = _scripted_model(case)
    if scripted is not None:
        module, why = (scripted, None) if not case.wrapped else _scripted(case.wrapper(scripted), case)
        why = why or _fails(module, file, case, sample, reset)
        if why is None:
            notes.add("The model was scripted" + (
                ", inside a module that computes the loss." if case.folded else
                ", inside a module that gives forward its arguments." if case.wrapped else "."))
            return "script"
    if how == "script":
        raise CaptureError(f"The model cannot be scripted: {why}.", 'Change this, or capture with how="trace".')
    if scripted is not None and case.wrapped:
        try:
            module = _traced(case.wrapper(scripted), case, sample, Notes(quiet=True))
            if _fails(module, file, case, sample, reset) is None:
                notes.add(f"The model was scripted. The call of model and loss was traced: {why}.")
                return "script, loss traced"
        except CaptureError:
            pass  # the trace of the whole says more
    first = f"The model can be neither scripted nor traced. Script: {why}. " if why else ""
    try:
        module = _traced(case.wrapper(case.model) if case.wrapped else case.model, case, sample, notes)
    except CaptureError as error:
        raise CaptureError(first + error.problem, error.change) from error
    finally:
        reset()
    failure = _fails(module, file, case, sample, reset)
    if failure:
        raise CaptureError(f"{first}Trace: {'the same' if failure == why else failure}.", CHANGE)
    notes.add("The model was traced" + (f", because it cannot be scripted: {why}." if why else "."))
    notes.add(TRACE_KEEPS)
    return "trace"


def _scripted_model(case):
    """As _scripted(), of the model. Parts in evaluation mode need a trace, which keeps the mode."""
    hooked = _object_hook(case.model)
    if hooked:
        return None, hooked
    evaluating = [name for name, module in case.model.named_modules() if not module.training]
    if evaluating and not isinstance(case.model, torch.jit.ScriptModule):
        return None, (f"{evaluating[0] or 'the model'} is in evaluation mode, and the engine switches a script to "
                      "training mode")
    return _scripted(case.model)


def _object_hook(model):
    """Why a model with a hook that is no function, as torch.nn.utils.weight_norm adds, cannot be scripted, or None."""
    for name, module in model.named_modules():
        if isinstance(module, torch.jit.ScriptModule):
            continue
        for hook in (*module._forward_pre_hooks.values(), *module._forward_hooks.values()):
            if not hasattr(hook, "__name__"):
                return (f"layer {name!r} has a hook of the class {type(hook).__name__}, and TorchScript compiles only "
                        "hooks that are functions")
    return None


def _scripted(module, case=None):
    """(the script, None), or (None, why there is none). `case` is that of a wrapper, which is in no file."""
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
        return None, reason_of(error, type(module).forward if case is None else _at_fault(error, case))


def _at_fault(error, case):
    """The person's function that a wrapper calls where scripting it fails."""
    line = re.search(r"(.*)\n[ ~]*<--- HERE", str(error))
    return case.compute if line and "self.loss(" in line[1] else getattr(type(case.model), "forward", None)


def _fails(module, file, case, sample, reset):
    """Saves a TorchScript module, and runs forward of the file's. Why that fails, or None."""
    reset()
    try:
        _save(module, file, case)
        with torch.no_grad(), torch.jit.optimized_execution(False):
            run(torch.jit.load(file, map_location=case.device), case, sample)
        return None
    except Exception as error:
        return reason_of(error)


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
        raise CaptureError(f"Trace: {reason_of(error)}.", CHANGE) from error
    for part in traced.modules():
        for method in part._c._method_names() if isinstance(part, torch.jit.ScriptModule) else ():
            _numbers_back(part._c._get_method(method).graph)
    places = {}
    for each in heard:
        if issubclass(each.category, torch.jit.TracerWarning) and is_users(each.filename):
            places.setdefault(f"{each.filename}:{each.lineno}", re.split(r"(?<=[a-z])\. ", str(each.message))[0])
    for place, what in places.items():
        notes.add(f"{place}: the trace keeps a value of the first batch here. {what}.")
    return traced


def _numbers_back(graph):
    """Makes numbers again of the float64 tensors that a trace makes of them: `0.5 * loss` would become float64."""
    for use in [use for node in graph.findAllNodes("prim::Constant") for use in node.output().uses()]:
        constant = use.user.inputsAt(use.offset).node()
        if use.offset != 1 or use.user.kind() not in ARITHMETIC or constant.kindOf("value") != "t":
            continue
        value = constant.t("value")
        if value.dim() == 0 and value.dtype == torch.float64:
            number = graph.create("prim::Constant")
            number.f_("value", value.item())
            number.insertBefore(use.user)
            number.output().setType(torch._C.FloatType.get())
            use.user.replaceInput(use.offset, number.output())


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


def _save(module, file, case):
    """Writes the module with tensors on the CPU, where the engine loads it."""
    extra = {CALL_FILE: json.dumps(case.recipe())} if case.wrapped else {}
    if case.device.type != "cpu":
        memory = io.BytesIO()
        torch.jit.save(module, memory)
        memory.seek(0)
        module = torch.jit.load(memory, map_location="cpu")
    torch.jit.save(module, file, _extra_files=extra)
