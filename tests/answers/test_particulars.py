"Numbers, units and negations: what two texts may differ in and what they may not, and texts made to be awkward."

import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.answers.particulars import exact_particulars, details_differ
from conflare_nb.traq.sameness import cluster_answers, exact_same, rouge1, rouge_same
from conflare_nb.labels.guide import sample_questions

prop = settings(derandomize=True, deadline=None, max_examples=150)


def pairs(table):
    return [pair.strip().split(' <> ') for pair in table.split(' ;')]


APART = pairs("""keep it 14 days <> keep it 28 days ; take 2.5 mg <> take 2.5 g ; do not take it <> take it ;
take 2.5 mg <> take 25 mg ; 2-5 days <> 2.5 days ; once daily <> twice daily ;
once daily <> once weekly ; two tablets <> three tablets ; half a tablet <> a tablet ;
you don't need it <> you do need it ; you can’t drive <> you can drive ;
with food <> without food ; always with milk <> never with milk ; it is safe <> it is unsafe ;
an active ingredient <> an inactive ingredient ; the first week <> the second week ;
on the 1st <> on the 2nd ; 5 mg/kg <> 5 mg/l ; below 25 °C <> below 25 °F ; 5% <> 5 mg ;
10 minutes <> 10 hours ; 10 minutes <> 10 min, 10 sec ; -5 degrees <> 5 degrees ;
2 tablets 3 times <> 3 tablets 2 times ; 1½ tablets <> 11/2 tablets ; ½ tablet <> 1 tablet ;
1/2 <> 1/3 ; 10² cells <> 102 cells ; vitamin B12 <> vitamin B6 ; 1,000 units <> 1,5 units ;
take 2, not 3 <> take 3, not 2 ; avoid milk <> milk ; twenty eleven <> thirty one ;
hundred thousand <> thousand hundred ; ask nobody <> ask somebody ; 1,0000 mg <> 10000 mg""")
ALIKE = pairs("""2.5 mg <> 2,50 milligrams ; fourteen days <> 14 days ; twenty-eight days <> 28 day ;
two hundred mg <> 200mg ; 1,000 units <> 1000 units ; ½ tablet <> half tablet ;
don't freeze it <> do not freeze it ; every day <> daily ; 2–8 °C <> 2 to 8 °C ;
below 25°C <> below 25 degrees Celsius ; first dose <> 1st dose ; 30 seconds <> 30 s ;
２.５ ｍｇ <> 2.5 MG ; In the fridge! <> in a refrigerator ; 5 μg <> 5 µg ;
two pills three times <> 2 tablets 3 times ; yearly <> annually ; −5 °C <> -5 °C ;
5 mg per d <> 5 mg per day ; 5 mg/d <> 5 mg/day ; put to bed <> put into bed ;
1/4 of it <> a quarter of it ; eighty mg <> 80 mg ; 1 second <> 1 s""")


@pytest.mark.parametrize('a, b', APART)
def test_what_differs_is_details_differ(a, b):
    assert details_differ(a, b) and details_differ(b, a)
    long = 'keep the bottle upright in the door of the fridge with its cap closed and '
    assert rouge1(long + a, long + b) > 0.7
    assert len(cluster_answers([long + a, long + b], rouge_same(0.5))) == 2
    assert not exact_same(a, b)


@pytest.mark.parametrize('a, b', ALIKE)
def test_what_says_the_same_is_not(a, b):
    assert not details_differ(a, b) and exact_particulars(a) == exact_particulars(b)


SIGNS, FEW = (st.sampled_from(signs) for signs in ("0123456789.,/⁄½²-−'’ntohmgday %°c", '0129.,½- nomgt'))


@prop
@given(st.text(SIGNS, max_size=20), st.text(FEW, max_size=20))
def test_any_text_is_read_and_which_is_which_does_not_matter(a, b):
    assert not details_differ(a, a) and details_differ(a, b) == details_differ(b, a)
    assert all(isinstance(part, str) for part in exact_particulars(a))
    assert exact_particulars(a) == exact_particulars(b) or details_differ(a, b)


def test_awkward_texts_are_read_in_linear_time():
    for t in ('1,', '1/', '½', 'twenty ', 'hundred ', "n't ", '9', '-'):
        exact_particulars(t * 20_000)
    for t in ('\x00', '1/0', '12.05.2024'):
        exact_particulars(t)


def test_known_answers_are_themselves():
    for q in sample_questions():
        if q.answer:
            assert not details_differ(q.answer, f'  {q.answer.upper()} ')


def test_no_cluster_ever_mixes_particulars():
    rng = np.random.default_rng(0)
    said = [text for pair in (*APART, *ALIKE) for text in pair]
    for _ in range(40):
        texts = rng.choice(said, 30).tolist()
        clusters = cluster_answers(texts)
        for j in range(len(clusters)):
            assert len(set(map(exact_particulars, clusters.members(j)))) == 1
