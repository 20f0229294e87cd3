"Names from outside in pictures: dollars are dollars, and what looks like a formula breaks nothing."

import io
import matplotlib.pyplot as plt, numpy as np, pytest
from conflare_nb import Calibration, Distance, calibrate_answers
from conflare_nb.documents.cutting import Chunk
from conflare_nb.show.contradictions import ContradictionView
from conflare_nb.show.matches import MatchView
from conflare_nb.show.sets import answer_set_view
from conflare_nb.show.page import calibrated
from conflare_nb.show.plots import plot_scores
from conflare_nb.show.two_models import TwoModels, model_view
from dataclasses import replace
from hostile import TEX
from sampled import sampled_question

SIDE = dict(document='a', title='a', heading='', text='', score=0.3, rank=1, nearest=1, beyond=2)
CAL = calibrate_answers([sampled_question(i) for i in range(39)])
CHUNKS = np.linspace(0, 1, 90).reshape(9, 10)
LINE = Calibration(np.linspace(0.2, 0.7, 99), {}, score=Distance())
MODEL = model_view('', np.linspace(0, 1, 30), np.linspace(0, 1, 9), CHUNKS)
ONE = np.array([1.0]), np.array([[0.4]])
PLOTS = dict(
    contradictions=lambda t: ContradictionView(
        (t,), ((SIDE, SIDE),), (t, f'{t} 2'), 40, 4, **calibrated(LINE)
    ).plot(0.1),
    matches=lambda t: MatchView(
        Chunk(t), ['', t, ''], ['', t, ''], *ONE, np.array([0]), 0.5, 0.4, np.array([0.4])
    ).plot(),
    models=lambda t: TwoModels(replace(MODEL, name=t), MODEL).plot()[0],
    scores=lambda t: plot_scores(Calibration(np.linspace(0.1, 0.9, 30), {}, t, group_label=t), 0.1),
    sets=lambda t: answer_set_view([replace(sampled_question(50), text=t)], CAL).plot(),
)


@pytest.mark.parametrize('name', PLOTS)
@pytest.mark.parametrize('text', TEX[3::2])
def test_dollars_are_drawn_as_they_are(name, text):
    ax = PLOTS[name](text)
    shown = [t for t in ax.figure.findobj(plt.Text) if '$' in t.get_text()]
    ax.figure.savefig(io.BytesIO(), dpi=30)
    assert not any(t.get_parse_math() for t in shown)
    plt.close(ax.figure)
