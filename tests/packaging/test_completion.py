# SPDX-License-Identifier: Apache-2.0
"""The completion of the shells offers all that `--help` lists. bash is asked for everything, zsh and fish as well where
they are installed."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import help_text
import make

BIN = os.environ["BINADE_BIN"]
PROGRAMS = ("binade-engine", "binade")


def help_of(program, *path):
    return subprocess.run([os.path.join(BIN, program), *path, "--help"], check=True, capture_output=True, text=True,
                          env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}).stdout


class Completion(unittest.TestCase):
    """The files that packaging/completion/make.py writes for the programs of this build."""

    @classmethod
    def setUpClass(cls):
        cls.commands = {"binade-engine": help_text.engine(os.path.join(BIN, "binade-engine")),
                        "binade": help_text.explorer(os.path.join(BIN, "binade"))}
        cls.folder = tempfile.mkdtemp()
        make.write(cls.commands, cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def bash(self, lines):
        """What bash offers at the end of each of these lines, as lists of words. Files in the current folder:
        model.pt."""
        script = ["cd " + self.folder, "mkdir -p files && cd files && : >model.pt"]
        script += [f"source {self.folder}/bash-completion/completions/{name}" for name in PROGRAMS]
        for line in lines:
            function = "_" + line.split()[0].replace("-", "_")
            quoted = line.replace("'", "'\\''")
            script.append(f"COMP_LINE='{quoted}' COMP_POINT={len(line)} COMPREPLY=(); {function}")
            script.append('echo "${COMPREPLY[*]}"')
        done = subprocess.run(["bash", "--norc"], input="\n".join(script), capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return [line.split() for line in done.stdout.split("\n")[:-1]]

    def test_every_option_and_command_of_help_is_offered_by_bash(self):
        lines, wanted = [], []
        for program, commands in self.commands.items():
            for command in commands:
                line = " ".join([program, *command.path, ""])
                lines += [line, line + "-"]
                wanted.append(({name for name, _ in command.commands}, set(re.findall(
                    r"^ +(?:-\w, ?)?(--[a-z][a-z-]*)", help_of(program, *command.path), re.MULTILINE))))
        offered = self.bash(lines)
        options = 0
        for (commands, names), all_words, with_dash, line in zip(wanted, offered[::2], offered[1::2], lines[::2]):
            self.assertLessEqual(commands, set(all_words), line)
            self.assertEqual(names, set(with_dash), line)
            options += len(names)
        print(f"{options} options of {len(wanted)} commands")
        self.assertGreater(options, 100)
        self.assertGreater(len(wanted), 25)

    def test_values_are_offered_where_they_are_known(self):
        cases = [("binade-engine policy ", "merge"), ("binade-engine policy show a", "apex-o0"),
                 ("binade-engine inspect --base c", "cuda-amp"), ("binade-engine inspect mo", "model.pt"),
                 ("binade-engine train --profile t", "times"), ("binade-engine export --to pyt", "pytorch"),
                 ("binade-engine sample cn", "cnn"), ("binade-engine try --policy all", "all-float32"),
                 ("binade mod", "model.pt"), ("binade --lesson 1", "10")]
        for (line, word), offered in zip(cases, self.bash([line for line, _ in cases])):
            self.assertIn(word, offered, line)
        # A colon ends a word of Readline, so only what follows is replaced.
        self.assertEqual(self.bash(["binade-engine inspect sample:tr"]), [["transformer"]])
        self.assertEqual(self.bash(["binade-engine train --steps "]), [[]])

    def test_fish_offers_the_same(self):
        if shutil.which("fish") is None:
            self.skipTest("fish is not installed")
        lines, wanted = [], []
        for program, commands in self.commands.items():
            for command in commands:
                lines.append(" ".join([program, *command.path, "--"]))
                wanted.append({option.name for option in command.options})
        script = [f"source {self.folder}/fish/vendor_completions.d/{name}.fish" for name in PROGRAMS]
        script += [f"complete -C '{line}'; echo ==" for line in lines]
        out = subprocess.run(["fish", "--no-config", "-c", "\n".join(script)], check=True, capture_output=True,
                             text=True, env={**os.environ, "HOME": self.folder}).stdout.split("==\n")
        for line, names, text in zip(lines, wanted, out):
            self.assertEqual(names, {each.split("\t")[0] for each in text.splitlines()}, line)
        print(f"{sum(map(len, wanted))} options of {len(lines)} commands")

    def test_zsh_offers_the_same(self):
        if shutil.which("zsh") is None:
            self.skipTest("zsh is not installed")
        names = 0
        for program, commands in self.commands.items():
            file = f"{self.folder}/zsh/site-functions/_{program}"
            subprocess.run(["zsh", "-n", file], check=True)
            # Completion functions need an editor. Here a function in the place of _arguments notes what it is given.
            for command in commands:
                function = "_".join(["_" + program, *command.path])
                script = ("_arguments() { print -rl -- $@ }\n_describe() { print -rl -- ${(P)2} }\n"
                          f"source {file} >/dev/null\nstate=command\n{function}")
                out = subprocess.run(["zsh", "-f", "-c", script], check=True, capture_output=True, text=True).stdout
                wanted = {option.name for option in command.options}
                self.assertEqual(wanted, set(re.findall(r"^(--[\w-]+)\[", out, re.MULTILINE)), function)
                names += len(wanted)
        print(f"{names} options")

    def test_zsh_completes_what_is_typed(self):
        if shutil.which("zsh") is None:
            self.skipTest("zsh is not installed")
        cases = [("policy mi\\t model.pt --o\\t", "policy minimise model.pt --out"),
                 ("train --profile ti\\t", "train --profile times"),
                 ("try --policy all\\t", "try --policy all-float32"),
                 ("inspect sample:tr\\t", "inspect sample:transformer"), ("inspect mod\\t", "inspect model.pt"),
                 ("export --to pyt\\t", "export --to pytorch")]
        # An interactive shell on a terminal of its own, where a function in the place of the program prints its words.
        script = ["zmodload zsh/zpty", "zpty -b z zsh -f -i",
                  f"zpty -w z 'cd {self.folder}/files; fpath=({self.folder}/zsh/site-functions $fpath)'",
                  "zpty -w z \"autoload -U compinit; compinit -u -D; bindkey '^I' complete-word\"",
                  "zpty -w z 'binade-engine() { print -r -- \"<\"\"<$*>>\" }'"]
        for line, _ in cases:
            script += [f"zpty -w -n z $'binade-engine {line}\\n'", "zpty -r z out '*<<*>>*'", 'print -r -- "$out"']
        os.makedirs(os.path.join(self.folder, "files"), exist_ok=True)
        with open(os.path.join(self.folder, "files/model.pt"), "w", encoding="utf-8"):
            pass
        out = subprocess.run(["zsh", "-f", "-c", "\n".join(script)], check=True, capture_output=True, text=True,
                             timeout=60, env={**os.environ, "TERM": "dumb", "HOME": self.folder}).stdout
        self.assertEqual([each.strip() for each in re.findall(r"<<([^$>]*)>>", out)], [words for _, words in cases])


if __name__ == "__main__":
    unittest.main()
