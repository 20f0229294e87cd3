"""The site's search: lessons and guides before the pages of the API, and the words that people have for things.

smalldocs finds a phrase as it is typed, and lists what matches best. So "pdf" gave the limits of a reader, and
"evaluate my rag" nothing.
"""

import json
import re
from pathlib import Path

FIRST = re.compile(r'(index|learn|tutorials|guides|explain)\b')
# page -> what people type who want it
WORDS = {
    'tutorials/class': 'teaching, course, workshop, lecture, exercises, quiz, students',
    'tutorials/does-it-hold': 'evaluate my rag, evaluate a retriever, test recall, hit rate, is it reliable',
    'app/evaluating': 'evaluate my rag, evaluate a pipeline, benchmark',
    'tutorials/your-documents': 'my own files, folder, word documents, chat with my documents',
    'guides/documents-in-steps': 'pdf, scanned pages, ocr, audit',
    'tutorials/quickstart': 'install, getting started, first steps, example, how to use',
    'tutorials/the-idea': 'what is conformal prediction, introduction, beginner, guarantee',
    'tutorials/nano': 'from scratch, minimal, numpy, how does it work',
    'tutorials/a-good-score': 'nonconformity score, reranker, hybrid search, bm25, colbert, improve retrieval',
    'tutorials/for-whom-does-it-hold': 'fairness, subgroups, mondrian, conditional coverage',
    'tutorials/calibrate-with-a-model': 'synthetic questions, generate questions, no labels, test set',
    'tutorials/can-i-trust-the-judge': 'llm as a judge, label errors, annotation',
    'tutorials/answer-sets': 'hallucination, uncertainty of an answer, is the answer right',
    'tutorials/when-the-world-moves': 'drift, distribution shift, monitoring, production',
    'tutorials/when-to-say-nothing': 'unanswerable, abstain, i do not know, out of scope',
    'explain/which-threshold': 'similarity threshold, cutoff, score_threshold, top k, how many chunks',
    'guides/mistral': 'llama, gpu, vllm, ollama, local model, openai',
    'guides/other-frameworks': 'langchain, llamaindex, haystack, chroma, pinecone, vector store',
}
FOUND = 'fuse.search(q, { limit }).map((h) => h.item)'
# 0 is a perfect match: a page of the API must match better by this much
ORDERED = (
    'fuse.search(q).sort((a, b) => a.score + .3 * a.item.later - b.score - .3 * b.item.later)'
    '.slice(0, limit).map((h) => h.item)'
)
KEYS, MORE = '{ name: "section", weight: 2 },', ' { name: "words", weight: 2 },'
SCORED = 'includeMatches: false,'


def replaced(text: str, old: str, new: str) -> str:
    "A text with one part replaced, which must be there."
    assert text.count(old) == 1, f'smalldocs has changed: {old!r} is not in its script'
    return text.replace(old, new)


def improve(out: Path):
    "Put the order and the words into a site that smalldocs made."
    path = out / 'search.json'
    entries = json.loads(path.read_text(encoding='utf-8'))
    for entry in entries:
        page, _, section = entry['href'].partition('.html')
        entry['later'] = 0 if FIRST.match(page) else 1
        if not section and page in WORDS:
            entry['words'] = WORDS[page]
    path.write_text(json.dumps(entries, ensure_ascii=False), encoding='utf-8')
    script = out / 'site_libs/smalldocs.js'
    text = script.read_text(encoding='utf-8')
    for old, new in ((FOUND, ORDERED), (KEYS, KEYS + MORE), (SCORED, SCORED + ' includeScore: true,')):
        text = replaced(text, old, new)
    script.write_text(text, encoding='utf-8')
