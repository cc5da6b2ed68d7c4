# SPDX-License-Identifier: Apache-2.0
# Runs a person's model with an exported policy, and compares it with what the engine computed. Started by
# `binade-engine export --to pytorch --prove`:
# policy_proof.py POLICY.py MODULE.py:FUNCTION EXPECTED.pt ANSWER.json MODEL.pt
# Without an answer, Python has died: the person's module may print what it wants, and may end the process.
import ast
import functools
import importlib.util
import inspect
import json
import os
import sys
import zipfile


def load(name, path):
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def tensors_of(value):
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        return [tensor for each in value.values() for tensor in tensors_of(each)]
    if isinstance(value, (tuple, list)):
        return [tensor for each in value for tensor in tensors_of(each)]
    return []


def loss_of(outputs):
    parts = [tensor.float().square().mean() for tensor in outputs if tensor.is_floating_point()]
    return sum(parts[1:], parts[0]) if parts else None


def bits(tensor):
    import torch

    if tensor.is_sparse:
        tensor = tensor.to_dense()
    words = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor)
    return tensor.detach().contiguous().reshape(-1).view(words[tensor.element_size()])


class Comparison:
    def __init__(self):
        self.first_difference = ""
        self.compared = 0

    def note(self, what, expected, got):
        import torch

        self.compared += 1
        if self.first_difference:
            return
        if (expected is None) != (got is None):
            self.first_difference = f"{what}: {'Python' if expected is None else 'the engine'} alone has one"
        elif expected is not None and expected.dtype != got.dtype:
            self.first_difference = f"{what}: {expected.dtype} in the engine, {got.dtype} in Python"
        elif expected is not None and expected.shape != got.shape:
            self.first_difference = f"{what}: shape {list(expected.shape)} in the engine, {list(got.shape)} in Python"
        elif expected is not None and not torch.equal(bits(expected), bits(got)):
            largest = (expected.double() - got.double()).abs().max().item()
            self.first_difference = f"{what}: values differ by up to {largest:.3g}"


def depends_on_mode(made, expected):
    """Whether the model, without a policy, computes in train mode what it does not compute in eval mode."""
    import torch

    results = []
    for train in (True, False):
        model = made().train(train)
        torch.manual_seed(expected.seed)
        results.append(tensors_of(model(*copies(expected.inputs))) + list(model.buffers()))
    comparison = Comparison()
    for one, other in zip(*results):
        comparison.note("", one.detach(), other.detach())
    return len(results[0]) != len(results[1]) or bool(comparison.first_difference)


class Unusable(Exception):
    """What the person's module lacks; its traceback would say nothing more."""


def captured_call(file):
    """How the captured forward in a file calls `model`, as capture() wrote it there; None if it did not. A built-in
    sample is no file."""
    if not os.path.isfile(file):
        return None
    with zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if name.endswith("/extra/binade_call.json")]
        return json.loads(archive.read(names[0])) if names else None


PARTS = (ast.Expression, ast.Call, ast.keyword, ast.Tuple, ast.List, ast.Dict, ast.Constant, ast.Name, ast.Load,
         ast.UnaryOp, ast.USub)
PICKS = ("", "['loss']", ".loss", "[0]")


def compiled(source, names, values):
    """An expression of nested values over `names`. A model file is not trusted: it may call no other function."""
    tree = ast.parse(source, mode="eval")
    for node in ast.walk(tree):
        called = isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in values)
        unknown = isinstance(node, ast.Name) and node.id not in names and node.id not in values
        if unknown and node.id.isidentifier():
            raise Unusable(f"forward of the file takes a {node.id}, which the module does not have: import the class")
        if called or not isinstance(node, PARTS):
            raise Unusable(f"the file calls the model in a way that is not that of a capture: {source}")
    return compile(tree, "<captured forward>", "eval")


def classes_of(module):
    """The named tuples and dataclasses of a module, which a batch may consist of."""
    return {name: each for name, each in vars(module).items() if isinstance(each, type)
            and (hasattr(each, "__dataclass_fields__") or issubclass(each, tuple) and hasattr(each, "_fields"))}


def wrapped(model, state, call, classes):
    """`model` in a module like that of the file: forward takes tensors, and calls the parts as in the capture."""
    import torch

    inputs, target, pick = call["inputs"], call["target"], call["pick"]
    parts = ("model",) if target is None else ("model", "loss")
    has_parts = all(hasattr(model, part) for part in parts) and set(model.state_dict()) == set(state)
    if target is not None and not has_parts:
        check_names(model, state, call)
        raise Unusable("the file also computes the loss; return a module with the parts `model` and `loss`")
    made = model.model if has_parts else model
    if pick not in PICKS:
        raise Unusable(f"the file takes {pick} from what the model returns, which no capture does")
    values = {"float": float, **classes}
    calls = {**values, "call": None}
    arguments = compiled(f"call({call['arguments']})", inputs, calls)
    target_code = None if target is None else compiled(target, inputs, values)
    pick_code = compile("output" + pick, "<captured forward>", "eval")

    refuse_arguments(made, f"the file calls it with ({call['arguments']})", lambda bind: eval(
        arguments, {"__builtins__": {}, **values, **dict.fromkeys(inputs), "call": bind}))

    class Captured(torch.nn.Module):
        def forward(self, *tensors):
            given = dict(zip(inputs, (each[0] for each in tensors) if call["whole_batch"] else tensors))
            own = {"__builtins__": {}, **values, **given}
            output = eval(arguments, {**own, "call": self.model})
            if target_code is not None:
                return self.loss(output, eval(target_code, own))
            return eval(pick_code, {"__builtins__": {}, "output": output})

    module = Captured()
    module.model = made
    if target is not None:  # the op calls of a function are the captured module's own
        module.loss = model.loss if call["loss_is_module"] else functools.partial(model.loss)
    return module.train(model.training)


def refuse_arguments(model, wanted, call):
    """Refuses a forward that does not take what `call` gives to a function; a traceback would say less."""
    try:
        signature = inspect.signature(model.forward)
    except (TypeError, ValueError):
        return
    try:
        call(signature.bind)
    except TypeError:
        raise Unusable(f"forward of the module takes ({', '.join(signature.parameters)}), and {wanted}") from None


def check_names(model, state, call):
    given, needed = set(model.state_dict()), set(state)
    if given == needed:
        return
    inside = {name for name in needed if name.startswith("model.")}
    if needed and {"model." + name for name in given} == inside:
        loss = needed != inside or call is not None
        raise Unusable("the file has the captured model as `model` in a module " + (
            "that also computes the loss; return a module with the parts `model` and `loss`" if loss else
            "that calls it with other arguments, and does not contain how: capture it again, or return a module with "
            "the part `model` whose forward takes the arguments of the file's"))
    differ = [first_of("it has no", sorted(needed - given)), first_of("the file has no", sorted(given - needed))]
    raise Unusable("parameters or buffers differ: " + "; ".join(each for each in differ if each))


def first_of(sentence, names):
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{sentence} {names[0]}{more}" if names else ""


def copies(inputs):
    """A model may write into its inputs."""
    return [each.clone() for each in inputs]


def prove(policy_file, factory, expected_file, model_file):
    try:
        import torch
    except ImportError as error:
        return {"not_run": f"{sys.executable} has no torch ({error})"}
    version = ".".join(torch.__version__.split(".")[:2])
    if version != "2.11":
        return {"not_run": f"{sys.executable} has torch {torch.__version__}, where 2.11 is needed"}
    expected = torch.jit.load(expected_file)
    torch.set_num_threads(expected.threads)
    policy = load("binade_exported_policy", policy_file)
    module_file, _, function = factory.rpartition(":")
    module = load("binade_python_model", module_file)
    if not hasattr(module, function):
        raise Unusable(f"{os.path.basename(module_file)} has no {function}")
    make = getattr(module, function)
    call = captured_call(model_file)

    def made():
        model = make()
        if not isinstance(model, torch.nn.Module):
            raise Unusable(f"{function} returns a {type(model).__name__}, and not an nn.Module")
        if call is not None:
            model = wrapped(model, expected.state, call, classes_of(module))
        try:
            model.load_state_dict(dict(expected.state))
        except RuntimeError:
            check_names(model, expected.state, call)
            raise
        if call is None:
            refuse_arguments(model, f"forward of the file takes ({', '.join(expected.arguments)})",
                             lambda bind: bind(*expected.inputs))
        return model

    # A file that never asks for the mode was traced in one, unless the model acts alike in both.
    only_mode = expected.only_mode if expected.only_mode and depends_on_mode(made, expected) else ""
    model = made()
    comparison = Comparison()
    # Hooks and modes switch the fast paths of attention modules off, and rules for their parts then apply.
    changes = policy.REGIONS or policy.OPS or policy.SITES or policy.BASE_OPS["cpu"]
    skipped = []
    if expected.fast_paths and changes:
        skipped.append("eval mode without gradients, where Python leaves the fast path of attention modules")
    if only_mode:
        skipped.append(f"other modes than {only_mode} mode, which the file is fixed to")
    for index, (train, gradients) in enumerate(((True, True), (False, False), (False, True))):
        if only_mode == ("eval" if train else "train") or expected.fast_paths and changes and not gradients:
            continue
        when = " in train mode" if train else " in eval mode" + ("" if gradients else " without gradients")
        model.train(train)
        model.zero_grad()
        torch.manual_seed(expected.seed)
        with policy.apply(model, "cpu"), torch.set_grad_enabled(gradients):
            outputs = tensors_of(model(*copies(expected.inputs)))
        loss = loss_of(outputs)
        if loss is not None and loss.requires_grad:
            loss.backward()
        wanted = expected.outputs[index]
        if len(wanted) != len(outputs):
            comparison.first_difference = comparison.first_difference or f"number of outputs{when}"
        for i, (a, b) in enumerate(zip(wanted, outputs)):
            comparison.note(f"output {i}{when}", a, b.detach())
        grads = expected.gradients[index]
        for name, parameter in model.named_parameters():
            comparison.note(f"the gradient of {name}{when}", grads.get(name), parameter.grad)
        for name, buffer in model.named_buffers():
            if name in expected.statistics[index]:
                comparison.note(f"the buffer {name}{when}", expected.statistics[index][name], buffer)
    lines = []
    model.train(only_mode != "eval")
    check = policy.check(model, tuple(copies(expected.inputs)), "cpu", report=lines.append)
    return {
        "torch": torch.__version__,
        "identical": not comparison.first_difference,
        "first_difference": comparison.first_difference,
        "skipped": "; ".join(skipped),
        "tensors_compared": comparison.compared,
        "op_calls_compared": check.compared,
        "different": check.different,
        "extra": sorted(set(check.extra)),
        "missing": check.missing,
    }


if __name__ == "__main__":
    try:
        result = prove(*sys.argv[1:4], sys.argv[5])
    except Unusable as error:
        result = {"unusable": str(error)}
    except Exception as error:
        import traceback

        traceback.print_exc()
        result = {"failed": f"{type(error).__name__}: {error}"}
    with open(sys.argv[4], "w", encoding="utf-8") as answer:
        json.dump(result, answer)
