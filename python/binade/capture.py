# SPDX-License-Identifier: Apache-2.0
"""capture(): from a training in Python to a folder that Binade opens."""
import dataclasses
import json
import operator
import os
import shutil

from .batches import open_batches, write_batches
from .case import Case
from .check import differences
from .compiled import write_model
from .messages import CaptureError, Notes
from .settings import optimizer_settings, scaler_settings, schedule_settings
from .state import undisturbed
from .surroundings import check_torch, unwrapped, version_note

BASES = ("cuda-amp", "cpu-amp", "apex-o0", "apex-o1", "apex-o2", "apex-o3", "all-float32")


@dataclasses.dataclass
class Captured:
    """What capture() wrote. `differences` is empty if one step of the captured model equals the original's."""

    run: str  # absolute path of training.run.json
    how: str  # "script", "trace", or "script, loss traced"
    batches: int
    notes: list  # sentences
    differences: list  # a sentence for each output, loss, gradient or buffer that differs


@dataclasses.dataclass
class _Settings:
    """The arguments of capture() that end up in training.run.json."""

    optimizer: object
    scheduler: object
    scaler: object
    steps: object
    policy: object
    clip_norm: float
    clip_value: float
    accumulate: int
    scheduler_every: int
    seed: int
    name: object


def capture(model, batch=None, loss=None, optimizer=None, scheduler=None, scaler=None, data=None, steps=None, to="run",
            *, split=None, how="auto", policy=None, clip_norm=0, clip_value=0, accumulate=1, scheduler_every=1, seed=1,
            name=None, quiet=False):
    """Writes the folder `to` with the model, the batches and training.run.json, and checks one step. Returns a
    Captured.

    model       a torch.nn.Module; torch.compile and DistributedDataParallel are unwrapped. It is left unchanged.
    batch       one batch as the loader gives it. Without `data`, every step trains on it.
    loss        a name ("cross_entropy", "mse", ...), a loss of torch.nn or torch.nn.functional, or any function or
                module that takes (output, target). None: forward returns the loss, alone or as "loss".
    optimizer   SGD, Adam, AdamW, RMSprop or Adagrad. None: gradients are computed, and nothing is trained.
    scheduler   a scheduler whose rates the engine can follow: constant, step or cosine, after a linear warm-up.
    scaler      a torch.amp.GradScaler.
    data        the loader. It is read again until there are enough batches; an iterator is read once.
    steps       optimizer steps. None: as many as `data` has batches.
    to          a folder that does not exist yet.
    split       a function from a batch to (inputs, target). Without it, the target is the last member of a tuple or
                list, or the keys of a dictionary that forward does not take. Members that are lists of texts, such
                as paths, are left out before, and so are texts in a dictionary.
    how         "script", "trace", or "auto": a script if the model can be scripted, else a trace.
    policy      a policy as a dictionary, a policy file, or the name of a base list. None: all-float32, or cuda-amp
                with a scaler.
    scheduler_every   optimizer steps between two calls of scheduler.step().
    clip_norm, clip_value, accumulate, seed, name   as in a run description.
    quiet       print nothing; the sentences are in Captured.notes.

    Raises CaptureError, which states the reason and what to change. Nothing is written then.
    """
    check_torch()
    notes = Notes(quiet)
    if version_note():
        notes.add(version_note())
    if how not in ("auto", "script", "trace"):
        raise CaptureError(f'how is "{how}".', 'Write "auto", "script" or "trace".')
    steps = None if steps is None else _at_least_one("steps", steps)
    accumulate = _at_least_one("accumulate", accumulate)
    scheduler_every = _at_least_one("scheduler_every", scheduler_every)
    to = os.fspath(to)
    folder = os.path.abspath(to)
    if os.path.lexists(folder):
        raise CaptureError(f"{to} exists already.", "Choose another folder, or remove this one first.")
    model = unwrapped(model, notes)
    settings = _Settings(optimizer, scheduler, scaler, steps, _policy_of(policy), clip_norm, clip_value, accumulate,
                         scheduler_every, seed, name or type(model).__name__)
    partial = f"{folder}.partial-{os.getpid()}"
    try:
        with undisturbed(model, loss) as reset:
            given, batches = open_batches(batch, data, steps, notes)
            case = Case(model, loss, given, split)
            if case.left_out:
                notes.add("Texts are no data of a run, and were left out of each batch: "
                          f"{', '.join(map(repr, case.left_out))}.")
            reset()
            os.makedirs(partial)
            result = _write(partial, case, batches, settings, how, notes, reset)
        os.rename(partial, folder)
    except OSError as error:
        raise CaptureError(f"{to} could not be written: {error}.", "Choose a folder that you may write to.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    result.run = os.path.join(folder, "training.run.json")
    shown = os.path.join(to, "training.run.json")
    for difference in result.differences:
        notes.say("Differs from the original: " + difference + ".")
    notes.say(f"Wrote {shown}, with {result.batches} batches. Open it with: binade {shown}")
    return result


def _at_least_one(field, value):
    """`value` as an int; numpy's integers are others, which JSON does not take."""
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise CaptureError(f"{field} is {value}.", "Give a whole number of at least 1.")
    return number


def _policy_of(policy):
    """`policy` as in a run description: a file by its content, as the description is in another folder."""
    if policy is None or isinstance(policy, dict) or policy in BASES:
        return policy
    try:
        with open(policy, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, TypeError, ValueError) as error:
        raise CaptureError(f"The policy {policy} could not be read: {error}.",
                           f"Give a dictionary, a policy file, or one of {', '.join(BASES)}.") from error


def _write(folder, case, batches, settings, how, notes, reset):
    wanted = settings.steps and settings.steps * settings.accumulate
    columns, samples = write_batches(folder, case, batches, wanted, notes)
    count = columns[0].rows // case.rows
    steps = settings.steps or max(count // settings.accumulate, 1)
    described = _described(case, settings, steps, columns, notes)
    file = os.path.join(folder, "model.pt")
    way = write_model(file, case, how, samples[0], notes, reset)
    found = differences(case, file, samples, settings.seed, way, reset, notes)
    with open(os.path.join(folder, "training.run.json"), "w", encoding="utf-8") as out:
        json.dump(described, out, indent=2)
        out.write("\n")
    return Captured("", way, count, list(notes.all), found)


def _described(case, settings, steps, columns, notes):
    """The run description."""
    inputs = {column.name: column.entry() for column in columns if column.name != case.target_name}
    targets = {column.name: column.entry() for column in columns if column.name == case.target_name}
    data = {"kind": "files", "files": [column.file for column in columns], "columns": inputs, "shuffle": False}
    if targets:
        data["targets"] = targets
    run = {"binade_run": 1, "name": settings.name, "model": "model.pt", "data": data, "losses": [case.loss_entry]}
    names = case.named("named_parameters")
    if settings.optimizer is None:
        run["optimizer"] = {"kind": "none"}
        notes.add("No optimizer was given: the run computes gradients and trains nothing.")
    else:
        run["optimizer"] = optimizer_settings(settings.optimizer, names, settings.scheduler is not None, notes)
    if settings.scheduler is not None:
        run["schedule"] = schedule_settings(settings.scheduler, settings.optimizer, steps, settings.scheduler_every,
                                            notes)
    if settings.clip_norm or settings.clip_value:
        run["clip"] = {"norm": settings.clip_norm, "value": settings.clip_value}
    run["scaler"] = scaler_settings(settings.scaler, notes)
    mixed = {"binade_policy": 1, "base": "cuda-amp", "low": "float16"}
    run["policy"] = settings.policy or (mixed if run["scaler"]["enabled"] else "all-float32")
    if settings.accumulate > 1:
        run["accumulate"] = settings.accumulate
    run.update(batch=case.rows, steps=steps, seed=settings.seed,
               device="cuda" if case.device.type == "cuda" else "cpu")
    return run
