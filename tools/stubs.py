"""Write a stub, `.pyi`, beside each module whose classes get members that their own text does not show.

No editor and no type checker follows fastcore's `@patch` and `store_attr`, nor fields that are set by name. A stub has
the members in their classes, with types, docstrings and docments. It is made of the module's text alone.
"""

import ast
import io
import re
import tokenize
from pathlib import Path
from nbs import ROOT

LIB = ROOT / 'conflare_nb'
HIDES = re.compile(r'@patch\b|\bstore_attr\(|\b_hold\(|->\w+\|np\.ndarray')
HEAD = '# Made by tools/export.py: what editors and type checkers see of this module.\n'
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
PATCHED = {'as_prop': 'property', 'cls_method': 'classmethod', 'static_method': 'staticmethod'}
LITERAL = (ast.Constant, ast.UnaryOp, ast.USub, ast.Tuple, ast.List, ast.Dict, ast.Load)
MORE = ast.Constant(...)
ARRAY = ' | np.ndarray'
EITHER = re.compile(r'((?:int|float|str)(?: \| str)?)(?: \| list)? \| np\.ndarray')  # a number, or several


def arguments(function) -> list[ast.arg]:
    "The parameters, in their order."
    a = function.args
    return [*a.posonlyargs, *a.args, *filter(None, [a.vararg]), *a.kwonlyargs, *filter(None, [a.kwarg])]


def shown(name: str) -> bool:
    "Whether a name is for users: no underscore before it, or one that Python or Jupyter calls."
    return not name.startswith('_') or bool(re.fullmatch(r'__\w+__|_repr_\w+_', name))


def literal(value) -> bool:
    "Whether a value says its own type."
    return all(isinstance(node, LITERAL) for node in ast.walk(value))


def declared(name: str, kind: str = 'Any') -> ast.AnnAssign:
    "`name: kind`."
    return ast.parse(f'{name}: {kind}').body[0]


class Module:
    "A module's text and its syntax tree."

    def __init__(self, text: str):
        self.tree = ast.parse(text)
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        self.notes = {t.start[0]: t.string.lstrip('# ') for t in tokens if t.type == tokenize.COMMENT}
        self.patched = {}  # {class: its patched functions}
        for node in self.tree.body:
            if isinstance(node, FUNCTION) and re.search(r'\bpatch\b', ast.unparse(node.decorator_list)):
                for name in re.findall(r'\w+', ast.unparse(node.args.args[0].annotation)):
                    self.patched.setdefault(name, []).append(node)

    def described(self, node) -> list[ast.stmt]:
        "The docstring, with a line for each parameter or field that has a docment; none where nothing is said."
        if isinstance(node, ast.ClassDef):
            parts = [(n.target.id, n.end_lineno) for n in node.body if isinstance(n, ast.AnnAssign)]
        else:
            parts = [(arg.arg, arg.end_lineno) for arg in arguments(node) if arg.end_lineno > node.lineno]
        said = [f'{name}: {self.notes[line]}' for name, line in parts if line in self.notes]
        text = '\n\n'.join(filter(None, [ast.get_docstring(node), '\n'.join(said)]))
        return [ast.Expr(ast.Constant(text))] if text else []

    def table(self, node):
        "The type of what is described as a table of Arrow, which no module imports for a type alone."
        if self.notes.get(node.end_lineno, '').startswith('`pyarrow.Table`'):
            return ast.Name('pa.Table')

    def function(self, node, decorators: list):
        "A function without its body; a default that is no literal becomes `...`."
        args = ast.parse(f'def f({ast.unparse(node.args)}): ...').body[0].args
        for arg, own in zip(arguments(ast.FunctionDef(args=args)), arguments(node)):
            arg.annotation = arg.annotation or self.table(own)
        args.defaults = [value if literal(value) else MORE for value in args.defaults]
        args.kw_defaults = [value and (value if literal(value) else MORE) for value in args.kw_defaults]
        body = [*self.described(node), ast.Expr(MORE)]
        return type(node)(node.name, args, body, decorators, node.returns, type_params=[])

    def method(self, node):
        "A patched function as a method."
        decorators = []
        for one in node.decorator_list:
            how = [PATCHED[word.arg] for word in getattr(one, 'keywords', []) if word.arg in PATCHED]
            patch = re.match(r'patch\b', ast.unparse(one))
            decorators += [ast.Name(word) for word in how] if patch else [one]
        made = self.function(node, decorators)
        made.args.args[0].annotation = None
        return made

    def overloaded(self, function) -> list:
        "A function that returns a number or an array gives a number where each argument that may be either is one."
        kind = function.returns and ast.unparse(function.returns)
        if not kind or not kind.endswith(ARRAY):
            return [function]
        made = []
        for returns in (kind.removesuffix(ARRAY), 'np.ndarray'):
            one = ast.parse(ast.unparse(ast.fix_missing_locations(function))).body[0]
            one.decorator_list.insert(0, ast.Name('overload'))
            one.returns = ast.Name(returns)
            made.append(one)
        for arg in arguments(made[0]):
            either = arg.annotation and EITHER.fullmatch(ast.unparse(arg.annotation))
            if either:
                arg.annotation = ast.Name(either[1])
        return made

    def fields(self, node: ast.ClassDef, methods: list) -> dict[str, str]:  # {name: its type}
        "What its methods set on an instance; of a known type where a parameter with a type is kept as it is."
        found = {}
        for method in methods:
            kinds = {arg.arg: arg.annotation for arg in arguments(method)}
            made = {
                ast.unparse(n.targets[0])
                for n in method.body
                if isinstance(n, ast.Assign) and ast.unparse(n.value) == 'cls()'
            } | {'self'}
            for n in ast.walk(method):
                pairs = []
                if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Attribute):
                    target = n.targets[0]
                    pairs = [(target.attr, n.value)] if ast.unparse(target.value) in made else []
                elif isinstance(n, ast.Call) and ast.unparse(n.func) == 'self._hold':
                    pairs = [(word.arg, word.value) for word in n.keywords]
                elif isinstance(n, ast.Call) and ast.unparse(n.func) == 'store_attr':
                    pairs = [(name, ast.Name(name)) for name in n.args[0].value.split(',')]
                for name, value in pairs:
                    given = isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or)
                    value = value.values[0] if given else value
                    kind = kinds.get(value.id) if isinstance(value, ast.Name) else None
                    kind = ast.unparse(kind) if kind else 'Any'
                    found.setdefault(name, kind.removesuffix(' | None') if given else kind)
        return {name: kind for name, kind in found.items() if shown(name)}

    def class_body(self, node: ast.ClassDef) -> list:
        "Fields, methods and what is patched in; a value beside the fields of a dataclass is none of them."
        is_data = 'dataclass' in ast.unparse(node.decorator_list)
        body, own = [], [n for n in node.body if isinstance(n, FUNCTION)]
        methods = [*own, *self.patched.get(node.name, [])]
        names = {n.name for n in methods}
        for n in node.body:
            if isinstance(n, ast.AnnAssign):
                body.append(ast.AnnAssign(n.target, self.table(n) or n.annotation, n.value and MORE, n.simple))
                names.add(n.target.id)
            elif isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and shown(n.targets[0].id):
                name = n.targets[0].id
                body.append(n if literal(n.value) else declared(name, 'ClassVar[Any]' if is_data else 'Any'))
                names.add(name)
        fields = self.fields(node, methods)
        body += [declared(name, kind) for name, kind in fields.items() if name not in names]
        several = {n.name for n in own if 'overload' in ast.unparse(n.decorator_list)}
        own = [n for n in own if shown(n.name) and (n.decorator_list or n.name not in several)]
        made = [self.function(n, n.decorator_list) for n in own]
        made += [self.method(n) for n in self.patched.get(node.name, []) if shown(n.name)]
        return body + [one for n in made for one in self.overloaded(n)]

    def statement(self, node) -> list:
        "What the stub has of one statement of the module."
        if isinstance(node, ast.ImportFrom) and node.module != '__future__' or isinstance(node, ast.Import):
            return [node]
        if isinstance(node, ast.ClassDef):
            body = [*self.described(node), *self.class_body(node)] or [ast.Expr(MORE)]
            return [ast.ClassDef(node.name, node.bases, node.keywords, body, node.decorator_list, type_params=[])]
        if isinstance(node, FUNCTION) and shown(node.name):
            hidden = any(node in patched for patched in self.patched.values())
            return [] if hidden else self.overloaded(self.function(node, node.decorator_list))
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            return [node] if literal(node.value) else [declared(name)]
        return []

    def stub(self) -> str:
        "The text of the stub."
        body = [made for node in self.tree.body for made in self.statement(node)]
        doc = ast.get_docstring(self.tree)
        typing = ast.parse('from typing import Any, ClassVar, overload').body
        if 'pa.Table' in ast.unparse(ast.fix_missing_locations(ast.Module(body, []))):
            typing += ast.parse('import pyarrow as pa').body
        tree = ast.Module([ast.Expr(ast.Constant(doc)), *typing, *body], [])
        return HEAD + ast.unparse(ast.fix_missing_locations(tree)) + '\n'


def stubs() -> dict[Path, str]:
    "The text of each stub."
    modules = {path: path.read_text(encoding='utf-8') for path in sorted(LIB.glob('*/*.py'))}
    return {path.with_suffix('.pyi'): Module(text).stub() for path, text in modules.items() if HIDES.search(text)}


def renew():
    "Write what is not current, and remove what is no longer made."
    texts = stubs()
    for path in set(LIB.glob('*/*.pyi')) - set(texts):
        path.unlink()
    for path, text in texts.items():
        if not path.exists() or path.read_text(encoding='utf-8') != text:
            path.write_text(text, encoding='utf-8')


if __name__ == '__main__':
    renew()
