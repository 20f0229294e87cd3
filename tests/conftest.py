"What tests of several rooms share: the marker `model`, the documentation site, and a server's leave."

import os, subprocess, sys
import pytest
from filelock import FileLock
from nightly import NIGHTLY
from web import ROOT, served

pytest_plugins = ['folder_fixtures', 'kb_fixtures']

# as many workers as cores or more: threads of theirs wait for each other
os.environ.setdefault('OMP_NUM_THREADS', '1')
MODELS = {'llm', 'smollm', 'mistral'}  # fixtures that load a language model
BROWSER = ROOT / 'tests/browser'

# files that `make quick` leaves out as a whole: stores, servers, workers, commands, kills, long simulations
SLOW = """
    answers/test_claims answers/test_quotes answers/test_wording conformal/test_abstain conformal/test_drift
    contrib/test_frameworks contrib/test_ray documents/test_bucket documents/test_minilm
    documents/test_purge documents/test_reranked documents/test_scores documents/test_store documents/test_threads
    documents/test_three_places documents/test_weights documents/test_writers evidence/test_audit
    evidence/test_comparing evidence/test_diagnosis evidence/test_evaluation evidence/test_monitor
    evidence/test_two_sample labels/test_guide labels/test_labeling labels/test_people labels/test_writing_server
    models/test_gguf models/test_local models/test_server_hostile retrieval/test_beyond
    retrieval/test_calibration retrieval/test_old_promises retrieval/test_own_questions
    retrieval/test_pipeline retrieval/test_risk_control show/test_alpha show/test_scripts test_cli
    test_cli_hostile test_cli_own test_cli_stopped test_evaluate test_fuzz test_imports test_mcp test_opened test_sample test_serve
    traq/test_sampling traq/test_sets
""".split()

# of the tests that run a browser or a language model, those that `make test` runs: the others are nightly
SMOKE = """
    browser/test_accessibility.py::test_a_page[chromium-index]
    browser/test_accessibility.py::test_a_lesson_in_both_themes[chromium-slide-alpha]
    browser/test_alpha_page.py::test_it_slides_on_a_page[chromium]
    browser/test_alpha_page.py::test_lab_slides_by_keyboard[chromium]
    browser/test_dots_page.py::test_the_promised_mean_by_keyboard[chromium]
    browser/test_exercise_page.py::test_a_number_by_keyboard[chromium]
    browser/test_hostile.py::test_no_text_runs[chromium-Answer]
    browser/test_hostile.py::test_no_text_runs[chromium-Quotes]
    browser/test_onpage.py::test_run_edit_and_reset[chromium]
    browser/test_prediction_page.py::test_lock_reveal_reload_and_count[chromium-light]
    browser/test_serve_page.py::test_a_question_is_quoted_first[chromium]
    browser/test_serve_page.py::test_texts_of_others_stay_texts[chromium]
    browser/test_sets_page.py::test_both_sliders_move_on_a_page[chromium]
    answers/test_rag.py::test_the_model_reads_the_quoted_sentences
    answers/test_rag.py::test_spelled_control_tokens_are_text
    evidence/test_diagnosis.py::test_no_control_character_is_shown
    labels/test_judges.py::test_likelihoods_are_those_of_the_model
    labels/test_judges.py::test_what_a_chunk_says_of_yes_and_no_is_only_read
    models/test_local.py::test_greedy_replies_are_those_of_transformers
    models/test_local.py::test_mistral_generates_and_scores
    models/test_local.py::test_mistral_marks_in_a_document_stay_text
    models/test_local.py::test_no_text_becomes_a_mark
    models/test_local.py::test_score_agrees_with_one_pass_over_the_whole_text
    test_cli.py::test_a_model_writes_below_the_quotes_where_one_is_named
""".split()


def lies_in(folder, item):
    return folder in item.path.parents


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(config, items):
    "Mark what asks for a browser, for a language model or for the site, and what of it runs nightly only."
    for item in items:
        if lies_in(BROWSER, item):
            item.add_marker('browser')
        if MODELS & set(item.fixturenames):
            item.add_marker('model')
        if 'site' in item.fixturenames or item.nodeid.partition('.py::')[0].removeprefix('tests/') in SLOW:
            item.add_marker('slow')
        heavy = item.get_closest_marker('browser') or item.get_closest_marker('model')
        if heavy and item.nodeid.removeprefix('tests/') not in SMOKE:
            item.add_marker('nightly')
    # the browser comes last: Playwright's event loop runs until the end, and asyncio allows no other
    items.sort(key=lambda item: lies_in(BROWSER, item))
    later = [item for item in items if item.get_closest_marker('nightly') and not NIGHTLY]
    if later:
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if not item.get_closest_marker('nightly')]


@pytest.fixture(scope='session')
def site(tmp_path_factory):  # the URL of the built site, which the workers of one run build once
    run = os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())
    built = tmp_path_factory.getbasetemp().parent / f'site-{run}'
    build = [sys.executable, '-W', 'ignore', 'tools/docs.py', '--site']
    with FileLock(f'{built}.lock'):
        if not built.exists():
            r = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
            assert r.returncode == 0, r.stdout + r.stderr
            built.touch()
    with served(ROOT / '_docs') as url:
        yield url


@pytest.fixture
def online(monkeypatch):  # servers on this machine may be asked
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', False)
