"Sharing a calibration through the Hub's client."

import json, math, shutil
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import create_autospec
import huggingface_hub, pytest
from huggingface_hub import errors
from conflare_nb.retrieval.calibration import Calibration
from conflare_nb.labels.labeling import Label
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance, Margin, Rank
from conflare_nb.retrieval.sharing import _card, pull_calibration, push_calibration

ALPHAS, inf = (0.2, 0.1, 0.05, 0.01), math.inf

LABELS = [Label('a', 'A?', 0.1, 1, 'd#1'), Label('b', 'B?', 0.4, 7, 'd#2')]
LABELS += [Label('c', '<b>C</b>?', inf, None, None, 'not among the best 30')]
LABELS += [Label('d', 'D?', 0.2, 2, 'd#3')]
OF = dict(chunks='c', embedding=dict(weights='w'), metric='cosine')
MADE = 'gold answers', '2026-01-01T00:00:00+00:00'
CAL = Calibration([0.1, 0.4, inf, 0.2], OF, *MADE, tuple(LABELS))

# --- the card


def same(a, b):
    fields = 'fingerprint', 'source', 'created', 'labels', 'score'
    return list(a.scores) == list(b.scores) and all(getattr(a, f) == getattr(b, f) for f in fields)


def card(cal):
    "The prose of the README before and after its block, and what stands in the block."
    before, block, after = _card(cal).split('```')
    return before, json.loads(block.removeprefix('json')), after


def test_what_others_wrote_stands_in_one_block_of_the_card():
    source = '<script>x</script> [a](javascript:b) | ``` `c`\n# head'
    hostile = replace(CAL, source=source, fingerprint={'chunks': '```\n<img src=x>'})
    before, block, after = card(hostile)
    assert (before, after) == (card(CAL)[0], '\n') and before.startswith('---\ntags: [')
    assert source in block['measured_on'] and block['knowledge_base'] == hostile.fingerprint


CARDS = [Distance(), Hybrid(), Rank(), Margin(pool=9)]


@pytest.mark.parametrize('score', CARDS, ids=lambda score: score.name)
def test_the_card_names_the_score_and_what_is_promised(score):
    cal = replace(CAL, score=score)
    before, block, _ = card(cal)
    assert block['score'] == score.fingerprint() and block['promise'] == cal.promise(0.1).short
    assert block['levels'] == {f'{alpha:g}': cal.promise(alpha).rule for alpha in ALPHAS}
    assert '4 questions' in block['measured_on'] and 'A?' not in before + str(block)


# --- the Hub


@pytest.fixture
def hub(tmp_path, monkeypatch):
    "A stand-in for the Hub's client that keeps what it is given, and takes no call that it lacks."
    api, commits = create_autospec(huggingface_hub.HfApi, instance=True), []

    def upload(repo_id, folder_path, **how):
        commits.append(shutil.copytree(folder_path, tmp_path / f'commit {len(commits)}'))
        return SimpleNamespace(commit_url=f'{repo_id}/commit/{len(commits) - 1}')

    def download(repo_id, filename, revision, **how):
        return commits[int(revision or -1)] / filename

    api.upload_folder.side_effect, api.hf_hub_download.side_effect = upload, download
    monkeypatch.setattr(huggingface_hub, 'HfApi', lambda: api)
    return api


def test_a_calibration_goes_to_the_hub_and_back(hub, tmp_path):
    bare = replace(CAL, labels=())
    assert [push_calibration(cal, 'me/first') for cal in (CAL, bare)][1] == 'me/first/commit/1'
    hub.create_repo.assert_called_with('me/first', repo_type='dataset', private=True, exist_ok=True)
    assert hub.upload_folder.call_args.kwargs['repo_type'] == 'dataset'
    written = {path.name for path in (tmp_path / 'commit 0').iterdir()}
    assert written == {'README.md', 'calibration.json'}
    assert same(pull_calibration('me/first'), bare)
    assert same(pull_calibration('me/first', '0'), CAL)  # an older commit
    (tmp_path / 'commit 1' / 'calibration.json').write_text('[]')
    with pytest.raises(ValueError, match='is no calibration'):
        pull_calibration('me/first')


@pytest.mark.parametrize('error', [OSError, ValueError, errors.HTTPError])
def test_what_the_hub_refuses_is_one_clear_sentence(hub, error):
    hub.create_repo.side_effect = hub.hf_hub_download.side_effect = error('404\n  not there')
    for use in (lambda: pull_calibration('me/first'), lambda: push_calibration(CAL, 'me/first')):
        with pytest.raises(
            RuntimeError, match='^me/first could not be used .*says: 404 not there$'
        ):
            use()


def test_a_name_that_the_hub_has_not_and_no_connection(monkeypatch):
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', True)
    for name in ('me/bad..name', 'me/first'):
        with pytest.raises(RuntimeError, match=f'^{name} could not be used .* connection'):
            pull_calibration(name)
