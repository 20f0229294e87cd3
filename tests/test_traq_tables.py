"The papers' columns and figure are what counting by hand gives, and samples can be handed over."

import json
from argparse import Namespace
import numpy as np, pytest, traq_tables
from conflare_nb import KnowledgeBase
from conflare_nb.traq.alpha_split import tabulate
from conflare_nb.traq.sameness import cluster_answers, wording
from conflare_nb.traq.sampling import Sampling, sampled_questions
from answer_sets import rule_of, split_of
from sampled import sampled_question
from sampling_worker import EMBEDDER, Parrot
from simulated import simulated_table


def columns(q, cal, rule):
    "Ans, Ext, Rou and Req of one question, one answer after the other."
    asked, answers, leaders = 0, [], []
    for p in [p for p in q.pool if np.isfinite(p.score)]:
        p_ret = (1 + sum(cal.s_ret >= p.score)) / (cal.n + 1)
        asked += rule(p_ret, 1.0)
        for j, count in enumerate(p.answers.counts):
            if rule(p_ret, (1 + sum(cal.s_qa >= -count)) / (cal.n + 1)):
                answers += p.answers.members(j)
                leaders.append(p.answers.leaders[j])
    return len(answers), len(set(map(wording, answers))), len(cluster_answers(leaders)), asked


@pytest.mark.parametrize('method', traq_tables.METHODS)
def test_the_columns_are_what_counting_gives(method):
    questions = [sampled_question(i) for i in range(60)]
    table = tabulate(questions)
    row = traq_tables.table_once(table, traq_tables.wording_rows(questions), 0, 0.4, method)
    choosing, calibrating, test = split_of(60, 0)
    cal = table.calibration(calibrating)
    rule = rule_of(table, choosing, cal, 0.4, method)
    counted = np.mean([columns(questions[i], cal, rule) for i in test], axis=0)
    assert [row[name] for name in ('Ans', 'Ext', 'Rou', 'Req')] == pytest.approx(counted)
    assert row['Ans'] > row['Ext'] > row['Rou'] and 0 < row['Req'] < 4


def test_the_figure_is_the_share_within_the_smallest_enough():
    t = simulated_table(200, outside=0.02, infeasible=0.3)
    *_, test = split_of(200, 0)
    ret, qa, both = traq_tables.figure_once(dict(ret=t.s_ret, qa=t.s_qa), 0, 0.1)
    cal = np.sort(t.s_ret[split_of(200, 0)[1]])  # 60 scores: ranks 55 and 58
    assert ret['coverage'] == np.mean(t.s_ret[test] <= cal[54]) == ret['reached']
    assert (qa['coverage'], qa['infinite']) == (1, 1) and qa['reached'] < 0.8
    within = (t.s_ret[test] <= cal[57]) & np.isfinite(t.s_qa[test])
    assert both['reached'] == np.mean(within) < both['coverage'] and both['infinite']


def test_a_sentence_at_the_threshold_is_quoted():
    scores, counts = np.array([0.1, 0.2, 0.3]), np.array([1, 2, 3])
    found = traq_tables.Quotable(0.2, scores, exact=counts, rouge=np.minimum(counts, 2))
    assert [found.sizes(qhat) for qhat in (0.05, 0.2, 0.3)] == [(0, 0, 0), (2, 2, 2), (3, 3, 2)]


def told(name, colour):
    "A paragraph with a question, in XQuAD's format."
    asked = dict(id=name, question=f'Whose house is {colour}?', answers=[dict(text=name)])
    text = f'{name} has a {colour} house. It is old. It is very old, {name}.'
    return dict(context=text, qas=[asked])


def test_samples_can_be_handed_over(tmp_path):
    file, samples, how, parrot = tmp_path / 'x', tmp_path / 'y', Sampling(k=4, pool=2), Parrot()
    people = dict(Tom='red', Ann='blue', Max='green', Eva='white', Ben='black', Ida='brown')
    paragraphs = [told(*person) for person in people.items()]
    file.write_text(json.dumps(dict(data=[dict(title='Houses', paragraphs=paragraphs)])))
    documents, questions, _ = traq_tables.read_xquad(file)
    kb = KnowledgeBase.create(tmp_path / 'kb', documents, EMBEDDER, progress=False)
    args = Namespace(xquad=file, work=tmp_path / 'work', samples=samples, questions=6)
    sampled_questions(traq_tables.FileSampler(samples, kb, parrot, how), questions[:4])
    with pytest.raises(SystemExit, match='parrot lack answers'):
        traq_tables.measure(args)
    sampled_questions(traq_tables.FileSampler(samples, kb, parrot, how), questions)
    assert parrot.calls == 6 * 2 * 4  # what was known is not drawn again
    readers = traq_tables.measure(args)
    assert readers['parrot']['questions'] == readers['quotes']['questions'] == 6
    assert readers['parrot']['gold_in_pool'] == readers['quotes']['sentence_in_pool'] == 1
    quotes = readers['quotes']['tables'][0]  # two questions calibrate: every sentence is listed
    assert [quotes[name] for name in ('everything', 'Ans', 'Ext', 'Rou')] == [1, 18, 13, 7]
    assert '| parrot | CCPS-H |' in traq_tables.markdown(dict(models='', readers=readers))


def test_samples_of_other_settings_are_refused(tmp_path):
    traq_tables.Lines(tmp_path / 'samples', dict(model='parrot'), 'Parrot').add([])
    with pytest.raises(ValueError, match='other settings'):
        traq_tables.Lines(tmp_path / 'samples', dict(model='crow'), 'Parrot')
