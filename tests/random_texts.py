"What the tests of documents share: random texts in many scripts, and how texts are compared and counted."

import re
from hypothesis import settings, strategies as st


def solid(text):
    return re.sub(r'\s', '', text)  # without white space


def words(texts):
    return [len(t.split()) for t in texts]


WORDS = [
    'take', 'It', 'Dr', 'e.g', 'i.e', 'No', '3.5', 'mg/day', 'x', '每天', '一次', '不要空腹服用',
    'تناول', 'الدواء', 'दवा', 'e\u0301', 'n\u0303o', 'Z\u0335\u0321a\u0337lgo', '👩🏽\u200d⚕️', '💊', '🇬🇧',
    "it's", '(see', 'below)', '“Stop!”', '•', '\u00a0', '\u200b', '\x0c', '<b>', '{x}', '$100',
]  # fmt: skip
ENDS = [
    ' ', ' ', ' ', '. ', '? ', '!) ', '… ', '。', '」', '！', '؟ ', '।', '\n', '\n\n', '\n \n', '\t',
    '  ', ', ', '',
]  # fmt: skip
LONG = st.sampled_from(['a', '字', 'é', '!', '.', '💊'])
NAMES = ['Dose', 'Storage', 'C#', '剂量', 'Side effects', '💊', '->', '*both*']
word = st.sampled_from(WORDS) | st.builds(lambda c, n: c * n, LONG, st.integers(100, 400))
ended = st.builds(lambda w, e: w + e, word, st.sampled_from(ENDS))
text = st.lists(ended, max_size=30).map(''.join)
name = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map(' '.join)
prop = settings(derandomize=True, deadline=None, max_examples=100)
