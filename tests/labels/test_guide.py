"The shipped medication guide is what its README says, neither trivial nor hopeless to search."

import json, re
from collections import Counter
import numpy as np, pytest
from conflare_nb import sample_documents, sample_questions
from conflare_nb import sample_unanswerable
from conflare_nb.labels.guide import sample_context_answers, sample_path

pytest_plugins = ['kb_fixtures']

HEADINGS = 'What it is for|How to take it|If you miss a dose|Side effects|Interactions and warnings'
HEADINGS = [*HEADINGS.split('|'), 'Storage and practical tips']
DOCS, NOTES = sample_documents(), sample_documents('contradictions')
DISPUTED = sample_questions('contradictions')
TEXT = {(d.path, s.heading): s.text for d in DOCS + NOTES for s in d.sections}


def lines(name):
    text = (sample_path() / f'{name}.jsonl').read_text(encoding='utf-8')
    return [json.loads(line) for line in text.split('\n') if line]


def plain(text):
    return ' ' + ' '.join(re.findall(r'[^\W_]+', text.lower())) + ' '


# --- the documents


def test_documents():
    assert len(DOCS) >= 48 and 9 <= len({d.meta['class'] for d in DOCS}) <= 12
    assert all([s.heading for s in d.sections] == HEADINGS for d in DOCS)
    sizes = {len(s.text.split()) for d in DOCS for s in d.sections}
    assert 60 <= min(sizes) and max(sizes) <= 120
    assert all(d.meta.get(k) for d in DOCS for k in ('title', 'class', 'brands', 'reviewed'))
    assert len({d.title for d in DOCS}) == len(DOCS)


def test_every_file_says_that_it_is_no_medical_advice_and_all_is_small():
    assert {d.meta.get('notice') for d in DOCS + NOTES} == {'For teaching, not medical advice.'}
    assert 'not medical advice' in (sample_path() / 'README.md').read_text(encoding='utf-8')
    sizes = {f.name: f.stat().st_size for f in sample_path().parent.rglob('*') if f.is_file()}
    assert sizes.pop('minilm_guide.npz') < 12_000_000 and sum(sizes.values()) < 1_000_000


# --- the questions


@pytest.mark.parametrize('part', ['questions', 'contradictions'])
def test_rows_have_their_fields_and_none_is_dropped(part):
    fields = {'id', 'question', 'answer', 'document', 'section', 'also', 'kind'}
    if part == 'contradictions':
        fields |= {'older_answer'}
    assert all(set(r) == fields for r in lines(part))
    assert [q.id for q in sample_questions(part)] == [r['id'] for r in lines(part)]


def test_answers_stand_in_their_sections(questions):
    assert len(questions) >= 480
    for q in questions:
        assert 1 <= len(q.answer.split()) <= 12, q.id
        assert set(q.sections) <= TEXT.keys() and len(set(q.sections)) == len(q.sections), q.id
        text = TEXT[q.sections[0]]
        assert q.document == q.sections[0][0], q.id
        assert q.answer.lower() in ' '.join(text.lower().split()), q.id
        assert plain(q.answer) in plain(text), q.id  # at the borders of words


def test_kinds(questions):
    kinds = Counter(q.kind for q in questions)
    assert set(kinds) == set('name brand purpose situation colloquial multi'.split())
    assert min(kinds.values()) >= 30
    assert kinds['colloquial'] + kinds['multi'] >= 60
    assert {q.document for q in questions} == {d.path for d in DOCS}


def test_no_two_questions_are_alike(questions):
    texts = [plain(q.text) for q in questions + DISPUTED]
    texts += map(plain, sample_unanswerable())
    assert len(set(texts)) == len(texts)
    named = [[d.title, *d.title.split(), *d.meta['brands'].split(',')] for d in DOCS]
    names = sorted({plain(n).strip() for several in named for n in several}, key=len, reverse=True)
    masked = Counter(re.sub(rf'\b(?:{"|".join(names)})\b', 'X', t) for t in texts)
    assert not [t for t, c in masked.items() if c > 1]


def test_few_questions_mean_the_same(questions, embedder):
    v = embedder.embed_passages([q.text for q in questions], progress=False)
    nearest = (v @ v.T - 2 * np.eye(len(v))).max(axis=1)
    print(f'{(nearest > 0.9).mean():.2%} of {len(v)} have one nearer than .9; {nearest.max():.3f}')
    assert (nearest > 0.9).mean() < 0.01


def test_contradictions():
    pairs = {}
    for d in NOTES:
        pairs.setdefault(d.meta['pair'], []).append((int(d.meta['dated']), d.path))
    assert len(pairs) == 8 and all(len({year for year, _ in p}) == 2 for p in pairs.values())
    found = [[path for _, path in sorted(pair)] for pair in pairs.values()]
    asked, rows = Counter(), lines('contradictions')
    for r in rows:
        older, newer = next(p for p in found if r['document'] in p)
        now, before = TEXT[newer, r['section']], TEXT[tuple(r['also'][0])]
        assert r['document'] == newer and [d for d, _ in r['also']] == [older]
        assert plain(r['answer']) in plain(now) and plain(r['older_answer']) in plain(before)
        assert plain(r['answer']) not in plain(before)
        asked[newer] += 1
    assert len(rows) == 16 and set(asked.values()) == {2}


def test_answers_on_record(questions):
    about, rows = sample_context_answers()
    asked = {q.id: q for q in questions}
    of = {i: {r['shown']: r for r in rows if r['question'] == i} for i in about['questions']}
    assert set(of) <= set(asked) and sum(map(len, of.values())) == len(rows)
    assert len({asked[i].document for i in of}) >= 15
    for shown in of.values():
        sizes = sorted(m for m in shown if isinstance(m, int))
        assert {'nothing', 'gold', *about['ks']} <= set(shown)
        assert len(sizes) <= len(about['ks'] + about['alphas'])
        tokens = [shown[m]['tokens'] for m in ['nothing', *sizes] if m != 0]
        assert tokens == sorted(tokens) and tokens[-1] + about['max_new_tokens'] <= 8192
        none = dict(tokens=0, seconds=0, reply="I don't know")
        assert 0 not in shown or shown[0] == shown[0] | none
    assert (sample_path() / 'context_answers.jsonl.gz').stat().st_size < 100_000
