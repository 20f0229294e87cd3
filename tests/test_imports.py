"`import conflare_nb`, and every module of it, pulls in nothing heavy; and its names are few, public, and seen by editors."

import ast, json, pkgutil, pydoc, re, subprocess, sys
from collections import Counter
from importlib import import_module
from pathlib import Path
import pytest, conflare_nb
from command import conflare_here, small_folder

HEAVY = 'torch transformers sentence_transformers lancedb pyarrow pandas sklearn scipy matplotlib nbdev IPython'
HEAVY = set(HEAVY.split())
# a widget class needs ipywidgets, and so IPython, when it is defined
WITH_WIDGETS = 'page dots alpha sets lottery planner matches exercise prediction desk claims'
WIDGETS = {'conflare_nb.app.report'} | {f'conflare_nb.show.{m}' for m in WITH_WIDGETS.split()}
MODULES = [m.name for m in pkgutil.walk_packages(conflare_nb.__path__, 'conflare_nb.') if '._' not in m.name]
STUB = ast.parse(Path(conflare_nb.__file__).with_suffix('.pyi').read_text(encoding='utf-8'))


def face():  # {name: its module}, as a type checker reads the stub
    names = {}
    for node in STUB.body:
        if isinstance(node, ast.ImportFrom):
            (name,) = node.names
            assert node.level == 1 and name.name == name.asname
            names[name.name] = f'conflare_nb.{node.module}'
    return names


def public(module):  # what it gives to users
    return getattr(import_module(module), '__all__', [])  # a room has none


def loaded(mod):  # the top-level packages in memory after `import mod` in a fresh interpreter
    code = f"import json, sys, {mod}; print(json.dumps(sorted({{m.partition('.')[0] for m in sys.modules}})))"
    p = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    return set(json.loads(p.stdout))


def test_import_is_light():
    "One after the other: the first module that loads something heavy is named."
    code = f"""import json, sys
from importlib import import_module
heavy = {{}}
for module in {[m for m in MODULES if m not in WIDGETS] + sorted(WIDGETS)}:
    before = set(sys.modules)
    import_module(module)
    heavy[module] = sorted({HEAVY} & {{m.partition('.')[0] for m in set(sys.modules) - before}})
print(json.dumps(heavy))"""
    heavy = json.loads(subprocess.check_output([sys.executable, '-c', code], text=True))
    assert set(heavy) == set(MODULES)
    assert {mod: loads for mod, loads in heavy.items() if loads and mod not in WIDGETS} == {}
    assert set().union(*heavy.values()) <= {'IPython'}


def test_the_package_alone_loads_not_even_numpy():
    assert not loaded('conflare_nb') & {'numpy', 'fastcore'}


def test_a_question_is_quoted_without_a_language_model(tmp_path):
    "On the command line, in a knowledge base that is calibrated: neither a language model's library nor what draws or fits is loaded."
    small_folder(tmp_path)
    calibrate = ('calibrate', tmp_path / 'docs', '--questions', tmp_path / 'q.jsonl')
    assert conflare_here(*calibrate).returncode == 0
    asked = ['ask', 'Where do pens go?', str(tmp_path / 'docs'), '--alpha', '.2']
    said, packages = packages_of(f'from conflare_nb.app.cli import main; main({asked!r})')
    assert 'in the fridge' in said
    assert 'torch' in packages and not packages & set(
        'transformers sentence_transformers sklearn matplotlib IPython ipywidgets gguf llama_cpp'.split()
    )


def packages_of(program):
    "What a program says in an interpreter of its own, and the packages that it has loaded."
    last = "import json, sys; print(json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
    run = [sys.executable, '-c', f'{program}\n{last}']
    p = subprocess.run(run, capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    return p.stdout, set(json.loads(p.stdout.splitlines()[-1]))


LOOKED_UP = """
from conflare_nb import *
kb, questions = sample_kb(), sample_questions()
calibrate(kb, questions[:20], progress=False)
Quoter(kb, sample_calibration('sentences'), .1).quote(questions[0].text)
ConformalRetriever(kb, sample_calibration(), .1).retrieve(questions[1].text)
kb.delete('warfarin.md')
"""


def test_torch_waits_until_a_text_is_read():
    "What is known of the guide, what counts tokens and what searches does without it."
    _, packages = packages_of(LOOKED_UP)
    assert 'lancedb' in packages and 'torch' not in packages
    assert 'torch' in packages_of(f'{LOOKED_UP}\nkb.search("Has it a taste?")')[1]


def test_every_name_of_the_face_is_public_in_its_module():
    names = face()
    assert 50 <= len(names) <= 70
    for name, module in names.items():
        assert name in public(module), (name, module)
        assert getattr(conflare_nb, name) is getattr(import_module(module), name)


def test_star_gives_the_face_and_nothing_else():
    given = {}
    exec('from conflare_nb import *', given)
    assert set(face()) == given.keys() - {'__builtins__'} == set(conflare_nb.__all__)
    assert set(face()) <= set(dir(conflare_nb))


def test_an_unknown_name_is_named():
    with pytest.raises(AttributeError, match="No conflare_nb attribute nothing"):
        conflare_nb.nothing


def test_no_name_means_two_things():
    names = Counter(name for module in MODULES for name in public(module))
    assert not {name for name, count in names.items() if count > 1}
    assert not {module.rpartition('.')[2] for module in MODULES} & set(names)


def test_help_says_what_the_parameters_mean():
    for name, words in {
        'KnowledgeBase': 'folder to make or to make anew',
        'calibrate': 'questions: `Question`s like those that will be asked',
        'ConformalRetriever': 'alpha: miscoverage level, 0 < alpha < 1; smaller = more chunks',
        'Question': 'text: as a user asks it',
    }.items():
        assert words in pydoc.render_doc(getattr(conflare_nb, name), renderer=pydoc.plaintext)


def test_the_five_lines_of_the_readme_print_a_quote():
    text = (Path(__file__).parents[1] / 'README.md').read_text(encoding='utf-8')
    (lines,) = re.findall('```python\n(.*?)```', text, re.S)
    p = subprocess.run([sys.executable, '-c', lines], capture_output=True, text=True)
    assert p.stdout.startswith("'Around two litres of fluid a day is sensible"), p.stderr
