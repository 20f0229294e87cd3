"`import conflare_nb`, and every module of it, pulls in nothing heavy; and the lazy names are seen by editors."

import ast, json, pkgutil, subprocess, sys
from collections import Counter
from importlib import import_module
import pytest, conflare_nb
from command import conflare_here
from conflare_nb._lazy import public_names
from conflare_nb._modidx import d as index
from export import ROOT, stubs

HEAVY = set(
    'torch transformers sentence_transformers lancedb pyarrow pandas sklearn scipy matplotlib nbdev IPython'.split()
)
WIDGETS = {
    f'conflare_nb.show.{m}'
    for m in (
        'page',
        'alpha',
        'sets',
        'lottery',
        'planner',
        'two_models',
        'scores',
        'contradictions',
        'exercise',
        'desk',
        'report',
    )
}  # a widget class needs ipywidgets, and so IPython, when it is defined
MODULES = [
    m.name
    for m in pkgutil.walk_packages(conflare_nb.__path__, 'conflare_nb.')
    if not m.name.rpartition('.')[2].startswith('_')
]
NAMES = public_names('conflare_nb')


def loaded(mod):  # the top-level packages in memory after `import mod` in a fresh interpreter
    code = f"import json, sys, {mod}; print(json.dumps(sorted({{m.partition('.')[0] for m in sys.modules}})))"
    p = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    return set(json.loads(p.stdout))


@pytest.mark.parametrize('mod', ['conflare_nb', *MODULES])
def test_import_is_light(mod):
    assert loaded(mod) & HEAVY <= ({'IPython'} if mod in WIDGETS else set())


def test_the_package_alone_loads_not_even_numpy():
    assert not loaded('conflare_nb') & {'numpy', 'fastcore'}


@pytest.mark.slow
def test_a_question_is_quoted_without_a_language_model(tmp_path):
    "On the command line, in a knowledge base that is calibrated: neither a language model's library nor what draws or fits is loaded."
    (tmp_path / 'pen.md').write_text(
        '# Insulin pen\n## Storage\nUnopened pens go in the fridge. A pen in use keeps 28 days at room temperature.\n'
    )
    (tmp_path / 'pool.txt').write_text('The pool opens at 7 on weekdays and at 9 on Sundays.')
    asked = [
        ('How long does an opened pen keep?', '28 days'),
        ('Where do new pens go?', 'in the fridge'),
        ('When can I swim on Sunday?', 'at 9'),
    ] * 3
    questions = tmp_path / 'asked.jsonl'
    questions.write_text(
        '\n'.join(json.dumps(dict(question=question, answer=answer)) for question, answer in asked)
    )
    assert conflare_here('calibrate', '--docs', tmp_path, '--questions', questions).returncode == 0
    code = f"""import json, sys; from conflare_nb.cli import main; main(['ask', 'Where do pens go?', '--docs', {str(tmp_path)!r}, '--alpha', '.2'])
print(json.dumps(sorted({{m.partition('.')[0] for m in sys.modules}})))"""
    p = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert p.returncode == 0 and 'in the fridge' in p.stdout, p.stderr
    packages = set(json.loads(p.stdout.splitlines()[-1]))
    assert 'torch' in packages and not packages & set(
        'transformers sentence_transformers sklearn matplotlib IPython ipywidgets gguf llama_cpp'.split()
    )


def test_every_public_name_resolves_lazily():
    assert MODULES and NAMES
    for name, mod in NAMES.items():
        assert getattr(conflare_nb, name) is getattr(import_module(mod), name)
    assert list(NAMES) and set(NAMES) == set(dir(conflare_nb)) == set(conflare_nb.__all__)


def test_star_gives_every_public_name():
    "Where nothing is imported but the package, and of a room what the room defines."
    for package in ('conflare_nb', 'conflare_nb.conformal'):
        given = {}
        exec(f'from {package} import *', given)
        assert set(public_names(package)) == given.keys() - {'__builtins__'}


def test_the_stubs_are_current():
    assert {
        p: t for p, t in stubs().items() if not p.exists() or p.read_text(encoding='utf-8') != t
    } == {}, 'run `python tools/export.py`'
    assert len(stubs()) == 1 + len(
        [m for m in MODULES if m.count('.') == 1 and hasattr(import_module(m), '__path__')]
    )


def test_a_type_checker_sees_every_public_name():
    "What a stub imports `as` the same name is public, and the module that it is taken from defines it."
    for path, text in stubs().items():
        package = '.'.join(path.parent.relative_to(ROOT).parts)
        seen = {}
        for node in ast.parse(text).body:
            if not isinstance(node, ast.ImportFrom):
                continue
            (name,) = node.names
            assert name.name == name.asname and node.level == 1
            seen[name.name] = f'{package}.{node.module}'
        assert seen == public_names(package) and set(seen) == set(import_module(package).__all__)


def test_an_unknown_name_is_named():
    with pytest.raises(AttributeError, match="'conflare_nb' has no attribute 'nothing'"):
        conflare_nb.nothing


def test_no_name_means_two_things():
    public = [
        sym.rpartition('.')[2]
        for mod, syms in index['syms'].items()
        for sym in syms
        if sym.count('.') == mod.count('.') + 1
    ]
    twice = {n for n, c in Counter(public).items() if c > 1 and not n.startswith('_')}
    assert not twice and not {m.rpartition('.')[2] for m in MODULES} & set(public)
