"""Make the pictures of the explorer on a page without a kernel, in Chromium: nbs/images/explorer.png for cards that show a
page elsewhere, and explorer.webp for the README, in which alpha slides from .4 to .05 and back to .1, twice. A README is
narrow: its picture is of a narrow window, with the comparison of the two methods below the chunks instead of far down.

`python tools/screenshot.py` (needs playwright, and Chromium at $CHROMIUM or on the PATH)
"""

import os, shutil, tempfile
from io import BytesIO
from pathlib import Path
import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright
from conflare_nb.answers.quotes import Quoter, calibrate_quotes
from conflare_nb.retrieval.calibration import calibrate
from conflare_nb.show.alpha import explorer_view
from conflare_nb.evidence.evaluation import rank_questions
from conflare_nb.retrieval.retriever import ConformalRetriever
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.labels.question import split_questions
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.documents.score import Distance

OUT = Path(__file__).resolve().parents[1] / 'nbs/images/explorer.png'
SLIDE = (
    [0.4] * 4
    + [0.35, 0.3, 0.25, 0.2]
    + [0.2] * 3
    + [0.18, 0.16, 0.14, 0.12, 0.1, 0.08, 0.06, 0.05]
    + [0.05] * 4
    + [0.07, 0.09, 0.1]
    + [0.1] * 8
)
SMALL = {'width': 1060, 'height': 690}
BESIDE = (
    '.cfx-left > section:last-of-type {position: absolute; left: 518px; top: 560px; width: 512px}'
)
PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>explorer</title></head>'
    '<body style="margin: 20px 28px; --jp-ui-font-family: Helvetica, Arial, \'Liberation Sans\', sans-serif">{}</body></html>'
)


def showcase_question(test, nearest, qhat, k=5):
    "The test question that the k nearest miss and `qhat` answers with the fewest chunks, or None."
    found = test.covered(qhat) & np.isfinite(test.ranks) & (nearest.ranks > k)
    if not found.any():
        return None
    counts = (test.chunk_scores <= qhat).sum(axis=1)
    return test.questions[np.argmin(np.where(found, counts, np.inf))]


def view():
    "The five nearest miss the question by distance, and the threshold answers it with the fewest chunks."
    with tempfile.TemporaryDirectory() as d:
        kb = KnowledgeBase.create(d, sample_documents(), progress=False)
        calibration, second = split_questions(sample_questions(), seed=1)
        retriever = ConformalRetriever(kb, calibrate(kb, calibration, progress=False), alpha=0.1)
        test = rank_questions(kb, second, progress=False, score=retriever.cal.score)
        nearest = rank_questions(kb, second, progress=False, score=Distance())
        question = showcase_question(test, nearest, retriever.qhat)
        if question is None:
            raise SystemExit('no test question shows what the threshold is for')
        print(question.text)
        quoter = Quoter(kb, calibrate_quotes(kb, calibration, progress=False))
        return explorer_view(retriever, question, quoter=quoter)


def shoot(html):
    "The picture at alpha=.1, and those of the slide."
    with sync_playwright() as p, tempfile.TemporaryDirectory() as d:
        browser = p.chromium.launch(
            executable_path=os.environ.get('CHROMIUM') or shutil.which('chromium'),
            args=['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
        )
        page = browser.new_page(viewport={'width': 1400, 'height': 900})
        (Path(d) / 'page.html').write_text(PAGE.format(html), encoding='utf-8')
        page.goto((Path(d) / 'page.html').as_uri())

        def picture(alpha):
            number = page.get_by_label('as a number')
            number.fill(str(alpha))
            number.blur()
            page.mouse.move(0, 0)
            return Image.open(BytesIO(page.screenshot())).convert('RGB')

        picture(0.1)
        page.get_by_role(
            'button', name='rank'
        ).first.click()  # brings the chunk that answers into sight
        still = picture(0.1)
        page.reload()
        page.set_viewport_size(SMALL)
        page.add_style_tag(content=BESIDE)
        slide = {alpha: picture(alpha) for alpha in SLIDE}
        return still, [slide[alpha] for alpha in SLIDE]


def palette(image):
    "The picture in its own 256 most frequent colours, every other one replaced by the nearest: a third of the bytes."
    colors, at, n = np.unique(
        np.asarray(image, dtype=int).reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    kept = colors[np.argsort(-n)[:256]]
    nearest = ((colors[:, None] - kept) ** 2).sum(axis=2).argmin(axis=1).astype('uint8')
    out = Image.fromarray(nearest[at].reshape(image.height, image.width), 'P')
    out.putpalette(kept.ravel().tolist())
    return out


if __name__ == '__main__':
    OUT.parent.mkdir(exist_ok=True)
    still, slide = shoot(view().html(alpha=0.4))
    palette(still).save(OUT, optimize=True)
    first, *rest = slide
    first.save(
        OUT.with_suffix('.webp'),
        save_all=True,
        append_images=rest,
        duration=180,
        loop=2,
        quality=80,
        method=6,
        minimize_size=True,
    )
    for file in (OUT, OUT.with_suffix('.webp')):
        print(f'{file.name}: {file.stat().st_size / 1024:.0f} KB')
