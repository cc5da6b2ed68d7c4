# SPDX-License-Identifier: Apache-2.0
"""python -m binade: how to capture a training, and whether this Python can."""
import sys

from .messages import CaptureError
from .surroundings import check_torch, version_note

HELP = """usage: python -m binade [--help | --check]

Captures a PyTorch training for Binade. Add three lines to your script, where model, loss, optimizer and loader exist:

    import binade
    binade.capture(model, loss=loss, optimizer=optimizer, data=loader, steps=100, to="run")

and run the script. Then:

    binade run/training.run.json                 opens the captured training
    binade-engine train run/training.run.json    trains it without a window

  --check   state whether this Python can capture
  --help    print this text; help(binade.capture) in Python describes every argument
"""


def main(arguments):
    if arguments == ["--check"]:
        try:
            check_torch()
        except CaptureError as error:
            print(f"binade: {error}", file=sys.stderr)
            return 1
        print("binade: " + (version_note() or "This Python can capture, with the engine's own version of PyTorch."))
        return 0
    if arguments in ([], ["--help"], ["-h"]):
        print(HELP, end="")
        return 0
    print(f"binade: {' '.join(arguments)} is unknown.\n  Write: python -m binade --help", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
