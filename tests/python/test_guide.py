# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/guide/python.md, in the order of the page."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "guide", "python.md")


def pieces():
    """(language, text) of every piece of code; "" for what a command prints."""
    with open(PAGE, encoding="utf-8") as page:
        return re.findall(r"^```(\w*)\n(.*?)^```", page.read(), re.MULTILINE | re.DOTALL)


class Guide(unittest.TestCase):
    def test_the_pages_commands_run_and_print_what_it_shows(self):
        environment = dict(os.environ)
        environment["PATH"] = os.path.dirname(environment["BINADE_ENGINE"]) + os.pathsep + environment["PATH"]
        ran, compared, printed = 0, 0, ""
        with tempfile.TemporaryDirectory() as folder:
            environment["XDG_DATA_HOME"] = folder
            for language, text in pieces():
                if text.startswith("binade: "):
                    self.assertEqual(text, printed.replace(folder + os.sep, ""))
                    compared += 1
                if not language:
                    continue
                if "pip install" in text:
                    continue  # needs the network; run_test.py's PYTHONPATH stands for it
                command = [sys.executable, "-c", text] if language == "python" else ["sh", "-ec", text]
                done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
                printed = done.stdout
                ran += 1
        self.assertGreaterEqual(ran, 2)
        self.assertEqual(compared, 1)


if __name__ == "__main__":
    unittest.main()
