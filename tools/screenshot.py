"""Make nbs/images/explorer.png, the picture in the README: the explorer on a page without a kernel, in Chromium.

`python tools/screenshot.py` (needs playwright, and Chromium at $CHROMIUM or on the PATH)
"""
import os, shutil, tempfile
from pathlib import Path
import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright
from conflare_nb.calibration import calibrate
from conflare_nb.explorer import explorer_html, explorer_view
from conflare_nb.retrieval import ConformalRetriever
from conflare_nb.samples import sample_documents, sample_questions, split_questions
from conflare_nb.store import KnowledgeBase

OUT = Path(__file__).resolve().parents[1]/'nbs/images/explorer.png'
PAGE = ('<!doctype html><html lang="en"><head><meta charset="utf-8"><title>explorer</title></head>'
        '<body style="margin: 20px 28px; --jp-ui-font-family: Helvetica, Arial, \'Liberation Sans\', sans-serif">{}</body></html>')

def view():
    "A question that five chunks do not answer, and the threshold's 35 do."
    with tempfile.TemporaryDirectory() as d:
        kb = KnowledgeBase.create(d, sample_documents(), progress=False)
        calibration, test = split_questions(sample_questions(), seed=1)
        question = next(q for q in test if 'Plavix anti-platelet tablet go down' in q.text)
        return explorer_view(ConformalRetriever(kb, calibrate(kb, calibration, progress=False)), question)

def shoot(html, file):
    with sync_playwright() as p, tempfile.TemporaryDirectory() as d:
        browser = p.chromium.launch(executable_path=os.environ.get('CHROMIUM') or shutil.which('chromium'), args=['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'])
        page = browser.new_page(viewport={'width': 1400, 'height': 900})
        (Path(d)/'page.html').write_text(PAGE.format(html), encoding='utf-8')
        page.goto((Path(d)/'page.html').as_uri())
        page.get_by_role('button', name='rank').click()          # brings the chunk that answers into sight
        page.mouse.move(0, 0); page.evaluate('document.activeElement.blur()')
        page.screenshot(path=file)
        browser.close()

def palette(image):
    "The picture in its own 256 most frequent colours, every other one replaced by the nearest: a third of the bytes."
    colors, at, n = np.unique(np.asarray(image, dtype=int).reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    kept = colors[np.argsort(-n)[:256]]
    nearest = ((colors[:, None]-kept)**2).sum(axis=2).argmin(axis=1).astype('uint8')
    out = Image.fromarray(nearest[at].reshape(image.height, image.width), 'P')
    out.putpalette(kept.ravel().tolist())
    return out

if __name__ == '__main__':
    OUT.parent.mkdir(exist_ok=True)
    shoot(explorer_html(view(), .1), OUT)
    palette(Image.open(OUT).convert('RGB')).save(OUT, optimize=True)
    print(f'{OUT.name}: {OUT.stat().st_size/1024:.0f} KB')
