# SPDX-License-Identifier: Apache-2.0
"""What a capture reports: notes, errors with the next step, and the place in the user's code."""
import os
import re
import traceback

try:
    import torch
except ImportError:
    torch = None  # capture() reports it

OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))


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
    return not file.startswith((os.path.dirname(torch.__file__), OWN_FOLDER, "<"))


def reason_of(error):
    """The first sentence of an error, with the last line of the user's code that it names or passed through."""
    text = str(error).strip()
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    if not places:
        places = [(each.filename, each.lineno) for each in traceback.extract_tb(error.__traceback__)]
    places = [f"{file}:{line}" for file, line in places if is_users(file)]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # TorchScript's interpreter puts the reason behind its own traceback.
    first = lines[-1] if lines and lines[0].startswith("The following operation failed") else lines[0] if lines else ""
    first = (first or type(error).__name__).rstrip(":.")
    return f"{first} ({places[-1]})" if places else first
