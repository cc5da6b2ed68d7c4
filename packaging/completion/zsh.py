# SPDX-License-Identifier: Apache-2.0
"""The completion of zsh."""
import re

# The function that offers words and files, in each file, since shells load them separately.
BOTH = "_binade_words_and_files"
BOTH_TEXT = BOTH + """() {
  local expl
  local -a offered=("$@")
  _wanted words expl word compadd -a offered
  _files
}"""


def text(name, commands):
    """The file for the program `name`."""
    function = "_" + name
    lines = [f"#compdef {name}", "# SPDX-License-Identifier: Apache-2.0", f"# Made of `{name} --help`.", ""]
    lines += [BOTH_TEXT, ""]
    for command in reversed(commands):
        lines += [_function(function, command), ""]
    return "\n".join([*lines, f'{function} "$@"', ""])


def _function(name, command):
    specs = [_option(option) for option in command.options]
    body = []
    if command.commands:
        body += ["  local -a commands=("]
        body += [f"    {_quoted(each + ':' + words)}" for each, words in command.commands]
        body += ["  )", "  local line state"]
        specs += ["'1:command:->command'", "'*::argument:->argument'"]
    elif command.words or command.files:
        specs.append(_quoted("*:argument:" + _action(command.words, command.files)))
    body.append("  _arguments -C -s \\\n    " + " \\\n    ".join(specs))
    if command.commands:
        inner = "_".join([name, *command.path])
        body += ["  case $state in", "    command) _describe command commands ;;",
                 f"    argument) (( $+functions[{inner}_$line[1]] )) && {inner}_$line[1] ;;", "  esac"]
    return "\n".join(["_".join([name, *command.path]) + "() {", *body, "}"])


def _option(option):
    spec = f"{option.name}[{re.sub(r'([][:])', chr(92) * 2 + r'1', option.summary())}]"
    if option.takes:
        spec += ":value:" + _action(option.words, option.files)
    return _quoted(spec)


def _action(words, files):
    """What completes a value: nothing, words, files, or both."""
    listed = " ".join(word.replace(":", "\\:") for word in words)
    if words and files:
        return f" {BOTH} {listed}"
    return f"({listed})" if words else "_files" if files else " "


def _quoted(words):
    return "'" + words.replace("'", "'\\''") + "'"
