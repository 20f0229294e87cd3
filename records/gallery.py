"""Make the pictures of the cards of the gallery, nbs/images/gallery/*.webp, from its page in `_docs`.

`python tools/docs.py --site`, and then `python records/gallery.py` (needs playwright, and Chromium at $CHROMIUM or on
the PATH)
"""

import os, shutil
from io import BytesIO
from pathlib import Path
from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
NAMES = 'dots explorer matches lottery planner sets claims judging writing exercise prediction'.split()
SIZE = 560, 350
FROM = dict(
    dots=112, explorer=134, matches=12, lottery=526, planner=556, sets=585, claims=170
)  # first line that is shown


def shoot():  # (name, picture)
    "The widgets at the width of a phone, each from the line on that tells most."
    with sync_playwright() as p:
        chromium = os.environ.get('CHROMIUM') or shutil.which('chromium')
        browser = p.chromium.launch(executable_path=chromium, args=['--no-sandbox'])
        page = browser.new_page(viewport=dict(width=480, height=900), device_scale_factor=2, reduced_motion='reduce')
        page.goto((ROOT / '_docs/show/gallery.html').as_uri())
        page.get_by_role('button', name='Ask 100 questions').click()
        for name, widget in zip(NAMES, page.locator('.cfx').all()):
            yield name, Image.open(BytesIO(widget.screenshot())).convert('RGB')
        browser.close()


if __name__ == '__main__':
    for name, picture in shoot():
        top = 2 * FROM.get(name, 0)
        height = picture.width * SIZE[1] // SIZE[0]
        card = Image.new('RGB', (picture.width, height), 'white')
        card.paste(picture.crop((0, top, picture.width, min(picture.height, top + height))))
        file = ROOT / f'nbs/images/gallery/{name}.webp'
        card.resize(SIZE).save(file, quality=70, method=6)
        print(f'{name}: {file.stat().st_size / 1024:.0f} KB of {picture.size}')
