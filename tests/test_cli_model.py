"The `conflare` command with a language model that writes and judges: thirty documents, and questions about them."

import json, re, shutil
import pandas as pd, pytest
from command import conflare, conflare_here, measured
from conflare_nb import Calibration, load_questions
from conflare_nb.labels.guide import sample_path
from conflare_nb.models.local import smollm2_file
from local_server import serving
from tiny_models import tiny_mistral_gguf

pytestmark = pytest.mark.model
WRITER = smollm2_file().name  # run by llama.cpp


@pytest.fixture(scope='module')
def thirty(tmp_path_factory):
    docs = tmp_path_factory.mktemp('thirty')
    for p in sorted((sample_path() / 'documents').glob('*'))[:30]:
        shutil.copy(p, docs)
    return docs


def written(folder, file, n=3):
    r = conflare('questions', folder, '-n', n, '--seed', 1, '--out', file)
    assert r.returncode == 0, r.stderr
    return r.stdout


@pytest.fixture(scope='module')
def drafted(thirty, tmp_path_factory):
    "What a model wrote about them: what was said, and the file."
    made = tmp_path_factory.mktemp('made') / 'made.csv'
    return written(thirty, made), made


def test_questions_are_written_for_a_review(thirty, drafted, tmp_path):
    said, made = drafted
    for words in (
        rf'3 questions kept of \d+ sentences asked about; {WRITER} was called \d+ times',
        r'^  kept +3 ',
        r'^  answer not in the chunk +\d+   e\.g\. ',  # what was filtered
    ):
        assert re.search(words, said, re.M), said
    with pytest.raises(ValueError, match='a person writes yes or no under "keep"'):
        load_questions(made)  # a draft
    assert f'conflare calibrate {thirty} --questions {made}' in said
    assert f'{WRITER} was called 0 times' in written(thirty, tmp_path / 'again.csv')  # paid for once


def test_thirty_documents_are_calibrated_on_what_a_person_kept(thirty, drafted):
    draft = pd.read_csv(drafted[1], dtype=str)
    assert len(draft['passage'].dropna()) == 3
    made = drafted[1].with_name('kept.csv')
    draft.assign(keep='yes').to_csv(made, index=False)
    assert all(question.answer and question.document for question in load_questions(made))
    r = conflare('calibrate', thirty, '--questions', made)
    assert r.returncode == 0, r.stderr
    cal = Calibration.load(measured(thirty) / 'calibration.json')
    assert (cal.n, cal.source) == (3, 'kept.csv')


@pytest.fixture(scope='module')
def tiny(tmp_path_factory):
    return tiny_mistral_gguf(tmp_path_factory.mktemp('gguf') / 'tiny.gguf')


QUESTION = 'Can I drink on antibiotics?'


@pytest.mark.parametrize('context, read', [('chunks', 'retrieved chunks'), ('quotes', 'sentences quoted above')])
def test_a_gguf_file_writes_from_what_it_is_told_to_read(tiny, context, read):
    r = conflare_here('ask', QUESTION, '--llm', tiny, '--context', context)
    assert r.returncode == 0, r.stderr
    assert re.search(rf'Written by tiny.gguf from \d+ {read}\.', r.stdout)
    assert ('Score: ' in r.stdout) == (context == 'chunks')


def test_a_window_that_is_too_small_is_said_before_anything_is_written(tiny):
    small = ('--context', 'chunks', '--context-window', 512)
    r = conflare_here('ask', QUESTION, '--llm', tiny, *small)
    assert r.returncode == 0, r.stderr
    assert 'the guarantee does not hold for such an answer' in ' '.join(r.stdout.split())


def test_what_only_a_writer_needs_is_refused_without_one(tmp_path):
    r = conflare_here('ask', QUESTION, '--context', 'chunks')
    assert (r.returncode, 'give --llm' in r.stderr) == (2, True)
    page = tmp_path / 'page.gguf'
    page.write_text('<html>')
    r = conflare_here('ask', QUESTION, '--llm', page)
    assert r.returncode == 2 and r.stderr.count('\n') == 1
    assert 'is no GGUF file' in r.stderr


def test_a_server_that_does_not_tell_its_window_has_to_be_told(online):
    def answer(http, asked):
        if asked is None:
            return http.send(404, b'')
        delta = dict(delta=dict(content='With a meal.'), finish_reason='stop')
        http.send(200, b'data: ' + json.dumps(dict(choices=[delta])).encode())

    with serving(answer) as url:
        name = f'{url}/v1#m'
        r = conflare_here('ask', QUESTION, '--llm', name)
        assert r.returncode == 2 and '--context-window 4096' in r.stderr
        r = conflare_here('ask', QUESTION, '--llm', name, '--context-window', 4096)
    assert r.returncode == 0, r.stderr
    assert 'With a meal.' in r.stdout
    r = conflare_here('ask', QUESTION, '--llm', name)  # it has gone
    assert r.returncode == 2 and 'Is the server running?' in r.stderr
