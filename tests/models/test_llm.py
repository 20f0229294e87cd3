"What may be asked of any language model, and where a reply ends."

import pytest
from conflare_nb.models.llm import cut_at_stop
from model_prompts import WHEN


def test_a_prompt_that_does_not_fit_is_refused(llm):
    says = 'prompt 1 has 9,001 tokens and may be continued by 64: 9,065 do not fit .* which holds 8,192'
    with pytest.raises(ValueError, match=says):
        llm.generate(['short', 'far too long ' * 3000])
    tokens = llm.count_tokens([WHEN])[0]
    llm._config.max_position_embeddings = tokens + 4
    try:
        assert llm.generate([WHEN], max_new_tokens=4)
        for request in (
            lambda: llm.generate([WHEN], max_new_tokens=5),
            lambda: llm.stream(WHEN, max_new_tokens=5),
            lambda: llm.score(WHEN, [' one two three four five']),
        ):
            with pytest.raises(ValueError, match='do not fit'):
                request()
    finally:
        llm._config.max_position_embeddings = 8192


@pytest.mark.parametrize(
    'request_, message',
    [
        (lambda m: m.generate('text'), "stop are lists of texts; got the single text 'text'"),
        (lambda m: m.stream('text', stop='.'), "got the single text '.'"),
        (lambda m: m.generate(['text'], temperature=-0.5), 'got -0.5'),
        (lambda m: m.generate(['text'], n=0), 'got 0 and 64'),
        (lambda m: m.generate(['text'], max_new_tokens=0), 'got 1 and 0'),
        (lambda m: m.generate(['']), 'prompt 0 is empty'),
        (lambda m: m.score('text', [' a', '']), 'number 1 is empty'),
    ],
)
def test_senseless_requests_are_refused(llm, request_, message):
    with pytest.raises((ValueError, TypeError), match=message):
        request_(llm)


@pytest.mark.parametrize(
    'text, stop, cut',
    [
        ('a.b', ['.'], ('a', True)),
        ('a.b', ['b', '.'], ('a', True)),
        ('a.b', ['!'], ('a.b', False)),
        ('a.b', None, ('a.b', False)),
        ('', ['.'], ('', False)),
    ],
)
def test_a_reply_ends_before_the_first_stop(text, stop, cut):
    assert cut_at_stop(text, stop) == cut
