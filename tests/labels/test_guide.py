"The shipped medication guide is what its README says, neither trivial nor hopeless to search."

import re
from collections import Counter
import numpy as np
from conflare_nb import sample_documents, sample_questions, sample_unanswerable
from conflare_nb.labels.guide import sample_path


DOCS, NOTES = sample_documents(), sample_documents('contradictions')
DISPUTED = sample_questions('contradictions')


def plain(text):
    return ' ' + ' '.join(re.findall(r'[^\W_]+', text.lower())) + ' '


def test_every_file_says_that_it_is_no_medical_advice_and_all_is_small():
    assert {d.meta.get('notice') for d in DOCS + NOTES} == {'For teaching, not medical advice.'}
    assert 'not medical advice' in (sample_path() / 'README.md').read_text(encoding='utf-8')
    sizes = {f.name: f.stat().st_size for f in sample_path().parent.rglob('*') if f.is_file()}
    assert sizes.pop('minilm_guide.npz') < 12_000_000 and sum(sizes.values()) < 1_000_000


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
