"Each rule catches what it names and spares what it does not."

import pytest
from conflare_nb.labels.filters import question_problem, vector_problem, words_in

pytest_plugins = ['kb_fixtures']

CHUNK = 'Codeine dampens a dry cough. Packs bought in a pharmacy are for three days only, and it must not be given to anyone under 12.'
OK = ('How long are codeine packs from a pharmacy for?', 'three days')


def why(q=OK[0], a=OK[1], **kw):
    return question_problem(q, a, CHUNK, 'Codeine', **kw)


@pytest.mark.parametrize(
    'q',
    [
        OK[0],
        'I bought codeine. How long can I take it?',
        'Which study drug, codeine or another, dampens a cough?',
        '"How long may codeine be taken?"',
        'How long may codeine be taken？',
    ],
)
def test_a_good_question_passes(q):
    assert why(q) == ''


THE_TEXT = """the text|this passage|the study|the document|the author|the article|the above paragraph
the given context|these sentences|The authors|the leaflet""".replace('\n', '|')
OUTSIDE = [
    *[f'What does {what} say about codeine packs?' for what in THE_TEXT.split('|')],
    'How long can you take it?',
    'Who must not be given these packs?',
    'Which of the former is given to children?',
    'What is mentioned above on codeine?',
]


@pytest.mark.parametrize('q', OUTSIDE)
def test_a_question_that_points_at_its_text_or_at_nothing_named(q):
    assert why(q) == 'not self-contained'


@pytest.mark.parametrize(
    'q,a,reason',
    [
        ('Codeine packs are for how many days.', 'three days', 'not a question'),
        ('Codeine packs', 'three days', 'not a question'),
        ('', 'x', 'not a question'),
        ('Is codeine?', 'three days', 'too short or too long'),
        ('Why ' * 41 + '?', 'three days', 'too short or too long'),
        (OK[0], '?!', 'answer too short or too long'),
        (OK[0], 'days ' * 21, 'answer too short or too long'),
        (OK[0], 'four days', 'answer not in the chunk'),
        (OK[0], 'ree days', 'answer not in the chunk'),
        (OK[0], 'three', ''),
        (OK[0], 'THREE\n days!', ''),
        ('Are codeine packs for three days only?', 'three days', 'gives its answer away'),
        (
            'Is a dry cough what codeine dampens, or a cough that is dry?',
            'a dry cough',
            'gives its answer away',
        ),
        ('Are codeine packs bought in a pharmacy for three days?', 'under 12', ''),
        ('Are codeine packs bought in a pharmacy are for whom?', 'under 12', ''),  # seven in a row
        ('Are codeine packs bought in a pharmacy are for three?', 'under 12', 'copies the chunk'),
        (
            'Why are packs bought in a pharmacy are for three days only, codeine?',
            'under 12',
            'copies the chunk',
        ),
    ],
)
def test_rules(q, a, reason):
    assert why(q, a) == reason


def test_other_languages_pass_the_rules_that_know_no_language():
    assert question_problem('堆肥应该多久翻动一次？', '每两周', '堆肥每两周翻一次。', '堆肥') == ''
    german = (
        'Wie oft wird der Kompost gewendet?',
        'alle zwei Wochen',
        'Man wendet ihn alle zwei Wochen.',
    )
    assert question_problem(*german, 'Kompost') == ''
    assert [len(words_in(t)) for t in ('堆肥每两周', "Don't stop, x_y", '')] == [5, 5, 0]


def test_lay_questions_mostly_pass(questions, kb):
    "The rules were written for models; what patients write breaks few of them."
    texts = {}
    for r in kb.texts():
        texts.setdefault((r['document'], r['heading']), []).append(r['text'])
    reasons = []
    for q in questions:
        text = ' '.join(texts[q.sections[0]])
        reasons.append(question_problem(q.text, q.answer, text, q.document.split('.')[0]))
    share = {k: round(reasons.count(k) / len(reasons), 3) for k in set(reasons)}
    print(share)
    bounds = {
        'copies the chunk': 0.01,
        'answer not in the chunk': 0.01,
        'gives its answer away': 0.05,
    }
    assert all(share.get(reason, 0) < bound for reason, bound in bounds.items())


def test_vectors(embedder):
    texts = (
        'How do I store codeine?|How should codeine be stored?|Who won the cup?|storing medicines'
    )
    v = embedder.embed_queries(texts.split('|'), False)
    assert [vector_problem(x, v[:1], v[3]) for x in v[1:3]] == ['duplicate', 'off-topic']
    assert vector_problem(v[0], v[2:3], v[3]) == vector_problem(v[0], v[:0]) == ''
