"A small calibrated folder, and a server of it that listens."

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
import time
from conflare_nb.app.folder import DocumentFolder
from conflare_nb.app.opened import measure_folder
from conflare_nb.app.serve import folder_server
from conflare_nb import KnowledgeBase, LateHybrid, Question, read_folder
from command import ASKED, PAPERS

FERRY = (
    'Ferry to the island. The boat leaves at ten past nine from the northern pier. '
    'Bicycles travel free of charge on weekdays. Cats need a basket.'
)


def write_pdf(file: Path, *pages: str):
    "A PDF file of a paragraph a page."
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

    style = getSampleStyleSheet()['BodyText']
    story = [part for text in pages for part in (Paragraph(text, style), PageBreak())]
    SimpleDocTemplate(str(file), title='Ferry').build(story)


def calibrated(docs: Path, more: dict = {}, times: int = 1, store=None) -> DocumentFolder:
    "A calibrated folder of the papers and of more files; every question as often as that."
    docs.mkdir(parents=True)
    for name, text in {**PAPERS, **more}.items():
        (docs / name).write_text(text, encoding='utf-8')
    folder = DocumentFolder(docs, store)
    pairs = [pair for pair in ASKED.items() for _ in range(times)]
    questions = [Question(str(i), *pair) for i, pair in enumerate(pairs)]
    kb = folder.current(read_folder(docs))
    measure_folder(folder, kb, questions, LateHybrid(), source='q.jsonl')
    return folder


def ask_in_other_words(folder: DocumentFolder):
    "Calibrate on one question more, whose answer the papers give in other words."
    kept = folder.asked()
    other = replace(kept.questions[0], id='w', text='How long, opened?', answer='four weeks')
    kb = KnowledgeBase.open(folder.store)
    measure_folder(folder, kb, [*kept.questions, other], LateHybrid(), source='q.jsonl')


@contextmanager
def serving(folder, host='127.0.0.1', token=None):  # yields the address to open
    "The server of `conflare serve`, on a free port."
    server, listening, address = folder_server(folder, host, 0, token)
    thread = Thread(target=server.run, kwargs=dict(sockets=[listening]))
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield address
    finally:
        server.should_exit = True
        thread.join()
