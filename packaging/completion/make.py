# SPDX-License-Identifier: Apache-2.0
"""python3 packaging/completion/make.py BIN OUT

Writes what bash, zsh and fish need to complete the command lines of the programs in the folder BIN, as the programs
describe them with --help: OUT/bash-completion/completions/*, OUT/zsh/site-functions/*, OUT/fish/vendor_completions.d/*.
"""
import os
import sys

import bash
import fish
import help_text
import zsh


def write(programs, out):
    """Writes the files of the programs, which are {name: commands}, below the folder `out`."""
    for name, commands in programs.items():
        for place, text in ((f"bash-completion/completions/{name}", bash.text(name, commands)),
                            (f"zsh/site-functions/_{name}", zsh.text(name, commands)),
                            (f"fish/vendor_completions.d/{name}.fish", fish.text(name, commands))):
            path = os.path.join(out, place)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


def main(arguments):
    """Returns the exit code."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder, out = arguments
    write({"binade-engine": help_text.engine(os.path.join(folder, "binade-engine")),
           "binade": help_text.explorer(os.path.join(folder, "binade"))}, out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
