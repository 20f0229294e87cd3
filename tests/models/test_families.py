"Language models of each family that is in use, tiny and random: made, saved, loaded, asked, scored and streamed."

import base64, json
import numpy as np, pytest, torch, transformers
from conflare_nb.models.local import TransformersLLM
from tiny_models import mistral_tokenizer

SIZES = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4)
SIZES |= dict(num_key_value_heads=2, max_position_embeddings=1024)
SIZES |= dict(bos_token_id=1, eos_token_id=2, pad_token_id=0)
EYES = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2)
EYES |= dict(image_size=28, patch_size=14)
MARKS = '<unk> <s> </s> [INST] [/INST] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [IMG]'.split()
GREETING = 'You are called Anna and power an assistant of this house. ' * 12
TURN = "[INST]{{ m['content'] }}[/INST]{% endfor %}"
PLAIN = '{{ bos_token }}{% for m in messages %}' + TURN
GREETS = (
    f"{{% if messages[0]['role'] == 'system' %}}{{% set first = messages[0]['content'] %}}{{% set messages = messages[1:] %}}"
    f"{{% else %}}{{% set first = '{GREETING}' %}}{{% endif %}}"
    '{{ bos_token }}[SYSTEM_PROMPT]{{ first }}[/SYSTEM_PROMPT]{% for m in messages %}' + TURN
)
NO_SYSTEM = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
FAMILIES = {  # the class, its settings, the template (None: there is none; 'tekken': tekken.json alone)
    'mistral': ('MistralForCausalLM', {}, PLAIN),
    'ministral': ('MinistralForCausalLM', dict(head_dim=8), GREETS),
    'ministral3': ('Ministral3ForCausalLM', dict(head_dim=8), NO_SYSTEM + GREETS),
    'mistral3': ('Mistral3ForConditionalGeneration', dict(model_type='ministral3', vocab_size=264), 'tekken'),
    'gemma3': ('Gemma3ForConditionalGeneration', dict(sliding_window=64), NO_SYSTEM + PLAIN),
    'qwen3': ('Qwen3ForCausalLM', dict(head_dim=8), PLAIN),
    'llama': ('LlamaForCausalLM', {}, PLAIN),
    'phi': ('PhiForCausalLM', {}, None),
}


def tekken(folder):
    "Mistral's own file, in its form of 2025, with bytes as words."
    vocab = [dict(rank=b, token_bytes=base64.b64encode(bytes([b])).decode()) for b in range(256)]
    special = [dict(rank=i, token_str=mark) for i, mark in enumerate(MARKS)]
    sizes = dict(default_vocab_size=256 + len(MARKS), default_num_special_tokens=len(MARKS))
    said = dict(config=dict(pattern=r'\s?\w+|[^\w\s]+|\s+', **sizes), vocab=vocab)
    (folder / 'tekken.json').write_text(json.dumps(said | dict(special_tokens=special)))


def saved(folder, name, settings, template):
    tok = mistral_tokenizer(others=0)  # random bytes are no text
    tok.add_special_tokens(dict(additional_special_tokens=MARKS[5:]))
    tok.chat_template = template
    settings = SIZES | dict(vocab_size=len(tok)) | settings
    made = getattr(transformers, name)
    if name.endswith('ConditionalGeneration'):
        sees = dict(model_type='pixtral', head_dim=16) if name.startswith('Mistral') else {}
        text = dict(head_dim=8, **settings)
        config = made.config_class(text_config=text, vision_config=EYES | sees, image_token_index=7)
    else:
        config = made.config_class(**settings)
    torch.manual_seed(0)
    made(config).save_pretrained(folder)
    if template == 'tekken':
        tekken(folder)
    else:
        tok.save_pretrained(folder)
    return folder


@pytest.fixture(scope='session')
def families(tmp_path_factory):
    folder = tmp_path_factory.mktemp('families')
    return {name: saved(folder / name, *made) for name, made in FAMILIES.items()}


@pytest.mark.parametrize('family', FAMILIES)
def test_a_family_is_asked_scored_and_streamed(families, family):
    name, _, template = FAMILIES[family]
    llm = TransformersLLM(families[family], device='cpu')
    tok, prompts = llm._encode.tok, ['Hello', 'Which</s> day [INST] is it?', 'a']
    assert type(llm._model).__name__ == name and llm.context_window == 1024
    replies = llm.generate(prompts, max_new_tokens=6)
    for prompt, (reply,) in zip(prompts, replies):
        ids = torch.tensor([llm._encode(prompt)])
        asked = dict(attention_mask=torch.ones_like(ids), max_new_tokens=6, do_sample=False)
        expected = llm._model.generate(ids, **asked)[0, ids.shape[1] :]
        assert reply == tok.decode(expected, skip_special_tokens=True)
        assert ''.join(llm.stream(prompt, max_new_tokens=6)) == reply
        marks = [tok.convert_ids_to_tokens(i) for i in ids[0].tolist() if i < 5]
        assert marks == (['<s>', '[INST]', '[/INST]'] if template else ['<s>'])
    before, after = llm._encode('Hello'), [llm._encode.plain(text) for text in (' yes', ' no, not')]
    with torch.no_grad():
        logps = [llm._model(torch.tensor([before + row])).logits[0].log_softmax(-1) for row in after]
    start = len(before) - 1
    expected = [sum(logp[start + i, t].item() for i, t in enumerate(row)) for logp, row in zip(logps, after)]
    assert np.allclose(llm.score('Hello', [' yes', ' no, not']), expected, atol=1e-4)


def test_a_long_greeting_of_the_template_is_left_out_where_it_may_be(families):
    lengths = {name: TransformersLLM(families[name]).count_tokens(['Hi'])[0] for name in FAMILIES}
    assert lengths['ministral'] < 10 < 200 < lengths['ministral3']  # it refuses any other greeting


def test_what_a_model_lacks_is_one_sentence(families, tmp_path):
    settings = json.loads((families['llama'] / 'config.json').read_text())
    packed = settings | dict(quantization_config=dict(quant_method='fp8'))
    for config, says in (
        (packed, r'8 bits.*FP8.*accelerate.*\[scale\].*-BF16'),
        (dict(model_type='vit'), 'a model of type vit does not continue a text'),
        (dict(model_type='of-tomorrow'), 'could not be loaded: .*of-tomorrow'),
    ):
        (tmp_path / 'config.json').write_text(json.dumps(config))
        with pytest.raises(RuntimeError, match=says) as error:
            TransformersLLM(tmp_path, device='cpu')._model
        assert len(str(error.value)) < 500 and '\n' not in str(error.value)
