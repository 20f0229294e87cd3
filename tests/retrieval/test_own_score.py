"A score of one's own, which adds columns to the rows by `read`, goes wherever ours go."

import json, subprocess, sys
from dataclasses import dataclass
import numpy as np, pyarrow as pa, pytest
from conflare_nb import AlphaExplorer, Calibration, ConformalRAG, ConformalRetriever, ContainsJudge, DriftMonitor
from conflare_nb import Hybrid, LateHybrid, Question, Quoter, Reranked, TopKRetriever, calibrate, calibrate_quotes
from conflare_nb import diagnose, rank_questions
from conflare_nb.answers.quotes import QuoteScore
from conflare_nb.app.cli import main
from conflare_nb.app.terminal import first_miss
from conflare_nb.contrib.frameworks import as_haystack, as_langchain, as_llama_index, as_pipeline
from conflare_nb.documents.score import SCORES, ShareScore, Softmax
from conflare_nb.documents.stored import NAMED_SCORES, stored_score
from conflare_nb.retrieval.pipeline import PipelineScore, calibrate_pipeline
from conflare_nb.show.alpha import explorer_view
from conflare_nb.traq.sampling import AnswerSampler, Sampling, sampled_questions
from sampling_worker import Parrot, Writer

ASKED = 'Can I drink milk with it?'


@dataclass(frozen=True)
class TitleNamed(ShareScore):
    "Similarity, and `named` more for a chunk whose title stands in the question."

    named: float = 0.1
    T: float = 0.05
    pool: int | None = 50
    keep_first: bool = True

    def read(self, kb, question, rows):
        there = [title.lower() in question.lower() for title in rows['title'].to_pylist()]
        rows = rows.append_column('named', pa.array(np.array(there, float)))
        return rows.append_column('why', pa.array(['by title' if x else '' for x in there]))

    def merits(self, question, rows):
        return 1 - rows['distance'].to_numpy() + self.named * rows['named'].to_numpy()


@pytest.fixture(scope='module')
def cal(few, asked):
    return calibrate(few, asked[::2], score=TitleNamed(), progress=False)


@pytest.fixture(scope='module')
def quote_cal(few, asked):
    return calibrate_quotes(few, asked[::2], QuoteScore(ranking=TitleNamed()), progress=False)


@pytest.fixture
def retriever(few, cal):
    return ConformalRetriever(few, cal, 0.1)


def test_hits_keep_what_the_score_added(few, cal, retriever, asked):
    question = asked[1].text
    for found in (retriever.retrieve(question), TopKRetriever(few, 4, cal).retrieve(question)):
        hits = found.rows()
        assert [hit.rank for hit in hits] == [*range(1, len(found) + 1)]
        for hit, row in zip(hits, found.chunks.to_pylist(), strict=True):
            assert {**hit} == row and hit.extra == {name: row[name] for name in ('named', 'why')}
            want = hit.extra['named'], row['score'], row['p_value']
            assert (hit['named'], hit.score, hit.p_value) == want
            assert hit.similarity == 1 - hit.distance and hash(hit) and hit.location()
        assert hits[0].title in found._repr_html_()


def test_a_judge_labels_as_known_answers_do(mine, asked, cal):
    judged = calibrate(mine, asked[::2], judge=ContainsJudge(), score=TitleNamed(), progress=False)
    assert judged.score == cal.score and np.isfinite(judged.scores).any()


def test_the_explorer_shows_it(few, retriever, quote_cal, asked):
    quoter = Quoter(few, quote_cal, 0.3)
    view = explorer_view(retriever, asked[1], quoter=quoter)
    found = retriever.retrieve(asked[1].text)
    assert view.at(0.1)['chunks'] == len(found)
    assert [chunk['id'] for chunk in view.chunks][: len(found)] == found.chunks['id'].to_pylist()
    explorer = AlphaExplorer(retriever, asked[1].text, quoter=quoter)
    explorer.query = asked[2].text
    assert not explorer.error and found.rows()[0].title in view.table(0.1)
    assert asked[2].text in explorer.to_html()


def test_quotes_and_answers_are_of_it(few, retriever, quote_cal, asked):
    quoter = Quoter(few, quote_cal, 0.3)
    quotes = quoter.quote(asked[1].text)
    assert len(quotes) and quotes.first.to_dict()['source']
    assert quotes.listed[0].chunk.extra.keys() == {'named', 'why'}
    for rag in (ConformalRAG(retriever, Writer()), ConformalRAG(None, Writer(), from_quotes=quoter)):
        answer = rag.ask(asked[1].text)
        assert answer.given and not answer.left_out and 'With milk' in answer._repr_html_()


def test_pages_and_checks_read_it(mine, cal, asked):
    retriever = ConformalRetriever(mine, cal, 0.1)
    test = rank_questions(mine, asked[1::2], score=TitleNamed(), progress=False)
    miss = first_miss(retriever, test)
    assert miss is None or miss['nearest']
    assert 'context too large' in str(diagnose(retriever, Writer(), asked[1::2], progress=False))
    monitor = DriftMonitor(mine, cal)
    assert monitor.add(asked[1:4:2], progress=False) == 2


def test_answers_are_sampled_by_it(mine, asked):
    sampler = AnswerSampler(mine, Parrot(), Sampling(k=3, pool=1), score=TitleNamed())
    sampled = sampled_questions(sampler, asked[:20], progress=False)
    missed = [one for one in sampled if one.gold == 1]  # retrieval missed it
    assert missed and all(one.pool[1].score == np.inf for one in missed)
    assert all(one.pool[0].score == 0 for one in sampled)


def test_it_is_a_pipeline_like_any_other(few, retriever, asked):
    def ask(question):
        return [{**hit} for hit in TopKRetriever(few, 20, retriever.cal).retrieve(question).rows()]

    rows = as_pipeline(ask)(asked[1].text)
    assert [type(row[2]) for row in rows] == [float] * 20 and rows[0][3]['why'] in ('', 'by title')
    made = calibrate_pipeline(as_pipeline(ask), asked[::2], ContainsJudge(), progress=False)
    assert np.isfinite(made.scores).any()


@pytest.mark.parametrize(
    'wrap, module, ask, facts',
    [
        (as_langchain, 'langchain_core', 'invoke', lambda found: found[0].metadata),
        (as_llama_index, 'llama_index', 'retrieve', lambda found: found[0].node.metadata),
        (as_haystack, 'haystack', 'run', lambda found: found['documents'][0].meta),
    ],
)
def test_adapters_tell_it(retriever, wrap, module, ask, facts):
    pytest.importorskip(module)
    told = facts(getattr(wrap(retriever), ask)(ASKED))
    assert told.keys() >= {'named', 'why', 'score', 'rank', 'p_value'}


@pytest.mark.parametrize('score', [LateHybrid(), Hybrid()], ids=str)
def test_ours_keep_theirs(few, score):
    added = {'words', 'late'} if isinstance(score, LateHybrid) else {'words'}
    hit = ConformalRetriever(few, calibrate_by(few, score), 0.3).retrieve(ASKED).rows()[0]
    assert hit.extra.keys() == added and added < set(hit.keys())


def calibrate_by(kb, score):
    asked = [Question(str(i), 'Which?', sections=((kb.documents()[0], ''),)) for i in range(9)]
    return calibrate(kb, asked, score=score, progress=False)


def test_a_file_finds_it_by_its_name(few, cal, tmp_path):
    file = cal.save(tmp_path / 'cal.json')
    again = Calibration.load(file)
    assert again.score == TitleNamed() and type(again.score) is TitleNamed
    assert ConformalRetriever(few, again, 0.1).qhat == cal.qhat(0.1)
    said = json.loads(file.read_text())
    for wrong in (dict(pool='50'), dict(named=True), dict(keep_first=1), dict(T=0), dict(new=1)):
        file.write_text(json.dumps(said | dict(score=said['score'] | wrong)))
        with pytest.raises(ValueError, match='cannot be|T must be|unexpected keyword'):
            Calibration.load(file)
    del said['score']['named']
    file.write_text(json.dumps(said))
    with pytest.raises(ValueError, match='it has no named'):
        Calibration.load(file)


DEFINED_FIRST = """
from conflare_nb.documents.score import SCORES, Softmax
class Mine(Softmax): pass
from conflare_nb.documents.stored import NAMED_SCORES, stored_score
print(*NAMED_SCORES, SCORES['mine'] is Mine, stored_score(Mine().fingerprint()) == Mine())
"""


def test_the_command_offers_ours_alone(capsys):
    assert [*NAMED_SCORES] == ['late', 'hybrid', 'distance', 'rank', 'margin', 'softmax', 'late-rank']
    assert SCORES['titlenamed'] is TitleNamed and 'titlenamed' not in NAMED_SCORES
    with pytest.raises(SystemExit):
        main(['calibrate', '.', '--score', 'titlenamed'])
    assert 'invalid choice' in capsys.readouterr().err
    said = subprocess.run([sys.executable, '-c', DEFINED_FIRST], capture_output=True, text=True)
    assert said.stdout.split() == [*NAMED_SCORES, 'True', 'True'], said.stderr


OTHERS = dict(pipelinescore=PipelineScore(), quotes=QuoteScore(), sharescore=None, os=None)


@pytest.mark.parametrize('name', OTHERS)
def test_a_file_of_chunks_names_no_score_of_anything_else(name):
    named = OTHERS[name].fingerprint() if OTHERS[name] else dict(name=name)
    with pytest.raises(ValueError, match=f"one of late, hybrid, distance.*; got '{name}'"):
        stored_score(named)


def test_names_of_ours_stay_ours():
    class Hybrid(TitleNamed):
        "Of another."

    class Closer(LateHybrid):
        "Has a name of its own."

    assert Hybrid().name == 'hybrid' and SCORES['hybrid'] is NAMED_SCORES['hybrid'] is not Hybrid
    assert Closer().name == 'closer' and stored_score(Closer().fingerprint()) == Closer()
    assert type(stored_score(LateHybrid().fingerprint())) is LateHybrid


def test_a_file_gives_no_setting_that_has_to_be_given():
    class OwnModel(Reranked):
        "A model that a file must not choose."

    with pytest.raises(ValueError, match="which model is loaded: give score=OwnModel.'a/b'"):
        stored_score(dict(name='ownmodel', model='a/b', pool=50, T=1.0, keep_first=True))


@pytest.mark.parametrize('name', ['score', 'rank', 'p_value', 'text', 'distance'])
def test_a_column_may_not_have_the_name_of_another(few, name):
    class Taking(Softmax):
        def read(self, kb, question, rows):
            return rows.append_column(name, pa.array(np.arange(rows.num_rows) + 0.0))

    with pytest.raises(ValueError, match=f"columns of names of their own; got another '{name}'"):
        Taking().rank(few, ASKED)
