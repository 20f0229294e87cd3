"A threshold and the documents that it was measured on: once they have changed, whatever holds it refuses, and says why and what to do."

import importlib, inspect, pkgutil, re, shutil
from dataclasses import replace
from types import SimpleNamespace
import pytest, conflare_nb
from conflare_nb import AlphaExplorer, AnswerSetRAG, Audited, ConformalRAG, ConformalRetriever, Document, DriftMonitor
from conflare_nb import Gated, KnowledgeBase, OfGroup, Question, Quoter, RiskControl, TopKRetriever, calibrate
from conflare_nb import calibrate_answers, calibrate_gate, calibrate_quotes, diagnose, do_certain_rag, rank_questions
from conflare_nb.answers.claims import ClaimFilter, LabelledAnswer, calibrate_claims
from conflare_nb.traq.sampling import AnswerSampler, Sampling, sampled_questions
from conflare_nb.evidence.audit import Audit
from conflare_nb.documents.reading import Section
from conflare_nb.contrib.frameworks import as_haystack, as_langchain, as_llama_index
from conflare_nb.evidence.evaluation import rank_labels
from conflare_nb.retrieval.risk_control import TestedControl, score_relevant
from conflare_nb.show.alpha import explorer_view
from conflare_nb.app.terminal import first_miss
from sampling_worker import Writer

ASKED = 'Can I drink milk with it?'
LIVE = Question('live', ASKED, 'once a week')
NEW = Document('new.md', 'A new one', (Section('Milk', 'Milk can be drunk with it.'),))


@pytest.fixture(scope='module')
def w(few, questions, tmp_path_factory):
    folder = shutil.copytree(few.path, tmp_path_factory.mktemp('own') / 'kb')
    own = KnowledgeBase.open(folder, few.embedder)  # answers are kept in it
    about = [q for q in questions if q.document in few.documents()]
    first, second = about[::2], about[1::2]
    kinds = calibrate(few, first, progress=False, groups='kind')
    sampler = AnswerSampler(own, Writer(), Sampling(k=3, pool=2))
    sampled = sampled_questions(sampler, first[:12], progress=False)
    w = SimpleNamespace(first=first, second=second, cal=kinds, gate=calibrate_gate(few, kinds, 0.5, progress=False))
    w.quotes, w.measured = (make(few, first, progress=False) for make in (calibrate_quotes, score_relevant))
    w.sampled = calibrate_answers(sampled, settings=sampler.settings())
    w.test = rank_questions(few, second, progress=False)
    return w


def retriever(kb, w, *guarantee):
    return ConformalRetriever(kb, w.cal, 0.3, *guarantee)


def sliding(kb, w):
    return AlphaExplorer(retriever(kb, w), ASKED, answer=answering(kb, w).stream)


def theirs(wrap, module, ask):  # an adapter, where its framework is installed
    def holder(kb, w):
        pytest.importorskip(module)
        wrapped = wrap(retriever(kb, w))
        return lambda: ask(wrapped)

    return holder


def slid(explorer):
    explorer.alpha = 0.2
    explorer.alpha = 0.3


def searched(explorer):
    explorer.query = 'And with water?'
    explorer.query = ASKED


def replied(explorer):
    explorer.ask().join()
    if explorer.reply['error']:
        raise ValueError(explorer.reply['error'])


def method(make, ask):  # made before the change, and asked after it
    def holder(kb, w):
        made = make(kb, w)
        return lambda: ask(made)

    return holder


def function(call):  # asked with what was made before the change
    def holder(kb, w):
        own = retriever(kb, w)
        return lambda: call(kb, w, own)

    return holder


def gated(kb, w):
    return retriever(kb, w, Gated(w.gate))


def quoting(kb, w):
    return Quoter(kb, w.quotes, 0.3)


def answering(kb, w):
    return ConformalRAG(retriever(kb, w), Writer())


def retrieves(one):
    return one.retrieve(ASKED)


def asks(one):
    return one.ask(ASKED)


def filtering(kb, w):
    chunk = kb.texts()[0]
    answer = LabelledAnswer((chunk.text,), (True,), (chunk,))
    return ClaimFilter(kb, calibrate_claims([answer] * 9, kb))


REFUSES = dict(
    ConformalRetriever=method(retriever, retrieves),
    of_group=method(lambda kb, w: retriever(kb, w, OfGroup('name')), retrieves),
    audited=method(lambda kb, w: retriever(kb, w, Audited(Audit(400, 4, 1000))), retrieves),
    gated=method(gated, retrieves),
    calibrate_gate=function(lambda kb, w, own: calibrate_gate(kb, w.cal, progress=False)),
    TopKRetriever=method(lambda kb, w: TopKRetriever(kb, 3, w.cal), retrieves),
    ConformalRAG=method(answering, asks),
    streamed=method(answering, lambda one: list(one.stream(ASKED))),
    ClaimFilter=method(filtering, lambda one: one.filter(ASKED, one.kb.texts()[:2])),
    forecast=method(answering, lambda one: one.forecast(ASKED)),
    from_quotes=method(lambda kb, w: ConformalRAG(None, Writer(), from_quotes=quoting(kb, w)), asks),
    do_certain_rag=function(lambda kb, w, own: do_certain_rag(ASKED, kb, w.cal, 0.3, llm=Writer())),
    Quoter=method(quoting, lambda one: one.quote(ASKED)),
    try_on=function(lambda kb, w, own: quoting(kb, w).try_on(w.second[:2])),
    RiskControl=method(lambda kb, w: RiskControl(kb, w.measured, 0.3), retrieves),
    TestedControl=method(lambda kb, w: TestedControl(kb, w.measured, 0.5), retrieves),
    AnswerSetRAG=method(lambda kb, w: AnswerSetRAG(kb, Writer(), w.sampled, 0.7), asks),
    DriftMonitor=method(lambda kb, w: DriftMonitor(kb, w.cal), lambda one: one.add([LIVE], progress=False)),
    explorer_view=function(lambda kb, w, own: explorer_view(own, ASKED)),
    AlphaExplorer=method(sliding, searched),
    explored=method(sliding, lambda one: one.retrieved),
    written=method(sliding, replied),
    a_page=method(sliding, lambda one: one.to_html()),
    slid=method(sliding, slid),
    rank_labels=function(lambda kb, w, own: rank_labels(kb, w.cal, w.first, progress=False)),
    diagnose=function(lambda kb, w, own: diagnose(own, None, w.second, progress=False)),
    first_miss=function(lambda kb, w, own: first_miss(own, w.test)),
    as_langchain=theirs(as_langchain, 'langchain_core', lambda one: one.invoke(ASKED)),
    as_llama_index=theirs(as_llama_index, 'llama_index', retrieves),
    as_haystack=theirs(as_haystack, 'haystack', lambda one: one.run(ASKED)),
)
READS_NOTHING = {  # public, with a threshold or a retriever, and no search of documents by it
    'a description or a picture of calibrations': {'plot_scores'},
    'scores that were measured before': {
        'answer_ranks', 'cost_table', 'coverage_table', 'crossed_table', 'set_measures',
    },
    'samples that were drawn before': {
        'AnswerSetExplorer', 'answer_set', 'answer_set_view', 'samples_used', 'unbounded',
    },
    "another's list, as it comes": {
        'as_haystack_filter', 'as_lancedb_reranker', 'as_langchain_compressor',
        'as_llama_index_postprocessor', 'conformal_filter', 'records_threshold',
    },
    'the slider, or the filter, in it refuses': {'write_report'},
    'claims that were measured before': {'ClaimView'},
    'a folder at one moment, which its documents belong to': {'OpenedFolder'},
    "somebody's function, asked once": {'evaluate_pipeline'},
    'what a threshold promises': {'Gated', 'Terms', 'check_guarantee', 'reach'},
    'what all others are made of': {'Answerer'},
    'measured now, beside what was measured before': {'calibrate', 'calibrate_quotes', 'measure_folder'},
    'what a command found when it ran': {'Calibrated', 'enough_lines'},
    'scores to draw': {'Dots'},
}  # fmt: skip


@pytest.fixture(params=REFUSES)
def asked(request, mine, w):
    return REFUSES[request.param](mine, w)


def test_whoever_holds_a_threshold_answers_before_and_refuses_after_a_change(mine, asked):
    asked()
    mine.add([NEW], progress=False)
    with pytest.raises(ValueError, match=r"again: \w+\(.*Different: .*chunks \(calibrated on '\w+', now '\w+'\)"):
        asked()
    mine.delete('new.md')
    asked()  # the same documents again


HELD = {'cal', 'calibrations', 'retriever', 'quoter', 'gate', 'rag', 'chosen', 'papers'}
HELD |= {'calibration_records', 'measured'}


def holds(one):  # whether a public function or class takes a threshold, or what holds one
    try:
        given = inspect.signature(one).parameters.values()
    except (TypeError, ValueError):
        return False  # no function, or one of Python's own errors
    typed = 'Calibration|Retriever|Quoter|RelevantScores|Gate'
    return any(p.name in HELD or re.search(typed, str(p.annotation)) for p in given)


def holders():  # all of them, by name
    found = set()
    for module in pkgutil.walk_packages(conflare_nb.__path__, 'conflare_nb.'):
        if module.ispkg or module.name.split('.')[-1].startswith('_'):
            continue
        loaded = importlib.import_module(module.name)
        found |= {name for name in loaded.__all__ if holds(getattr(loaded, name))}
    return found


def test_every_public_holder_of_a_threshold_is_in_a_list():
    known = set(REFUSES).union(*READS_NOTHING.values())
    assert sorted(holders() - known) == []
    assert sorted(set().union(*READS_NOTHING.values()) - holders()) == []


CHANGES = dict(
    added=lambda kb: kb.add([NEW], progress=False),
    deleted=lambda kb: kb.delete('apixaban.md'),
    replaced=lambda kb: kb.add([replace(NEW, path='apixaban.md')], progress=False),
)


@pytest.mark.parametrize('change', CHANGES.values(), ids=CHANGES)
def test_what_only_prints_claims_no_old_promise(mine, w, change):
    held = [make(mine, w) for make in (retriever, gated, quoting)]
    held += [RiskControl(mine, w.measured, 0.3), TestedControl(mine, w.measured, 0.5)]
    held += [TopKRetriever(mine, cal=w.cal, alpha=0.2)]
    assert all(one.promise and one.promise.threshold < float("inf") for one in held)
    change(mine)
    for one in held:
        assert re.match('.*again: .*Different: chunks', one.promise.missing[0])
        assert one.promise.nothing in repr(one)


@pytest.mark.parametrize('make', [sliding, lambda kb, w: DriftMonitor(kb, w.cal)])
def test_what_it_says_of_itself_names_the_change(mine, w, make):
    one = make(mine, w)
    assert 'Different' not in repr(one)
    mine.add([NEW], progress=False)
    assert re.search('(nothing is promised|Nothing new can be added): .*again: .*Different: chunks', repr(one))


@pytest.mark.parametrize('budget', [None, 0], ids=['in memory', 'on disk'])
def test_a_handle_stays_at_what_it_opened_and_refuses_once_it_reads_another(mine, w, budget):
    if budget == 0:
        mine = KnowledgeBase.open(mine.path, mine.embedder, memory_budget=0)
    theirs = KnowledgeBase.open(mine.path, mine.embedder)
    asking = retriever(mine, w)
    before = asking.retrieve(ASKED).chunks
    theirs.add([NEW], progress=False)  # another process's, as far as this handle knows
    assert asking.retrieve(ASKED).chunks.equals(before) and asking.promise
    with pytest.raises(ValueError, match='Different: chunks'):
        retriever(theirs, w)
    with pytest.raises(ValueError, match='Different: chunks'):
        retriever(KnowledgeBase.open(mine.path, mine.embedder), w)
    mine.add([Document('own.md', 'Own', (Section('', 'My own.'),))], progress=False)
    assert {'new.md', 'own.md'} <= set(mine.documents())  # a write reads the newest
    with pytest.raises(ValueError, match='Different: chunks'):
        asking.retrieve(ASKED)


@pytest.mark.parametrize('name', ['alpha', 'qhat', 'cal', 'guarantee', 'kb'])
def test_what_a_promise_rests_on_cannot_be_set(kb, name):
    asked = [Question(str(i), 'Which?', sections=((kb.texts()[0].document, ''),)) for i in range(20)]
    retriever = ConformalRetriever(kb, calibrate(kb, asked, progress=False), 0.4)
    for handle in (retriever, TopKRetriever(kb, cal=retriever.cal, alpha=0.2)):
        said, fixed = handle.promise, name if handle is retriever else 'k'
        with pytest.raises(AttributeError, match=f'{fixed} belongs to the promise; make another'):
            setattr(handle, fixed, 1)
        assert handle.promise == said
