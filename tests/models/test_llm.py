"What may be asked of any language model, and where a reply ends."

import pytest
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
