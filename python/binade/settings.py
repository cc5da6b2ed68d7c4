# SPDX-License-Identifier: Apache-2.0
"""Optimizer, schedule and loss scaling as a run description states them."""
import copy
import math
import warnings

from .messages import CaptureError, torch

KINDS = {"SGD": "sgd", "Adam": "adam", "AdamW": "adamw", "RMSprop": "rmsprop", "Adagrad": "adagrad"}
FIELDS = {"momentum": "momentum", "dampening": "dampening", "nesterov": "nesterov", "eps": "epsilon",
          "amsgrad": "amsgrad", "alpha": "alpha", "centered": "centered", "lr_decay": "rate_decay", "fused": "fused"}


def optimizer_settings(optimizer, names, has_schedule, notes):
    """`optimizer` of a run description. Parameters that the optimizer does not hold are frozen."""
    kind = KINDS.get(type(optimizer).__name__)
    if kind is None or not type(optimizer).__module__.startswith("torch.optim"):
        raise CaptureError(f"The optimizer {type(optimizer).__name__} is not one of {', '.join(KINDS)}.",
                           "Capture with one of these, or without an optimizer, and edit training.run.json.")
    if any(_has_moved(state) for state in optimizer.state.values()):
        notes.add("The optimizer has taken steps. Its state, such as momentum, is not captured and starts at zero.")
    groups = [_group(group, kind, has_schedule) for group in optimizer.param_groups]
    first = max(range(len(groups)), key=lambda i: len(optimizer.param_groups[i]["params"]))
    base = groups[first]
    of = {id(p): settings for group, settings in zip(optimizer.param_groups, groups) for p in group["params"]}
    known = {id(p) for _, p in names}
    strangers = sum(1 for each in of if each not in known)
    if strangers:
        raise CaptureError(f"The optimizer holds {strangers} tensors that are no parameters of the model.",
                           "Make the optimizer from model.parameters(), and capture the module that holds them all.")
    frozen = [name for name, p in names if id(p) not in of and p.requires_grad]
    for name, parameter in names:
        if id(parameter) not in of:
            parameter.requires_grad_(False)  # the original's flag is restored when the capture ends
    if frozen:
        notes.add(f"{len(frozen)} parameters are not in the optimizer and stay as they are, among them {frozen[0]}.")
    rates = ("learning_rate", "weight_decay")
    for settings in groups:
        for field in sorted({*settings, *base} - set(rates)):
            if settings.get(field) != base.get(field):
                raise CaptureError(f"Groups of the optimizer have different values of {field}.",
                                   "The engine's groups differ in learning rate and weight decay only.")
    first_names = {id(p): name for name, p in reversed(names)}  # tied weights have several
    own = [{"match": name, **{field: of[id(p)][field] for field in rates if of[id(p)][field] != base[field]}}
           for name, p in names if p.requires_grad and first_names[id(p)] == name and of[id(p)] != base]
    if kind in ("adam", "adamw", "rmsprop") and not base.get("fused"):
        notes.add(f"{type(optimizer).__name__} of the engine differs from Python's in the last bit of a step"
                  + (", except with fused=True." if kind != "rmsprop" else "."))
    return {"kind": kind, **base, **({"groups": own} if own else {})}


def _has_moved(state):
    """Whether a parameter's state comes from a step; Adagrad's exists from the start."""
    if "step" in state:
        return float(state["step"]) > 0
    return any(each is not None for each in state.values())


def _group(group, kind, has_schedule):
    if group.get("maximize"):
        raise CaptureError("The optimizer maximizes.", "Negate the loss, and minimize it.")
    if group.get("initial_accumulator_value"):
        raise CaptureError("Adagrad begins with initial_accumulator_value, which the engine sets to 0.",
                           "Capture with initial_accumulator_value=0.")
    if kind == "adam" and group.get("decoupled_weight_decay"):
        raise CaptureError("Adam has decoupled_weight_decay, which is AdamW.", "Use torch.optim.AdamW.")
    if group.get("fused") and kind == "adagrad":
        raise CaptureError("The engine has no fused Adagrad.", "Capture with fused=False.")
    rate = group.get("initial_lr", group["lr"]) if has_schedule else group["lr"]
    settings = {"learning_rate": float(rate), "weight_decay": float(group.get("weight_decay", 0))}
    if "betas" in group:
        settings["beta1"], settings["beta2"] = (float(each) for each in group["betas"])
    for theirs, ours in FIELDS.items():
        value = group.get(theirs)
        if isinstance(value, bool):
            settings[ours] = value
        elif value is not None:
            settings[ours] = float(value)
    off = set(FIELDS.values()) - {"epsilon", "alpha"}  # these are 0 or false where a description omits them
    return {field: value for field, value in settings.items() if value or field not in off}


def schedule_settings(scheduler, optimizer, steps, every, notes):
    """`schedule` of a run description: the one that has the scheduler's rates in every step."""
    if optimizer is None:
        raise CaptureError("A scheduler was given without an optimizer.", "Give the optimizer too.")
    if scheduler.optimizer is not optimizer:
        raise CaptureError("The scheduler belongs to another optimizer.", "Give the optimizer that it was made for.")
    name = type(scheduler).__name__
    if name == "ReduceLROnPlateau":
        raise CaptureError("ReduceLROnPlateau depends on losses, which the engine's schedules do not.",
                           "Capture without the scheduler, or with StepLR.")
    if getattr(scheduler, "last_epoch", 0) > 0:
        raise CaptureError(f"{name} has taken {scheduler.last_epoch} steps, and the engine's schedule begins at 0.",
                           "Capture before the first scheduler.step().")
    factors = _factors(scheduler, optimizer, steps, every)
    found = _schedule_with(factors)
    if found is None:
        if getattr(scheduler, "T_max", None) == steps and every == 1:  # the usual length: the floor is one step later
            raise CaptureError(
                f"{name} reaches its floor after {steps} steps, and the engine's cosine in the last step.",
                f"Capture with steps={steps + 1}, or with T_max={steps - 1}.")
        raise CaptureError(
            f"{name} does not follow a schedule of the engine over {steps} steps.",
            "The engine has constant, step and cosine (which reaches its floor in the last step: T_max = steps - 1), "
            "each after a linear warm-up. Choose one of these, or capture without the scheduler.")
    if any(a != b for a, b in zip(factors, _rates(found, len(factors)))):
        notes.add("Learning rates of the engine's schedule differ from the scheduler's in the last bits.")
    return found


def _factors(scheduler, optimizer, steps, every):
    """Each step's learning rate / the first rate, from a copy of the scheduler."""
    shared = {id(p): p for group in optimizer.param_groups for p in group["params"]}
    shared[id(optimizer.state)] = {}
    copied = copy.deepcopy(scheduler, shared)
    initial = [float(group.get("initial_lr", group["lr"])) for group in copied.optimizer.param_groups]
    factors = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no optimizer step precedes these steps
        for step in range(steps):
            now = [float(group["lr"]) / (rate or 1) for group, rate in zip(copied.optimizer.param_groups, initial)]
            if max(now) - min(now) > 1e-9:
                raise CaptureError("The scheduler changes the groups' learning rates in different ways.",
                                   "The engine multiplies the rate of every group by one factor.")
            factors.append(now[0])
            if (step + 1) % every == 0:
                copied.step()
    return factors


def _rates(schedule, steps):
    """The factors of a schedule as engine/train/schedule.cpp computes them."""
    factors, warmup = [], schedule.get("warmup", 0)
    for step in range(steps):
        since, length = step - warmup, steps - warmup - 1
        if since < 0:
            factors.append((step + 1) / warmup)
        elif schedule["kind"] == "step":
            factors.append(schedule["factor"] ** (since // schedule["every"]))
        elif schedule["kind"] == "cosine":
            floor = schedule["floor"]
            at_end = floor if length > 0 else 1
            turn = math.pi * since / max(length, 1)
            factors.append(at_end if since >= length else floor + (1 - floor) * (1 + math.cos(turn)) / 2)
        else:
            factors.append(1.0)
    return factors


def _schedule_with(factors):
    """The schedule with these factors, or None."""
    warmups = [0] + ([round(1 / factors[0])] if 0 < factors[0] < 1 else [])
    for warmup in warmups:
        rest = factors[warmup:]
        change = next((i for i, each in enumerate(rest) if each != rest[0]), 0)
        kinds = [{"kind": "constant"}]
        if change:
            kinds += [{"kind": "step", "every": change, "factor": rest[change]},
                      {"kind": "cosine", "floor": max(rest[-1], 0.0)}]
        for kind in kinds:
            found = {**kind, "warmup": warmup}
            if all(abs(a - b) <= 1e-9 for a, b in zip(factors, _rates(found, len(factors)))):
                return found
    return None


def scaler_settings(scaler, notes):
    """`scaler` of a run description."""
    if scaler is None or not scaler.is_enabled():
        return {"enabled": False}
    if scaler._get_growth_tracker():
        notes.add("The scaler's count of steps since its last growth is not captured and starts at 0.")
    return {"enabled": True, "init_scale": scaler.get_scale(), "growth_factor": scaler.get_growth_factor(),
            "backoff_factor": scaler.get_backoff_factor(), "growth_interval": scaler.get_growth_interval()}
