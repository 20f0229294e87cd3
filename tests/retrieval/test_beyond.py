"A threshold where answers are out of reach: what is promised is said with them, wherever it is said."

from dataclasses import replace
import numpy as np
from conflare_nb import ConformalRetriever, Question, Quoter, calibrate, calibrate_pipeline, calibrate_quotes, covered


def lost(cal, count):
    scores = np.where(np.isinf(cal.scores), 0.0, cal.scores)
    scores[:count] = np.inf
    return replace(cal, scores=scores, labels=())


def test_every_sentence_of_a_finite_promise_says_it(kb, questions):
    some = questions[:80]
    cal, quotes = calibrate(kb, some, progress=False), calibrate_quotes(kb, some, progress=False)
    for count in (0, 4):
        chunks, sentences = lost(cal, count), lost(quotes, count)
        grouped = replace(chunks, groups=tuple(f'{i % 2}' for i in range(cal.n)))
        held = [*(ConformalRetriever(kb, each, 0.2) for each in (chunks, grouped)), Quoter(kb, sentences, 0.2)]
        said = [text for one in held for text in (one.promise.short, str(one.promise))]
        assert ['nothing that answers was found' in text for text in said] == [count > 0] * 6
        assert all(', or the whole pool is, on average' in text for text in said[:4])
    assert all(', or every sentence of the best chunks is, on' in text for text in said[4:])
    assert 'as covered only where every sentence of the best chunks is listed' in said[4]
    assert said[0].startswith('For at least 80% of ')
    # some are in no sentence of the best chunks
    every = calibrate_quotes(kb, questions, progress=False)
    assert any('nothing that answers' in limit for limit in every.promise(0.2).limits)


def test_a_list_that_was_cut_off_says_it():
    asked = [Question(f'{i}', f'On {i}?', '42') for i in range(60)]

    def retrieve(text):
        i = int(text[3:-1])
        return [('a', 'Nothing.', 0.0), ('b', '42' if i % 10 else '41', float(i))]

    cal = calibrate_pipeline(retrieve, asked, alpha=0.2, progress=False)
    assert covered(cal.scores, cal.qhat(0.2)).sum() < 60
    said = 'nothing that answers was found for 6 of 60 calibration questions'
    assert said in str(cal.promise(0.2))
    assert 'as covered only where everything that it returns is kept' in str(cal.promise(0.2))
