# SPDX-License-Identifier: Apache-2.0
"""python3 one_file.py FILE.py: writes the package binade as one module, to be copied where it is needed."""
import ast
import os
import sys

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "binade")


def joined():
    """The text of the module: what its parts import, then the parts, each behind those that it needs."""
    parts = {}
    for name in ("__init__", "__main__"):
        _add(name, parts)
    last = [parts.pop(name) for name in ("__init__", "__main__")]
    imports, bodies, defined = set(), [], set()
    for part in [*parts.values(), *last]:
        imports |= part.imports
        for name in part.defined:
            if name in defined:
                raise ValueError(f"{part.name}.py defines {name}, which another file defines too")
            defined.add(name)
        bodies.append(f"# ---- {part.name}: {part.summary}\n\n{part.body}\n")
    plain = sorted(each for each in imports if each.startswith("import "))
    names = sorted(imports.difference(plain))
    head = f'# SPDX-License-Identifier: Apache-2.0\n"""{last[0].docstring}"""\n' + "\n".join(plain + names)
    return head + "\n\n" + "\n\n".join(bodies)


class _Part:
    """One file of the package, without its imports and its docstring."""

    def __init__(self, name):
        with open(os.path.join(PACKAGE, name + ".py"), encoding="utf-8") as file:
            text = file.read()
        tree = ast.parse(text)
        self.name, self.docstring = name, ast.get_docstring(tree, clean=False)
        self.summary = self.docstring.splitlines()[0]
        self.imports, self.needs, self.defined = set(), [], set()
        lines = text.splitlines()
        for place, node in enumerate(tree.body):
            relative = isinstance(node, ast.ImportFrom) and node.level == 1
            if relative:
                self.needs.append(node.module)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self.imports.add(ast.get_source_segment(text, node))
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.defined.add(node.name)
            elif isinstance(node, ast.Assign):
                self.defined |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            if place == 0 or isinstance(node, (ast.Import, ast.ImportFrom)):
                lines[node.lineno - 1:node.end_lineno] = [None] * (node.end_lineno - node.lineno + 1)
        self.body = "\n".join(line for line in lines[1:] if line is not None).strip("\n")  # line 0 is the license


def _add(name, parts):
    if name in parts:
        return
    part = _Part(name)
    for needed in part.needs:
        _add(needed, parts)
    parts[name] = part


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "x", encoding="utf-8") as out:
        out.write(joined())
