"""How easily the modules read, in figures and in rules: `python tools/reading.py [folder ...]` (default: conflare_nb).

Every place where a rule is not kept is named; the exceptions are named below with their reason. The exit status is 1
where a figure or a rule is not kept. What ruff has a rule for, ruff checks.
"""

import argparse
import ast
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST_BODY = 30  # lines of a function behind its docstring
MADE = ('_modidx.py',)  # written by nbdev

# definition -> why it may be longer, or share its cell
EXCEPTIONS = {}

# figure -> the largest value that is allowed
LIMITS = {
    'lines over 120 characters': 0,
    'lines over 100 characters, %': 3.5,
    'assignments that pack a tuple, %': 6,
    'private functions with one caller, %': 48,
}


class Module:
    "A file of Python with its lines and its syntax tree."

    def __init__(self, path: Path):
        self.path = path
        self.text = path.read_text(encoding='utf-8')
        self.lines = self.text.splitlines()
        self.tree = ast.parse(self.text)

    @property
    def code(self) -> list[str]:
        "The lines that say something: no empty lines, comments, marks of a cell, nor the names that nbdev lists."
        names = self.listed_names
        lines = [line for i, line in enumerate(self.lines, 1) if i not in names]
        return [line for line in lines if line.strip() and not line.lstrip().startswith('#')]

    @property
    def listed_names(self) -> range:
        "The lines of `__all__`."
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == '__all__':
                return range(node.lineno, node.end_lineno + 1)
        return range(0)

    def nodes(self, *kinds) -> list:
        "The nodes of the tree of these kinds."
        return [node for node in ast.walk(self.tree) if isinstance(node, kinds)]


def modules(folders: list[Path]) -> list[Module]:
    "The modules under these folders, without what is generated."
    paths = sorted(path for folder in folders for path in folder.rglob('*.py'))
    return [Module(path) for path in paths if path.name not in MADE]


# ---- figures


def share(part: int, whole: int) -> float:
    "Per cent, to a tenth."
    return round(100 * part / max(whole, 1), 1)


def packs(assignment: ast.Assign) -> bool:
    "Whether several names get their values in one statement: `a, b = x, y`."
    return isinstance(assignment.targets[0], ast.Tuple) and isinstance(assignment.value, ast.Tuple)


def private_imports(module: Module) -> list[ast.alias]:
    "Private names that a module takes from another one of the package."
    found = [node for node in module.nodes(ast.ImportFrom) if is_ours(node)]
    names = [name for node in found for name in node.names]
    return [name for name in names if name.name.startswith('_') and not name.name.startswith('__')]


def is_ours(node: ast.ImportFrom) -> bool:
    "Whether an import takes from this package."
    return node.level > 0 or node.module.partition('.')[0] == 'conflare_nb'


def helpers(module: Module) -> dict:
    "How often each private function of a module is used beside its definition: {name: times}."
    private = [node.name for node in module.nodes(ast.FunctionDef) if node.name.startswith('_')]
    names = [node.id for node in module.nodes(ast.Name)]
    names += [node.attr for node in module.nodes(ast.Attribute)]
    return {name: names.count(name) for name in private if not name.endswith('__')}


def figures(found: list[Module]) -> dict:
    "The figures of `LIMITS`, measured."
    code = [line for module in found for line in module.code]
    assignments = [node for module in found for node in module.nodes(ast.Assign)]
    used = [times for module in found for times in helpers(module).values()]
    values = (
        sum(len(line) > 120 for line in code),
        share(sum(len(line) > 100 for line in code), len(code)),
        share(sum(map(packs, assignments)), len(assignments)),
        share(used.count(1), len(used)),
    )
    return dict(zip(LIMITS, values))


# ---- rules: each yields (line, what is wrong)

BLOCKS = ('body', 'orelse', 'finalbody')
LEAVES = (ast.Raise, ast.Return, ast.Continue, ast.Break, ast.Pass)


def blocks(module: Module):
    "Every list of statements with the node that it belongs to."
    for node in ast.walk(module.tree):
        for part in BLOCKS:
            block = getattr(node, part, None)
            if isinstance(block, list) and block:
                yield node, part, block


def has_company(module: Module, statement: ast.stmt) -> bool:
    "Whether something stands before a statement on its line: a head, or another statement."
    line = module.lines[statement.lineno - 1].encode()  # columns count bytes
    return bool(line[: statement.col_offset].strip())


def one_statement_a_line(module: Module):
    "No semicolons; a body stands beside its head only where it is as short as a guard."
    for node, part, block in blocks(module):
        first, *others = block
        for statement in others:
            if has_company(module, statement):
                yield statement.lineno, 'two statements on a line'
        if has_company(module, first) and not may_share(node, part):
            yield first.lineno, 'a body on the line of its head'


def may_share(node, part: str) -> bool:
    "A guard, a loop of one plain call or yield, a function of one short statement, a class of none."
    only, *others = getattr(node, part)
    if others or part != 'body':
        return False
    if isinstance(node, ast.If):
        return not node.orelse
    if isinstance(node, ast.ExceptHandler):
        return isinstance(only, LEAVES)
    if isinstance(node, ast.For):
        return is_call(only) and not node.orelse
    if isinstance(node, ast.FunctionDef):
        return isinstance(only, (ast.Return, ast.Raise, ast.Pass, ast.Expr))
    return isinstance(node, ast.ClassDef) and isinstance(only, (ast.Pass, ast.Expr))


def is_call(statement) -> bool:
    "Whether a statement is a call or a yield and nothing else."
    return isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Call, ast.Yield, ast.YieldFrom))


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def no_comprehension_in_a_comprehension(module: Module):
    "One loop in an expression is enough."
    for outer in module.nodes(*COMPREHENSIONS):
        inner = [n for n in ast.walk(outer) if isinstance(n, COMPREHENSIONS) and n is not outer]
        if inner:
            yield outer.lineno, 'a comprehension inside a comprehension'


def definitions(module: Module) -> list:
    "Every function and class, methods included."
    return module.nodes(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def body_length(function) -> int:
    "Lines of a function behind its docstring."
    docstring = ast.get_docstring(function) is not None
    body = function.body[docstring:]
    if not body:
        return 0
    return body[-1].end_lineno - body[0].lineno + 1


def short_functions(module: Module):
    "A function fits on a screen."
    for node in definitions(module):
        if isinstance(node, ast.ClassDef) or node.name in EXCEPTIONS:
            continue
        if body_length(node) > LONGEST_BODY:
            yield node.lineno, f'{node.name} has {body_length(node)} lines'


def nothing_private_is_imported(module: Module):
    "What begins with an underscore stays in its module."
    for name in private_imports(module):
        yield name.lineno, f'{name.name} is private to its module'


TAG = re.compile(r'</?[a-z][a-z0-9-]*(?=[\s/>]|$)')


def no_html_in_f_strings(module: Module):
    "HTML is made with fastcore.xml, which escapes what it is given."
    for node in module.nodes(ast.JoinedStr):
        texts = [part.value for part in node.values if isinstance(part, ast.Constant)]
        if any(map(TAG.search, texts)):
            yield node.lineno, 'HTML in an f-string'


RULES = (
    one_statement_a_line,
    no_comprehension_in_a_comprehension,
    short_functions,
    nothing_private_is_imported,
    no_html_in_f_strings,
)


def broken(rule, found: list[Module]) -> list[str]:
    "Every place where a rule is not kept, as an editor finds it."
    out = []
    for module in found:
        place = os.path.relpath(module.path)
        for line, what in sorted(rule(module)):
            out.append(f'{place}:{line}: {what}')
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folders', nargs='*', type=Path, default=[ROOT / 'conflare_nb'])
    parser.add_argument('--figures', action='store_true', help='only the figures')
    asked = parser.parse_args()
    found = modules(asked.folders)
    measured = figures(found)
    for name, value in measured.items():
        print(f'{name}: {value} (at most {LIMITS[name]})')
    too_much = any(value > LIMITS[name] for name, value in measured.items())
    if asked.figures:
        return int(too_much)
    wrong = [line for rule in RULES for line in broken(rule, found)]
    for line in wrong:
        print(line)
    print(f'places where a rule is not kept: {len(wrong)}')
    return int(too_much or bool(wrong))


if __name__ == '__main__':
    sys.exit(main())
