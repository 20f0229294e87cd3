"axe-core over the site and over everything that slides, in light and dark: nothing serious may be found."
import json
import pytest
from axe_playwright_python.sync_playwright import Axe
from web import ROOT, served, write_page

LESSONS = sorted(f'tutorials/{p.stem}' for p in (ROOT/'nbs/tutorials').glob('*.ipynb'))
PAGES = ['index', 'learn', 'changelog', 'conformal/index', 'conformal/threshold', 'show/alpha', 'show/desk', 'explain/faq', 'explain/guarantees', 'explain/how-we-know', 'guides/your-questions', *LESSONS]

AXE = Axe()
COLOURS = {'runOnly': {'type': 'rule', 'values': ['color-contrast', 'link-in-text-block']}}      # all else is the same in the dark

def serious(page, options=None) -> list[str]: # what axe-core finds serious or critical, with the first element
    found = AXE.run(page, options={'resultTypes': ['violations'], **(options or {})}).response['violations']
    return [f'{v["id"]}: {v["nodes"][0]["html"][:200]}' for v in found if v['impact'] in ('serious', 'critical')]

def fragments() -> dict[str,str]: # notebook -> the fragments with scripts that it shows
    cells = {p.stem: json.loads(p.read_text(encoding='utf-8'))['cells'] for p in (ROOT/'nbs/show').glob('*.ipynb')}
    shown = {k: [''.join(o['data']['text/html']) for c in v for o in c.get('outputs', []) if 'text/html' in o.get('data', {})] for k, v in cells.items()}
    return {k: '\n'.join(h for h in v if 'data-cfx' in h) for k, v in shown.items() if any('data-cfx' in h for h in v)}

@pytest.mark.parametrize('at', PAGES)
def test_a_page(site, one_page, at):
    one_page.emulate_media(color_scheme='light')
    one_page.goto(f'{site}/{at}.html')
    light = serious(one_page)
    one_page.emulate_media(color_scheme='dark')
    one_page.wait_for_function("document.documentElement.classList.contains('quarto-dark')")
    assert (light, serious(one_page, COLOURS)) == ([], [])

@pytest.mark.parametrize('ground, scheme', [('#fff', 'light'), ('#111', 'dark')])
def test_what_slides(page, tmp_path, ground, scheme):
    page.emulate_media(color_scheme=scheme)
    found = {}
    with served(tmp_path) as url:
        for name, body in fragments().items():
            write_page(tmp_path/f'{name}.html', f'<style>body {{ background: {ground} }}</style>{body}')
            page.goto(f'{url}/{name}.html')
            page.locator('.cfx').first.wait_for()
            if wrong := [w for w in serious(page) if not w.startswith(('html-has-lang', 'document-title'))]: found[name] = wrong
    assert {'alpha', 'sets', 'contradictions', 'lottery', 'planner', 'page'} <= fragments().keys() and found == {}

def test_a_violation_would_be_found(page):
    page.set_content('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">')
    assert 'image-alt' in ' '.join(serious(page))
