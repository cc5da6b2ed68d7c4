# SPDX-License-Identifier: Apache-2.0
"""What the `--help` of a program lists, as values: commands, options, and the words that they take."""
import dataclasses
import os
import re
import subprocess

# What CLI11 writes between the name of an option and its description.
KIND = re.compile(r"((?: [A-Z]+(?=[ .:=\n])(?::\{\S*?\}|:[A-Z]+)?(?:=\S+)?(?: ?\.\.\.)?)?(?: REQUIRED)?"
                  r"(?: Excludes: \S+)*)\s+(.*)", re.DOTALL)
# A value that is another thing than a word or a file: a number, a pattern, a name that a person makes up.
FREE = {"--name", "--fixed", "--formats", "--input", "--output", "--budget", "--python-model", "--scale", "--autocast",
        "--behaviour"}
POLICIES = {"--policy", "--against", "--edited", "POLICY", "BASE", "MINE", "THEIRS", "OTHER", "THIRD"}


@dataclasses.dataclass
class Option:
    """An option, as `--base`, with what follows it: nothing, words, files, or a value that no shell can complete."""
    name: str
    text: str
    takes: bool = False
    words: tuple = ()
    files: bool = False

    def summary(self):
        """The first sentence of the text, without brackets that go on behind it."""
        return re.sub(r" \([^)]*$", "", re.split(r"[.;:] |\.$", self.text)[0])


@dataclasses.dataclass
class Command:
    """A command, with the path of its words: () is the program, ("policy", "check") a command of a command."""
    path: tuple
    text: str
    options: list
    commands: list  # the names of its commands, with their texts
    positionals: list = dataclasses.field(default_factory=list)
    words: tuple = ()  # for the positionals
    files: bool = False


def engine(program):
    """All commands of binade-engine, the program itself first."""
    found = [_command(program, (), "")]
    for command in found:
        for name, text in command.commands:
            found.append(_command(program, (*command.path, name), text))
    lists = next(option.text for each in found for option in each.options if option.name == "--base")
    bases = _names(lists.split(":", 1)[1])
    samples = next(each.words for each in found if each.path == ("sample",))
    for each in found:
        for option in each.options:
            if option.name == "--base":
                option.words, option.files = bases, False
            elif option.name in POLICIES:
                option.words, option.files = bases, True
        more = (word for name in each.positionals for word in _positional(name, bases, samples))
        each.words = tuple(dict.fromkeys((*each.words, *more)))
        each.files = any(name not in ("NAME", "SPEC") for name in each.positionals)
    return found


def explorer(program):
    """The one command of binade."""
    text = _help(program, ())
    options = []
    # Descriptions go on in further lines, which are indented.
    for names, value, words in re.findall(r"^  ((?:-\w, )?--[\w-]+)(?: <(\w+)>)?((?:\s{2,}\S.*)(?:\n {6,}\S.*)*)", text,
                                          re.MULTILINE):
        option = Option(names.split(", ")[-1], _line(words), bool(value))
        option.files = value in ("LESSON", "FOLDER", "FILE", "RUN")
        last = re.search(r"1 to (\d+)", option.text) if value == "LESSON" else None
        option.words = tuple(str(number) for number in range(1, int(last[1]) + 1)) if last else ()
        options.append(option)
    return [Command((), "", options, [], files="FILE" in text.splitlines()[0])]


def _command(program, path, text):
    lines = _help(program, path)
    command = Command(path, text, [], [])
    targets = tuple(dict.fromkeys(re.findall(r"^  ([a-z]+)  +\S", _part(lines, r"Targets[^\n]*:"), re.MULTILINE)))
    for name, rest in re.findall(r"^  ([A-Z]+) (.*(?:\n {6,}\S.*)*)", _part(lines, "Positionals:"), re.MULTILINE):
        command.positionals.append(name)
        if name == "NAME":
            command.words = _names(rest.split("  ", 1)[1])
    listed = _part(lines, "[Oo]ptions:")  # `setup` is a program of its own, whose help Python's argparse writes
    for names, rest in re.findall(r"^  ((?:-\w, ?)?--[\w-]+)(.*(?:\n {6,}\S.*)*)", listed, re.MULTILINE):
        kind, description = KIND.fullmatch(rest).groups()
        option = Option(names.split(",")[-1].strip(), _line(description), bool(re.match(r" (?!REQUIRED)[A-Z]+\b", kind)))
        choices = re.search(r"TEXT:\{(.*?)\}", kind)
        option.words = tuple(choices[1].split(",")) if choices else targets if option.name == "--to" else ()
        option.files = kind.startswith((" TEXT", " FOLDER")) and not option.words and option.name not in FREE
        command.options.append(option)
    command.commands = re.findall(r"^  ([a-z]+) +(\S.*)", _part(lines, "Subcommands:"), re.MULTILINE)
    return command


def _positional(name, bases, samples):
    if name in POLICIES:
        return bases
    return tuple("sample:" + sample for sample in samples) if name == "MODEL" else ()


def _names(text):
    """The names in a list of words: `a, b0 to b2 or c` is a, b0, b1, b2 and c."""
    found = []
    for word in re.split(r",\s*|\s+or\s+", text.split("(")[0].strip()):
        ends = re.fullmatch(r"(\S*?)(\d+) to \1(\d+)", word)
        found += [f"{ends[1]}{n}" for n in range(int(ends[2]), int(ends[3]) + 1)] if ends else [word]
    return tuple(found)


def _part(text, title):
    """The lines behind a title, up to the next title."""
    return "\n".join(re.findall(rf"^{title}\n((?:[ ].*\n)*)", text + "\n", re.MULTILINE))


def _line(text):
    return " ".join(text.split())


def _help(program, path):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run([program, *path, "--help"], check=True, stdout=subprocess.PIPE, text=True,
                          env=environment).stdout
