"Five exercises: their replies in Python, and in the browser's script."

from itertools import product
from conflare_nb.show.exercise import Exercise

REPLIES = {89: 'Close: count the new question.', 90: 'The new question counts.'}
rank = Exercise('Which rank?', 90, replies=REPLIES, hint='Count.', solution='`ceil(100*0.9)`')
share = Exercise('Which share?', 0.12, tolerance=0.005, replies={0.5: 'Think of chance.'})
which = Exercise('Which?', 'b', choices=['a', 'b', 'c'], replies={'a': 'Think of b.'})
loss = Exercise('Which loss?', -3)
none = Exercise('How many?', 0)

# what is typed, well and badly
SIGNS = ['', '-', '+', '\u2212', ' ', '\u00a0', '\u2212\u2212']
BODIES = '0 1 12 0.12 0,12 .12 ,12 12. 12, 0.125 0.1250001 1,234 1,2345 0,123 12,345.6 90 89'
BODIES = [*BODIES.split(), *'1234567 1e3 1.2.3 ٣ 0x10 Infinity NaN'.split(), '', '9' * 400]
ENDS = ['', '%', ' %', '\u202f% ', '%%', '\n', '\t']
TYPED = list(product((rank, share, loss, none), map(''.join, product(SIGNS, BODIES, ENDS))))
TYPED += [(which, text) for text in ('a', 'b', 'c', 'd', '')]
