"Five exercises, and what is typed into them: their replies in Python, and in the browser's script."

from conflare_nb.show.exercise import Exercise

REPLIES = {89: 'Close: count the new question.', 90: 'The new question counts.'}
rank = Exercise('Which rank?', 90, replies=REPLIES, hint='Count.', solution='`ceil(100*0.9)`')
share = Exercise('Which share?', 0.12, tolerance=0.005, replies={0.5: 'Think of chance.'})
which = Exercise('Which?', 'b', choices=['a', 'b', 'c'], replies={'a': 'Think of b.'})
loss = Exercise('Which loss?', -3)
none = Exercise('How many?', 0)

READ = {  # what is typed, well and badly: the number that it says
    '.5': 0.5, '5.': 5, '1.234': 1.234, '0,050': 0.05, '1234': 1234, '1,2345': 1.2345, '12,34': 12.34,
    ' +7 ': 7, '7\u00a0%': 0.07, '88%': 0.88, '12,4 %': 0.124, '90': 90, '89': 89, '\u22123': -3,
    '1,234': None, '12,345': None, '1,234,567': None, '1,234.5': None, '': None, '.': None, '%': None,
    '12%%': None, '1 2': None, '5\n': None, '\u0663': None, '--1': None, '\u2212\u22121': None,
    '1e3': None, '0x10': None, 'Infinity': None, 'NaN': None, '9'*400: float('9'*400), '-90': -90,
    '1/4': 0.25, ' 16 / 20': 0.8, '50%/2': 0.25, '1/0': None, '1/2/3': None, '/3': None, '1/': None,
}  # fmt: skip
TYPED = [(exercise, text) for exercise in (rank, share, loss, none) for text in READ]
TYPED += [(which, text) for text in ('a', 'b', 'c', 'd', '')]
