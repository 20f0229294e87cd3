"""Make the pictures of the first minute in Chromium: nbs/images/dots.webp for the README, in which a line is put and
questions fall, three times, dots.png for cards that show a page elsewhere, and dots.json with what was found.

`python records/screenshot.py` (needs playwright, and Chromium at $CHROMIUM or on the PATH)
"""

import json, os, shutil, tempfile
from io import BytesIO
from pathlib import Path
from PIL import Image
from playwright.sync_api import sync_playwright
from conflare_nb.documents.score import Distance
from conflare_nb.labels.guide import sample_kb, sample_questions
from conflare_nb.retrieval.calibration import calibrate
from conflare_nb.show.dots import Dots

OUT = Path(__file__).resolve().parents[1] / 'nbs/images'
SIZE = {'width': 840, 'height': 560}
FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>dots</title></head>'
    f'<body style="margin: 8px 16px; --jp-ui-font-family: {FONT}">{{}}</body></html>'
)
STEP = 100  # ms of the page between two pictures
MOVES = ((None, 60), ('Draw another 20', 14), ('Ask 100 questions', 40)) + 2 * (
    ('Draw another 20', 14),
    ('Ask 100 questions', 40),
)


def shoot(html: str) -> tuple:  # (pictures, how many were found in each round)
    "Play it by the page's own clock: every run gives the same pictures."
    with sync_playwright() as p, tempfile.TemporaryDirectory() as d:
        chromium = os.environ.get('CHROMIUM') or shutil.which('chromium')
        browser = p.chromium.launch(executable_path=chromium, args=['--no-sandbox'])
        page = browser.new_page(viewport=SIZE)
        page.clock.install(time=0)
        (Path(d) / 'page.html').write_text(PAGE.format(html), encoding='utf-8')
        page.goto((Path(d) / 'page.html').as_uri())
        pictures, found = [], []
        for button, steps in MOVES:
            if button:
                page.get_by_role('button', name=button).click()
                page.mouse.move(0, 0)
            for _ in range(steps):
                page.clock.run_for(STEP)
                pictures.append(Image.open(BytesIO(page.screenshot())).convert('RGB'))
            if button != 'Draw another 20':
                words = page.get_by_role('status').inner_text()
                found.append(int(words.split(' of 100 found')[0]))
        browser.close()
    return pictures, found


if __name__ == '__main__':
    guide = calibrate(sample_kb(), sample_questions(), score=Distance(), progress=False)
    pictures, found = shoot(Dots(guide).to_html())
    OUT.mkdir(exist_ok=True)
    pictures[-1].quantize(128).save(OUT / 'dots.png', optimize=True)
    first, *rest = pictures
    how = dict(duration=STEP, loop=1, quality=70, method=6, minimize_size=True)
    first.save(OUT / 'dots.webp', save_all=True, append_images=rest, **how)
    (OUT / 'dots.json').write_text(json.dumps(dict(found=found, pictures=len(pictures))) + '\n')
    for name in ('dots.png', 'dots.webp', 'dots.json'):
        print(f'{name}: {(OUT / name).stat().st_size / 1024:.0f} KB')
    print(found)
