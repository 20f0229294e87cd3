"Each rule catches what it names and spares what it does not."

import numpy as np, pytest
from conflare_nb.labels.filters import question_problem, vector_problem


CHUNK = 'Codeine dampens a dry cough. Packs bought in a pharmacy are for three days only, '
CHUNK += 'and it must not be given to anyone under 12.'
OK = 'How long are codeine packs from a pharmacy for?'
THE_TEXT = """the text|this passage|the study|the document|the author|the article|the above paragraph
the given context|these sentences|The authors|the leaflet""".replace('\n', '|')
RULES = {
    '': """I bought codeine. How long can I take it? / three days
Which study drug, codeine or another, dampens a cough? / three days
"How long are codeine packs for?" / three days
How long are codeine packs for？ / three days
How long are codeine packs for? / three
How long is codeine? / three days
How long are codeine packs for? / THREE, days!
Are codeine packs bought in a pharmacy for three days? / under 12
Are codeine packs bought in a pharmacy are for whom? / under 12""",  # seven in a row
    'copies the chunk': """Are codeine packs bought in a pharmacy are for three? / under 12
Why are packs bought in a pharmacy are for three days only, codeine? / under 12""",
    'not self-contained': '''How long can you take it? / three days
Who must not be given these packs? / three days
Which of the former is given to children? / three days
What is mentioned above on codeine? / three days''',
    'not a question': 'Codeine packs are for how many days. / three days\nCodeine packs / three days\n / x',
    'too short or too long': f"""Is codeine? / three days\n{'Why ' * 41}? / three days""",
    'answer too short or too long': f"""{OK} / ?!\n{OK} / {'days ' * 21}""",
    'answer not in the chunk': f"""{OK} / four days\n{OK} / ree days""",
    'gives its answer away': """Are codeine packs for three days only? / three days
Is a dry cough what codeine dampens, or a cough that is dry? / a dry cough""",
}
CASES = [(*line.split(' / '), why) for why, lines in RULES.items() for line in lines.split('\n')]
for what in THE_TEXT.split('|'):
    CASES.append((f'What does {what} say about codeine packs?', 'three days', 'not self-contained'))


@pytest.mark.parametrize('q, a, why', CASES)
def test_rules(q, a, why):
    assert question_problem(q, a, CHUNK, 'Codeine') == why


def test_the_limits_themselves_are_allowed():
    asks, says = (' '.join(f'{letter}{i}' for i in range(n)) for letter, n in (('w', 40), ('v', 20)))
    assert question_problem(f'{asks}?', says, says) == ''


def test_near_is_off_topic_below_its_limit_and_a_duplicate_from_its_limit_on():
    across, along = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    for cosine, others, topic, why in [
        (0.15, [], along, ''),
        (0.14, [], along, 'off-topic'),
        (0.9, [across, along], None, 'duplicate'),
        (0.89, [along], None, ''),
    ]:
        vector = np.array([cosine, 0.0])
        assert vector_problem(vector, np.array(others), topic, 0.15) == why
