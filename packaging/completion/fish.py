# SPDX-License-Identifier: Apache-2.0
"""The completion of fish."""


def text(name, commands):
    """The file for the program `name`."""
    lines = ["# SPDX-License-Identifier: Apache-2.0", f"# Made of `{name} --help`.", f"complete -c {name} -f"]
    for command in commands:
        condition = _condition(command, commands)
        start = f"complete -c {name}" + (f" -n {_quoted(condition)}" if condition else "")
        if command.files:
            lines.append(f"{start} -F")
        for words, description in [((each,), words) for each, words in command.commands] + [(command.words, "")]:
            if words:
                what = f" -d {_quoted(description)}" if description else ""
                lines.append(f"{start} -a {_quoted(' '.join(words))}{what}")
        for option in command.options:
            value = ""
            if option.takes:
                value = " -r -F" if option.files else " -x"
                value += f" -a {_quoted(' '.join(option.words))}" if option.words else ""
            lines.append(f"{start} -l {option.name[2:]}{value} -d {_quoted(option.summary())}")
    return "\n".join(lines) + "\n"


def _condition(command, commands):
    if len(commands) == 1:
        return ""
    if not command.path:
        return "__fish_use_subcommand"
    seen = "; and ".join("__fish_seen_subcommand_from " + word for word in command.path)
    if command.commands:
        seen += "; and not __fish_seen_subcommand_from " + " ".join(name for name, _ in command.commands)
    return seen


def _quoted(words):
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"
