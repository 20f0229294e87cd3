"A real browser for the tests: a folder served, Chromium, and a JupyterLab of our own, all on 127.0.0.1."

import functools, http.server, json, os, secrets, shutil, signal, socket, subprocess, sys, threading, time, urllib.error, urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = os.environ.get('CHROMIUM') or shutil.which('chromium') or shutil.which('google-chrome')
ARGS = '--no-sandbox --disable-dev-shm-usage --disable-gpu --disable-extensions'.split()
ARGS.append('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1')
THEMES = [  # what the reader's system prefers, the attributes of the page, and whether it is dark
    ('light', '', False), ('dark', '', False),
    ('light', 'style="color-scheme: light dark"', False),
    ('dark', 'style="color-scheme: light dark"', True),
    ('light', 'style="background: #123"', True), ('dark', 'style="background: #fff"', False),
    ('light', 'data-bs-theme="dark"', True), ('dark', 'data-bs-theme="light"', False),
]  # fmt: skip
DRAWN = 'new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))'
# JupyterLab asks nothing of anybody, saves nothing by itself and keeps every cell in the page
SETTINGS = {
    'apputils-extension/notification': {'fetchNews': 'false', 'checkForUpdates': False},
    'notebook-extension/tracker': {'windowingMode': 'none'},
    'docmanager-extension/plugin': {'autosave': False},
}


@contextmanager
def served(folder: Path):  # yields the URL
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f'http://127.0.0.1:{server.server_address[1]}'
        server.shutdown()


def site_pages() -> list[str]:  # of the built site
    import docs

    made = [p for p in docs.OUT.rglob('*.html') if p.name != 'handout.html']  # which is no notebook's
    return sorted(p.relative_to(docs.OUT).as_posix() for p in made)


def noting(page):  # the same page
    "A page that notes uncaught and logged errors (`page.errors`) and requests to other hosts (`page.away`)."
    page.set_default_timeout(60_000)
    page.errors, page.away = [], []
    page.on('pageerror', lambda e: page.errors.append(str(e)))

    def logged(message):
        if message.type == 'error':
            page.errors.append(f'{message.text} {message.location["url"]}')

    def asked(request):
        if urlsplit(request.url).hostname not in ('127.0.0.1', None):
            page.away.append(request.url)

    page.on('console', logged)
    page.on('request', asked)
    return page


def write_page(file: Path, body: str):
    head = '<meta charset="utf-8"><link rel="icon" href="data:,">'
    file.write_text(f'<!doctype html><html><head>{head}</head><body>{body}</body></html>', encoding='utf-8')


def slide(page, key: str, times: int, nth: int = 0):
    slider = page.locator('input[type=range]').nth(nth)
    slider.scroll_into_view_if_needed()
    slider.focus()
    for _ in range(times):
        page.keyboard.press(key)


def ends(page, drawn: str = 'text') -> tuple:  # (left, right)
    "How far what is drawn in the explorer's pictures reaches to both sides."
    x = page.evaluate(
        "d => [...document.querySelectorAll(`.cfx svg ${d}`)].map(t => t.getBoundingClientRect()).filter(r => r.width).flatMap(r => [r.left, r.right])",
        drawn,
    )
    return min(x), max(x)


def stays_text(page):
    "Nothing from outside has become part of the page."
    assert page.locator('img').count() == 0
    assert page.evaluate('window.hacked') is None and page.errors == []


def fits(page, width: int, drawn: str = 'text', keys: tuple = ('Home', 'End')):
    "At both ends of its slider the explorer is no wider than the window."
    for key in keys:
        slide(page, key, 1)
        assert page.evaluate('document.documentElement.scrollWidth') <= width
        left, right = ends(page, drawn)
        assert left >= 0 and right <= width


def cut_off(page, root: str = '.cfx') -> list[str]:
    "What reaches beyond the right end of the explorer around it."
    return page.evaluate(
        """root => [...document.querySelectorAll(root)].flatMap(e => [...e.querySelectorAll('*')]
        .filter(part => part.getBoundingClientRect().right > e.getBoundingClientRect().right + 1)
        .map(part => part.outerHTML.slice(0, 80)))""",
        root,
    )


def resized(page, *widths: int):  # yields each width, when all is drawn again
    for width in widths:
        page.set_viewport_size({'width': width, 'height': 1000})
        page.evaluate(DRAWN)
        yield width


def readable(page, dark: bool, selectors: str):
    "Texts stand out from a ground that is as dark as asked."
    for selector in selectors.split(', '):
        ratio, ground = contrast(page, selector)
        assert ratio >= 4.5 and (ground < 0.05) == dark, (selector, ratio, ground)


def as_page(page, attributes: str, name: str = 'page'):
    "The page as if its `html` element had these attributes."

    def fulfill(route):
        got = route.fetch()
        route.fulfill(response=got, body=got.text().replace('<html>', f'<html {attributes}>'))

    page.route(f'**/{name}.html', fulfill)


def contrast(page, selector: str, ground: str = '.cfx') -> tuple:  # (ratio, luminance of it)
    "WCAG contrast of a text against the explorer's ground, or that of another element."
    rgb = page.evaluate(
        """([s, g]) => { const paint = c => { const x = document.createElement('canvas').getContext('2d'); x.fillStyle = c; x.fillRect(0, 0, 1, 1); return [...x.getImageData(0, 0, 1, 1).data].slice(0, 3) };
        return [getComputedStyle(document.querySelector(s)).color, getComputedStyle(document.querySelector(g)).backgroundColor].map(paint) }""",
        [selector, ground],
    )

    def linear(x):
        return x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4

    def light(colour):
        red, green, blue = [linear(value / 255) for value in colour]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    text, below = map(light, rgb)
    return (max(text, below) + 0.05) / (min(text, below) + 0.05), below


def write_notebook(file: Path, cells: list) -> Path:  # the file
    import nbformat

    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nb.metadata['kernelspec'] = dict(name='python3', display_name='Python 3', language='python')
    nbformat.write(nb, file)
    return file


def kernel(page, expression: str, code: str = ''):
    "Value of an expression in the kernel of the notebook that JupyterLab shows, after running `code` there."
    js = """async ([code, expression]) => { const k = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
        const r = await k.requestExecute({ code, store_history: false, user_expressions: { v: `__import__('json').dumps(${expression})` } }).done;
        return r.content.user_expressions.v.data?.['text/plain'] ?? JSON.stringify(r.content) }"""
    out = page.evaluate(js, [code, expression])
    assert out.startswith("'"), out
    return json.loads(out[1:-1].encode().decode('unicode_escape'))


def eventually(page, expression: str, value, secs: float = 30):
    end = time.time() + secs
    while (got := kernel(page, expression)) != value and time.time() < end:
        page.wait_for_timeout(200)
    assert got == value


@dataclass
class Lab:
    url: str
    token: str
    folder: Path  # what it serves

    def run(self, page, notebook: Path | str):
        "Open a copy of a notebook of nbs/ in `page` and run all of it."
        copy = shutil.copy(ROOT / 'nbs' / notebook, self.folder)
        page.goto(f'{self.url}/lab/tree/{Path(copy).name}?token={self.token}&reset')
        page.wait_for_selector('.jp-Notebook .jp-CodeCell')
        # The toolbar says idle before there is a kernel, and running then opens "Select Kernel": ask the session itself.
        page.wait_for_function("""() => { const s = window.jupyterapp.shell.currentWidget?.sessionContext;
            return s?.isReady && s.session?.kernel?.status === 'idle' }""")
        # Not awaited in evaluate(), which has no time limit.
        page.evaluate(
            "() => { window.ran = false; window.jupyterapp.commands.execute('runmenu:run-all').then(() => window.ran = true) }"
        )
        page.wait_for_function('window.ran', timeout=120_000)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def await_server(url: str, process: subprocess.Popen, log: Path, seconds: float = 60):
    "Return when the server answers at all; tell what it said where it does not."
    end = time.time() + seconds
    while time.time() < end:
        if process.poll() is not None:
            raise RuntimeError(f'the server died: {log.read_text()[-3000:]}')
        try:
            return urllib.request.urlopen(url, timeout=2).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f'{url} does not answer: {log.read_text()[-3000:]}')


def stop(process: subprocess.Popen):
    "End a server, which ends its kernels: the process group that we started."
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def jupyterlab(home: Path):  # yields a Lab
    "JupyterLab with nothing of the user's own settings, in the folder `home`."
    (folder := home / 'work').mkdir()
    for name, values in SETTINGS.items():
        f = home / 'settings/@jupyterlab' / f'{name}.jupyterlab-settings'
        f.parent.mkdir(parents=True, exist_ok=True)
        f.write_text(json.dumps(values))
    port, token, log = free_port(), secrets.token_hex(16), home / 'server.log'
    own = dict(
        HOME='', JUPYTER_CONFIG_DIR='config', JUPYTER_DATA_DIR='data', JUPYTER_RUNTIME_DIR='run',
        IPYTHONDIR='ipython', JUPYTERLAB_SETTINGS_DIR='settings',
        JUPYTERLAB_WORKSPACES_DIR='workspaces',
    )  # fmt: skip
    env = {**os.environ, 'PYTHONPATH': str(ROOT), **{k: str(home / v) for k, v in own.items()}}
    options = f'--no-browser --allow-root --ip=127.0.0.1 --port={port} --ServerApp.port_retries=0 '
    options += f'--IdentityProvider.token={token} --LabApp.expose_app_in_browser=True --LabApp.news_url=None'
    root = f'--ServerApp.root_dir={folder}'
    cmd = [sys.executable, '-m', 'jupyterlab', *options.split(), root]
    with log.open('w') as out:
        how = dict(stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        process = subprocess.Popen(cmd, cwd=folder, env=env, **how)
    try:
        await_server(f'http://127.0.0.1:{port}/api/status?token={token}', process, log)
        yield Lab(f'http://127.0.0.1:{port}', token, folder)
    finally:
        stop(process)


# all else is the same in the dark
COLOURS = {'runOnly': {'type': 'rule', 'values': ['color-contrast', 'link-in-text-block']}}


def serious(page, options=None, context=None) -> list[str]:
    "What axe-core finds serious or critical, with the first element."
    from axe_playwright_python.sync_playwright import Axe

    only = {'resultTypes': ['violations'], **(options or {})}
    found = Axe().run(page, context, only).response['violations']
    grave = [v for v in found if v['impact'] in ('serious', 'critical')]
    return [f'{v["id"]}: {v["nodes"][0]["html"][:200]}' for v in grave]


def serious_in_both(page, url: str, context=None) -> tuple:  # (in the light, in the dark)
    "What axe-core finds on a page of the site, and in its colours when the reader's system is dark."
    page.emulate_media(color_scheme='light', reduced_motion='reduce')
    page.goto(url)
    light = serious(page, context=context)
    page.emulate_media(color_scheme='dark')
    page.wait_for_function("document.documentElement.classList.contains('quarto-dark')")
    return light, serious(page, COLOURS, context)
