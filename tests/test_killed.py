"Commands that are killed at any step: the folder opens, in the state before or after, and promises only by it."

import multiprocessing, shutil, signal, sys
import pytest
from command import done, jsonl, read_jsonl, small_folder
from conflare_nb.app.folder import DocumentFolder
from conflare_nb.app.opened import open_folder
from killed_worker import run
from nightly import by_day_or_night

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == 'win32', reason='no SIGKILL')]
CONTEXT = multiprocessing.get_context('forkserver' if sys.platform != 'win32' else 'spawn')
CONTEXT.set_forkserver_preload(['killed_worker'])


@pytest.fixture(scope='module')
def here(tmp_path_factory):  # a folder that promises, by 63 questions with sentences and an audit
    here = small_folder(tmp_path_factory.mktemp('killed'))
    rows = read_jsonl(here / 'q.jsonl')
    many = [dict(row, question=f'{i}: {row["question"]}') for i in range(7) for row in rows]
    jsonl(here / 'many.jsonl', many)
    done('calibrate', here / 'docs', '--questions', here / 'many.jsonl')
    done('audit', here / 'docs', '-m', 5, '--gold', here / 'many.jsonl')
    return here


def state(docs):
    "What a folder gives once it is open: its documents, and whose numbers promise what."
    opened = open_folder(DocumentFolder(docs))
    kept = opened.folder.asked().questions
    sentences = opened.quote_cal and [label.text for label in opened.quote_cal.labels]
    asked = [label.text for label in opened.cal.labels]
    mixed = asked != [question.text for question in kept]  # one promise, one list of questions
    audit = opened.audit and opened.audit.judged
    promises = [one and str(one.promise).replace(str(docs), '') for one in (opened.quoter(0.2), opened.retriever(0.2))]
    return opened.kb.fingerprint()['chunks'], asked, sentences, audit, promises, mixed


BUS = 'Children under seven travel free. Dogs need a ticket.'
OTHER = ('calibrate', '{docs}', '--questions', '{here}/q.jsonl', '--judge', 'contains', '--replace')
KINDS = dict(
    replace=({}, OTHER),
    update=({'bus.txt': BUS}, ('update', '{docs}')),
    add=({'cats.md': 'Cats need a basket.'}, ('ask', 'Do cats need a basket?', '{docs}')),
    purge=({'bus.txt': None}, ('update', '{docs}', '--purge')),
    audit=({}, ('audit', '{docs}', '-m', '9', '--gold', '{here}/many.jsonl')),
    monitor=({'bus.txt': BUS}, ('monitor', '{docs}', '--questions', '{here}/q.jsonl')),
)
BY_NIGHT = ('update', 'purge', 'audit', 'monitor')  # their steps are among those of the other two


@pytest.mark.parametrize('kind', [pytest.param(k, marks=[pytest.mark.nightly] * (k in BY_NIGHT)) for k in KINDS])
def test_a_killed_command_leaves_the_folder_as_before_or_after(here, kind, tmp_path):
    files, args = KINDS[kind]

    def copied(k):
        docs = shutil.copytree(here / 'docs', tmp_path / f'{k}')
        for name, text in files.items():
            (docs / name).unlink(missing_ok=True) if text is None else (docs / name).write_text(text)
        if k is None:
            return docs
        typed = [arg.format(docs=docs, here=here) for arg in args]
        work = CONTEXT.Process(target=run, args=(str(docs), k, typed, tmp_path / 'steps'))
        work.start()
        work.join()
        return docs, work.exitcode

    before = state(copied(None))
    whole, code = copied(0)
    assert code == 0
    steps, after = int((tmp_path / 'steps').read_text()), state(whole)
    points = min(steps, by_day_or_night(3, 20))
    wrong, killed = [], 0
    for k in sorted({1 + i * (steps - 1) // max(points - 1, 1) for i in range(points)}):
        docs, code = copied(k)
        assert code in (0, -signal.SIGKILL), k  # 0: this run had a step less, and was over
        killed += code != 0
        if state(docs) not in ((before, after) if code else (after,)):
            wrong.append(k)
        shutil.rmtree(docs)
    assert not wrong, f'{len(wrong)} of {points} points: {wrong}'
    assert killed >= points - 1, 'runs end before they are killed'
