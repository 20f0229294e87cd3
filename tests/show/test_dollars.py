"Names from outside in pictures: dollars are dollars, and what looks like a formula breaks nothing."

import io
import matplotlib.pyplot as plt, numpy as np, pytest
from conflare_nb import Calibration, Distance, calibrate_answers
from conflare_nb.documents.cutting import Chunk
from conflare_nb.show.matches import MatchView
from conflare_nb.show.sets import answer_set_view
from conflare_nb.show.plots import plot_scores
from dataclasses import replace
from hostile import TEX
from sampled import sampled_question

CAL = calibrate_answers([sampled_question(i) for i in range(39)])
LINE = Calibration(np.linspace(0.2, 0.7, 99), {}, score=Distance())
ONE = np.array([1.0]), np.array([[0.4]])
LAST = *ONE, np.array([0]), 0.5, 0.4, np.array([0.4])
PLOTS = dict(
    matches=lambda t: MatchView(Chunk(t), ['', t, ''], ['', t, ''], *LAST).plot(),
    scores=lambda t: plot_scores(Calibration(np.linspace(0.1, 0.9, 30), {}, t), 0.1),
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
