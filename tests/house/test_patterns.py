"Every regular expression of the package takes time in proportion to the text, however the text repeats itself."

import ast, builtins, re, time
from importlib import import_module
from pathlib import Path
import pytest, conflare_nb

ROOT = Path(conflare_nb.__file__).parent
WAYS = {'sub', 'match', 'search', 'split', 'findall', 'finditer', 'fullmatch'}
INSIDE = dict(letter='[^\\W\\d_]', marks=['<a>'])  # what some are made of; others of an a


class Names(dict):
    def __missing__(self, name):
        return getattr(builtins, name, 'a')


COMMON = ' \n\t.,0a"\'()[]<>-|?!#_:/'


def patterns():  # (where, pattern, the ways in which it is used)
    for file in sorted(ROOT.rglob('*.py')):
        tree = ast.parse(file.read_text(encoding='utf-8'))
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
        calls = [n for n in calls if isinstance(n.func, ast.Attribute)]
        used = {n.func.attr for n in calls if ast.unparse(n.func.value) != 're'} & WAYS
        for call in calls:
            if ast.unparse(call.func.value) != 're' or call.func.attr not in WAYS | {'compile'}:
                continue
            name = '.'.join(['conflare_nb', *file.relative_to(ROOT).with_suffix('').parts])
            names = Names(INSIDE | vars(import_module(name)))
            what, *flags = [ast.unparse(part) for part in call.args]
            flags = [eval(f, {}, names) for f in flags if re.fullmatch(r're\.\w+( \| re\.\w+)*', f)]
            pattern = re.compile(eval(what, {}, names), *flags)
            owner = [n.targets[0].id for n in tree.body if isinstance(n, ast.Assign) and n.value is call]
            ways = {n.func.attr for n in calls if ast.unparse(n.func.value) in owner} or used
            if call.func.attr != 'compile':
                ways = {call.func.attr}
            anchored = {'match', 'fullmatch'}  # the others look from every place on
            ways = sorted(way if way in anchored else 'search' for way in ways & WAYS)
            yield f'{name}:{call.lineno}', pattern, [*dict.fromkeys(ways)]


def seconds(pattern, way, text):
    "Processor time of one look through a text, the best of three."
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        if way == 'search':
            all(pattern.finditer(text))
        else:
            getattr(pattern, way)(text)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize('where, pattern, ways', list(patterns()))
def test_a_pattern_is_linear(where, pattern, ways):
    of_bytes = isinstance(pattern.pattern, bytes)
    written = pattern.pattern.decode() if of_bytes else pattern.pattern
    own = dict.fromkeys([*re.findall(r'\w', written)[:20], *COMMON])
    words = re.findall('[a-z]{2,} ?', written)[:8]
    units = [*own, *words, *(a + b for a in COMMON for b in COMMON[:8] if a != b)]
    for way in ways:
        for unit in units:
            texts = [unit * (n // len(unit)) + '\0' for n in (1_000, 4_000, 16_000)]
            if of_bytes:
                texts = [text.encode() for text in texts]
            if seconds(pattern, way, texts[0]) < 1e-3 and seconds(pattern, way, texts[1]) < 4e-3:
                continue
            short, long = seconds(pattern, way, texts[1]), seconds(pattern, way, texts[2])
            assert long < max(8 * short, 0.05), (where, way, unit, short, long)
