"axe-core over the site and over everything that slides, in light and dark: nothing serious may be found."

import json
import pytest
from web import ROOT, serious, serious_in_both, served, write_page

PAGES = [
    'index',
    'learn',
    'changelog',
    'conformal/index',
    'conformal/threshold',
    'show/alpha',
    'show/desk',
    'explain/faq',
    'explain/guarantees',
    'guides/your-questions',
]


def fragments() -> dict[str, str]:  # notebook -> the fragments with scripts that it shows
    cells = {
        p.stem: json.loads(p.read_text(encoding='utf-8'))['cells']
        for p in (ROOT / 'nbs/show').glob('*.ipynb')
    }
    shown = {
        k: [
            ''.join(o['data']['text/html'])
            for c in v
            for o in c.get('outputs', [])
            if 'text/html' in o.get('data', {})
        ]
        for k, v in cells.items()
    }
    return {
        k: '\n'.join(h for h in v if 'data-cfx' in h)
        for k, v in shown.items()
        if any('data-cfx' in h for h in v)
    }


@pytest.mark.parametrize('at', PAGES)
def test_a_page(site, one_page, at):
    assert serious_in_both(one_page, f'{site}/{at}.html') == ([], [])


@pytest.mark.parametrize('ground, scheme', [('#fff', 'light'), ('#111', 'dark')])
def test_what_slides(page, tmp_path, ground, scheme):
    page.emulate_media(color_scheme=scheme)
    found = {}
    with served(tmp_path) as url:
        for name, body in fragments().items():
            write_page(
                tmp_path / f'{name}.html', f'<style>body {{ background: {ground} }}</style>{body}'
            )
            page.goto(f'{url}/{name}.html')
            page.locator('.cfx').first.wait_for()
            if wrong := [
                w for w in serious(page) if not w.startswith(('html-has-lang', 'document-title'))
            ]:
                found[name] = wrong
    assert {
        'alpha',
        'sets',
        'contradictions',
        'lottery',
        'planner',
        'page',
    } <= fragments().keys() and found == {}


def test_a_violation_would_be_found(page):
    page.set_content('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">')
    assert 'image-alt' in ' '.join(serious(page))
