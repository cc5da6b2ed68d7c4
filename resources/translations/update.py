#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Brings resources/translations/binade_*.ts up to date with the texts of the sources.

lupdate finds the texts. It guesses the context of a tr() outside of a QObject, and guesses differently from run to run.
Binade therefore looks up every text without its context (app/window/translations.h), and this script writes one context.
A translation is kept as long as its source text and its comment stay. New texts are marked as unfinished.

usage: update.py [--check] [FILE.ts...]
  --check   change nothing; print texts that are missing, no longer used, or whose translation lacks a placeholder, a
            mnemonic or a plural form, and return 1 if there are any
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CONTEXT = "Binade"
# Functions that translate their argument, under other names than tr().
ALIASES = ["tr+=numberTr", "tr+=say", "tr+=words"]
SKIPPED = 77  # the exit code of a test that cannot run
PLURAL_FORMS = 2  # English and German; lrelease knows the rule of each language

Key = tuple[str, str]  # source text, comment


def lupdate() -> str | None:
    return next((found for name in ("/usr/lib/qt6/bin/lupdate", "lupdate-qt6", "lupdate") if (found := shutil.which(name))),
                None)


def texts_of_sources(program: str) -> dict[Key, bool]:
    """Every text of the sources, and whether it has plural forms."""
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder) / "found.ts"
        command = [program, "-silent", "-locations", "none", "-source-language", "en", "-target-language", "de"]
        for alias in ALIASES:
            command += ["-tr-function-alias", alias]
        command += ["app", "views", "-ts", str(found)]
        # What lupdate prints are the guesses of contexts, which do not matter.
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        result: dict[Key, bool] = {}
        for message in tree.parse(found).iter("message"):
            key = (message.findtext("source") or "", message.findtext("comment") or "")
            result[key] = result.get(key, False) or message.get("numerus") == "yes"
        return result


def translations_of(path: pathlib.Path) -> dict[Key, list[str]]:
    """The finished translations of a file; several forms for a text with plural forms."""
    result: dict[Key, list[str]] = {}
    for message in tree.parse(path).iter("message") if path.exists() else []:
        translation = message.find("translation")
        if translation is None or translation.get("type") is not None:
            continue
        forms = [form.text or "" for form in translation.findall("numerusform")] or [translation.text or ""]
        result[(message.findtext("source") or "", message.findtext("comment") or "")] = forms
    return result


def faults(source: str, forms: list[str], plural: bool) -> list[str]:
    """What is wrong with a translation, in words."""
    found = []
    if plural and len(forms) != PLURAL_FORMS:
        found.append(f"{PLURAL_FORMS} plural forms expected")
    for form in forms:
        if not form.strip():
            found.append("the translation is empty")
        if set(re.findall(r"%n|%\d{1,2}", source)) != set(re.findall(r"%n|%\d{1,2}", form)):
            found.append("other placeholders")
        if len(re.findall(r"&[^\s&]", source)) != len(re.findall(r"&[^\s&]", form)):
            found.append("other mnemonics")
        if re.findall(r"</?\w+>", source) != re.findall(r"</?\w+>", form):
            found.append("other tags")
        if source[:1].isspace() != form[:1].isspace() or source[-1:].isspace() != form[-1:].isspace():
            found.append("other spaces at an end")
    return found


def written(language: str, texts: dict[Key, bool], known: dict[Key, list[str]]) -> str:
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>",
             "<!-- SPDX-License-Identifier: Apache-2.0. Written by ./dev translations; docs/developing.md has the words. -->",
             f'<TS version="2.1" language="{language}" sourcelanguage="en">', "<context>", f"    <name>{CONTEXT}</name>"]
    quote = {'"': "&quot;", "'": "&apos;"}
    for (source, comment), plural in sorted(texts.items(), key=lambda item: (item[0][0].casefold(), item[0])):
        forms = known.get((source, comment))
        state = "" if forms else ' type="unfinished"'
        lines.append('    <message numerus="yes">' if plural else "    <message>")
        lines.append(f"        <source>{escape(source, quote)}</source>")
        if comment:
            lines.append(f"        <comment>{escape(comment, quote)}</comment>")
        if plural:
            lines.append(f"        <translation{state}>")
            forms = (forms or []) + [""] * (PLURAL_FORMS - len(forms or []))
            lines += [f"            <numerusform>{escape(form, quote)}</numerusform>" for form in forms]
            lines.append("        </translation>")
        else:
            lines.append(f"        <translation{state}>{escape((forms or [''])[0], quote)}</translation>")
        lines.append("    </message>")
    return "\n".join([*lines, "</context>", "</TS>", ""])


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    files = [pathlib.Path(each) for each in arguments if each != "--check"] or sorted(HERE.glob("binade_*.ts"))
    program = lupdate()
    if program is None:
        print("update.py: lupdate is missing. Next: install Debian's qt6-l10n-tools", file=sys.stderr)
        return SKIPPED
    texts = texts_of_sources(program)
    status = 0
    for path in files:
        known = translations_of(path)
        new = [source for source, comment in texts if (source, comment) not in known]
        gone = [source for source, comment in known if (source, comment) not in texts]
        if check:
            lines = [f"not translated: {source!r}" for source in new] + [f"no longer used: {source!r}" for source in gone]
            lines += [f"{fault}: {source!r}" for (source, comment), plural in texts.items()
                      if (source, comment) in known for fault in faults(source, known[source, comment], plural)]
            for line in lines:
                print(f"{path.name}: {line}")
            status = status or int(bool(lines))
        else:
            path.write_text(written(path.stem.removeprefix("binade_"), texts, known), encoding="utf-8")
            print(f"{path.name}: {len(texts)} texts, {len(new)} of them without a translation, {len(gone)} removed")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
