# SPDX-License-Identifier: Apache-2.0
"""What a capture reports: notes, errors with the next step, and the place in the user's code."""
import os
import re
import traceback

try:
    import torch
except ImportError:
    torch = None  # capture() reports it

# The folder of the package; where one_file.py has made one file of it, that file, which may lie beside the user's.
OWN = os.path.abspath(__file__) if "." not in __name__ else os.path.dirname(os.path.abspath(__file__)) + os.sep


class CaptureError(ValueError):
    """A model, batch or setting that cannot be captured. The text states the reason, and then what to change."""

    def __init__(self, problem, change):
        super().__init__(f"{problem}\n  {change}")
        self.problem, self.change = problem, change


class Notes:
    """Sentences about a capture, which are printed at once unless it is quiet."""

    def __init__(self, quiet):
        self.quiet, self.all = quiet, []

    def add(self, sentence):
        self.all.append(sentence)
        self.say(sentence)

    def say(self, sentence):
        if not self.quiet:
            print("binade: " + sentence)


def text_of(dtype, shape):
    """`float32[8, 3]`."""
    return f"{str(dtype)[6:]}{list(shape)}"


def place_of(function):
    """`file:line` of a function, or an empty text."""
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""


def is_users(file):
    """Whether a file belongs to the user, and not to PyTorch or to this package."""
    return os.path.exists(file) and not file.startswith((os.path.dirname(torch.__file__) + os.sep, OWN))


def reason_of(error, function=None):
    """The first sentence of an error, with the last place in the user's code that it names or passed through.

    Where it names none, the place of `function` is added.
    """
    text = str(error).strip()
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    places += reversed(re.findall(r"^(\S+\.py)\((\d+)\)", text, re.MULTILINE))  # the innermost comes first
    places += [] if places else [(each.filename, each.lineno) for each in traceback.extract_tb(error.__traceback__)]
    places = [f"{file}:{line}" for file, line in places if is_users(file)]
    if not places and function is not None and is_users(place_of(function).rpartition(":")[0]):
        places = [place_of(function)]
    sentence = _first_sentence(text) or type(error).__name__
    return f"{sentence} ({places[-1]})" if places else sentence


SIGNATURE = re.compile(r"[\w.:]+\(.*\) -> .*:$")  # of a call with wrong arguments, in front of what is wrong


def _first_sentence(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    signatures = [i for i, line in enumerate(lines) if SIGNATURE.match(line)]
    if signatures and signatures[0] + 1 < len(lines) and (signatures[0] == 0 or lines[0].startswith("Arguments for")):
        called = lines[signatures[0]].partition("(")[0]
        return f"{called} cannot be called: {lines[signatures[0] + 1].rstrip(':. ')}"
    if not lines:
        return ""
    sentence = lines[0]
    if sentence.startswith("The following operation failed"):
        sentence = lines[-1]  # the interpreter puts the reason behind its own traceback
    lost = re.match(r"Module '\w+' has no attribute '(\w+)' \(This function exists", sentence)
    if lost:  # the reason stands further below
        inner = text.partition("The error stack is reproduced here:")[2]
        sentence = f"{lost[1]} is a function that TorchScript cannot compile"
        if "lambda" in inner or "single top-level function" in inner or "INTERNAL ASSERT" in inner:
            return sentence + ", such as a lambda"
        return f"{sentence}: {_first_sentence(inner)}"
    return sentence.rstrip(":. ")
