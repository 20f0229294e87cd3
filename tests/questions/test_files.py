"Questions come from any source under the same rules, and what is wrong with a file is named."

import json, re
from collections import Counter
from dataclasses import replace
import pandas as pd, pyarrow as pa, pyarrow.parquet as pq, pytest
from conflare_nb.questions.question import Question
from conflare_nb.questions.files import load_questions, read_questions, review_rows, write_review
from conflare_nb.questions.guide import sample_path

# --- files of one's own


def read(tmp_path, content):
    (tmp_path / 'mine.jsonl').write_bytes(
        content if isinstance(content, bytes) else content.encode()
    )
    return read_questions(tmp_path / 'mine.jsonl')


def test_a_file_of_questions(tmp_path):
    rows = [
        dict(question='How long?', answer='a week'),
        dict(question='Was\u2028nun?', document='d.md', section='', kind='other'),
        dict(question='More?', answer=75, also=[['d.md', 'Dose'], ['e.md', 'Dose']], id=7),
        dict(question=' How long? ', answer='a week'),
    ]
    for eol, codec in (('\n', 'utf-8'), ('\r\n', 'utf-8-sig'), ('\n\n', 'utf-16')):
        a, b, c, again = read(
            tmp_path, eol.join(json.dumps(r, ensure_ascii=False) for r in rows).encode(codec)
        )
        assert (a.text, a.answer, a.sections) == ('How long?', 'a week', ())
        assert (b.text, b.answer, b.sections, b.document, b.kind) == (
            'Was\u2028nun?',
            '',
            (('d.md', ''),),
            'd.md',
            'other',
        )
        assert (c.id, c.answer, c.sections) == ('7', '75', (('d.md', 'Dose'), ('e.md', 'Dose')))
        assert again == replace(a, id=again.id) != a  # asked again


BAD = {
    'no object': '[1]',
    'null': 'null',
    'no JSON': 'what?',
    'cut': '{"question": "q"',
    'nothing known': '{"question": "q"}',
    'no question': '{"answer": "a"}',
    'blank question': '{"question": " ", "answer": "a"}',
    'question no text': '{"question": ["q"], "answer": "a"}',
    'answer no text': '{"question": "q", "answer": ["a"]}',
    'section without document': '{"question": "q", "section": "s"}',
    'section no text': '{"question": "q", "document": "d", "section": ["s"]}',
    'also no list': '{"question": "q", "answer": "a", "also": 5}',
    'also no pairs': '{"question": "q", "document": "d", "section": "s", "also": ["de"]}',
    'half a character': '{"question": "Half \\ud800", "answer": "a"}',
    'half an id': '{"question": "q", "answer": "a", "id": "\\udc00"}',
    'half a section': '{"question": "q", "document": "d", "section": "\\udfff"}',
    'a name twice': '{"question": "q", "question": "r", "answer": "a"}',
    'id no text': '{"question": "q", "answer": "a", "id": [1]}',
    'kind no text': '{"question": "q", "answer": "a", "kind": {"a": 1}}',
    'deep': '[' * 100_000,
    'huge': '{"question": "q", "answer": ' + '1' * 5_000 + '}',
    'pickle': b'\x80\x04\x95K\x00',
    'noise': bytes(range(14, 256)),
}


@pytest.mark.parametrize('what', BAD)
def test_a_bad_line_is_named(tmp_path, what):
    good = b'{"question": "q", "answer": "a"}\n\n'
    with pytest.raises(ValueError, match='^mine.jsonl line 3: .*; '):
        read(tmp_path, good + (BAD[what] if isinstance(BAD[what], bytes) else BAD[what].encode()))


def test_a_bad_file_is_named(tmp_path):
    with pytest.raises(ValueError, match='no questions in it'):
        read(tmp_path, '\n \n')
    with pytest.raises(ValueError, match="mine.jsonl: an \"id\" names one row; '1' names 2"):
        read(
            tmp_path,
            '{"id": 1, "question": "q", "answer": "a"}\n{"id": "1", "question": "r", "answer": "a"}',
        )
    with pytest.raises(FileNotFoundError, match='no such file'):
        read_questions(tmp_path / 'none.jsonl')


# --- what is asked again


def test_every_row_is_a_question_asked(tmp_path):
    "Sixty rows of four texts are sixty questions, each with an id of its own: given, or its place."
    texts = [f'Question {i % 4}?' for i in range(60)]
    rows = [dict(question=text, answer='a') for text in texts]
    path = tmp_path / 'log.jsonl'
    path.write_text('\n'.join(map(json.dumps, rows)))
    for found in (load_questions(path), read_questions(path)):
        assert [q.text for q in found] == texts
        assert [q.id for q in found] == [f'log.jsonl line {i}' for i in range(1, 61)]
    named = pd.DataFrame(rows).assign(id=[f'u{i}' for i in range(60)])
    assert [q.id for q in load_questions(named)] == [f'u{i}' for i in range(60)]
    assert Counter(q.text for q in load_questions(pd.DataFrame(rows))) == Counter(texts)


def test_rows_keep_their_ids_when_more_are_written_below(tmp_path):
    line = json.dumps(dict(question='How long?', answer='a week'))
    path = tmp_path / 'log.jsonl'
    path.write_text(f'{line}\n' * 3)
    before = load_questions(path)
    path.write_text(f'{line}\n' * 5)
    assert load_questions(path)[:3] == before


@pytest.mark.parametrize('text', ['How long?', 'How much?'])
def test_an_id_names_one_row(tmp_path, text):
    "Also where the rows say the same: which of them was asked again is not to be guessed."
    rows = [
        dict(id='q1', question='How long?', answer='a'),
        dict(id='q1', question=text, answer='a'),
    ]
    with pytest.raises(ValueError, match="'q1' names 2. Where a question was asked again, leave"):
        load_questions(pd.DataFrame(rows))


# --- sources

ROWS = [
    dict(
        id='a',
        question='How long?',
        answer='a week',
        document='d.md',
        section='Dose',
        also=[['e.md', 'Dose']],
        kind='other',
    ),
    dict(
        id='b', question='Was nun?', answer='75', document=None, section=None, also=None, kind=None
    ),
    dict(
        id='c',
        question=' How long? ',
        answer='a week',
        document='d.md',
        section='Dose',
        also=[['e.md', 'Dose']],
        kind=None,
    ),
]


def write(folder, kind):
    "The rows in one of the forms they come in."
    folder.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(ROWS)
    if kind == 'jsonl':
        (path := folder / 'mine.jsonl').write_text('\n'.join(map(json.dumps, ROWS)))
    elif kind == 'csv':
        pd.DataFrame(
            [{**r, 'also': json.dumps(r['also']) if r['also'] else None} for r in ROWS]
        ).to_csv(path := folder / 'mine.csv', index=False)
    elif kind == 'parquet':
        pq.write_table(table, path := folder / 'mine.parquet')
    elif kind == 'hub':
        (folder / 'data').mkdir()
        path = folder
        for i, part in enumerate((table[:1], table[1:])):
            pq.write_table(part, folder / 'data' / f'test-0000{i}-of-00002.parquet')
        (folder / 'README.md').write_text('a dataset')
    elif kind == 'saved':
        path = folder
        with (
            pa.OSFile(str(folder / 'data-00000-of-00001.arrow'), 'wb') as f,
            pa.ipc.new_stream(f, table.schema) as out,
        ):
            out.write_table(table)
        (folder / 'state.json').write_text('{}')
        (folder / 'cache-0123.arrow').write_bytes(b'left by a map')
    elif kind == 'file form':
        path = folder
        with (
            pa.OSFile(str(folder / 'data-00000-of-00001.arrow'), 'wb') as f,
            pa.ipc.new_file(f, table.schema) as out,
        ):
            out.write_table(table)
    else:
        path = pd.DataFrame(ROWS)
    return path


@pytest.mark.parametrize('kind', ['jsonl', 'csv', 'parquet', 'hub', 'saved', 'file form', 'frame'])
def test_all_sources_give_the_same_questions(tmp_path, kind):
    a, b, again = load_questions(write(tmp_path / 'set', kind))
    assert a == Question(
        'a', 'How long?', 'a week', (('d.md', 'Dose'), ('e.md', 'Dose')), 'd.md', 'other'
    )
    assert b == Question('b', 'Was nun?', '75')
    assert again == replace(a, id='c', kind='')


def test_the_samples_load_from_every_form(tmp_path):
    path = sample_path() / 'questions.jsonl'
    rows = [json.loads(l) for l in path.read_text(encoding='utf-8').splitlines()]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / 'train.parquet')
    assert (
        load_questions(path)
        == read_questions(path)
        == load_questions(tmp_path)
        == load_questions(pd.DataFrame(rows))
    )


def test_splits_are_named_not_guessed(tmp_path):
    t = pa.Table.from_pylist(ROWS[:1])
    for p in (
        'en/test-00000-of-00001.parquet',
        'en/train-00000-of-00001.parquet',
        'fr/train/0000.parquet',
        '.cache/x.parquet',
    ):
        (tmp_path / p).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(t, tmp_path / p)
    with pytest.raises(
        ValueError,
        match="several splits: name one of 'en/test', 'en/train', 'fr/train' with split=",
    ):
        load_questions(tmp_path)
    with pytest.raises(ValueError, match="no split 'dev'; it has 'en/test'"):
        load_questions(tmp_path, 'dev')
    assert [q.id for q in load_questions(tmp_path, 'fr/train')] == ['a']


@pytest.mark.parametrize(
    'name,content,says',
    [
        ('x.csv', 'question,answer\nq,"a', 'x.csv line 1: no readable CSV'),
        ('x.csv', 'query,answer\nq,a\n', 'x.csv line 2: every line needs a "question"'),
        ('x.csv', 'question,answer,keep\nq,a,\n', 'x.csv line 2: a model wrote this question'),
        ('x.csv', 'question;answer;keep\nq;a;perhaps\n', "got 'perhaps'"),
        ('x.csv', 'question,answer\nq,\n', 'line 2: a question needs an "answer" or a "section"'),
        ('x.csv', 'question,answer\n', 'x.csv: no questions in it'),
        ('x.csv', 'question,answer,also\nq,a,[[\n', 'line 2: a section is named by'),
        ('x.csv', 'id,question,answer\n1,q,a\n1,r,a\n', "'1' names 2"),
        (
            'x.csv',
            'question,answer\nHow, long?,a\n',
            'x.csv line 2: 1 more cells than the 2 columns',
        ),
        (
            'x.csv',
            'question,answer,answer\nq,a,\n',
            "x.csv line 1: each column has one name; 'answer'",
        ),
        ('x.parquet', 'PAR1 no', 'x.parquet: no readable .parquet file'),
        ('x.arrow', 'ARROW1 no', 'x.arrow: no readable .arrow file'),
        ('x.pkl', 'no', 'questions are read from .jsonl, .csv'),
        ('d/x.txt', 'no', 'd: no .parquet or .arrow file'),
    ],
)
def test_a_bad_source_is_named(tmp_path, name, content, says):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    with pytest.raises(ValueError, match=re.escape(says)):
        load_questions(path if path.parent == tmp_path else path.parent)


def test_a_source_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match='no such file or folder'):
        load_questions(tmp_path / 'none')


def test_columns_that_bear_one_name_are_refused(tmp_path):
    twice = pa.Table.from_arrays(
        [pa.array(['q']), pa.array(['a']), pa.array(['b'])], ['question', 'answer', 'answer']
    )
    pq.write_table(twice, tmp_path / 'x.parquet')
    with pytest.raises(ValueError, match='x.parquet: no readable .parquet file; Multiple matches'):
        load_questions(tmp_path / 'x.parquet')
    with pa.OSFile(str(tmp_path / 'x.arrow'), 'wb') as f, pa.ipc.new_stream(f, twice.schema) as out:
        out.write_table(twice)
    for source in (tmp_path / 'x.arrow', twice.to_pandas()):
        with pytest.raises(
            ValueError, match="each column has one name; 'answer' stands there twice"
        ):
            load_questions(source)
    (tmp_path / 'x.csv').write_text(
        'question,answer,,\nq,a,,\n'
    )  # as spreadsheets write empty columns
    assert [q.answer for q in load_questions(tmp_path / 'x.csv')] == ['a']


def test_half_a_character_in_a_table_is_refused():
    with pytest.raises(ValueError, match='row 1: half a character'):
        load_questions(pd.DataFrame(dict(question=['q'], answer=['\ud800']), dtype=object))


@pytest.mark.parametrize('kind', ['csv', 'jsonl'])
def test_a_review_survives_a_spreadsheet(tmp_path, kind):
    written = [
        Question(f'g{i}', text, answer, document='a.md', chunk='a.md#0')
        for i, (text, answer) in enumerate(
            [('=1+1, or "more"?', '-2 °C\nor less'), ('Öffnet es?', 'at 9'), ('Why?', 'x')]
        )
    ]
    file = write_review(
        tmp_path / f'r.{kind}', review_rows(written, {'a.md#0': '@SUM(A1) is in it;\ta tab'})
    )
    rows = (
        pd.read_csv(file, dtype=str) if kind == 'csv' else pd.read_json(file, lines=True, dtype=str)
    )  # a spreadsheet reads it,
    assert kind == 'jsonl' or not any(
        str(cell)[0] in '=+-@' for cell in rows.to_numpy().ravel() if isinstance(cell, str)
    )
    rows['keep'] = ['Yes', 'x', 'no']
    mended = tmp_path / 'mended.csv'
    rows.to_csv(mended, index=False, sep=';', encoding='cp1252')  # and writes it in its own way
    kept = load_questions(mended)
    assert [(q.id, q.text, q.answer, q.document) for q in kept] == [
        (q.id, q.text, q.answer, q.document) for q in written[:2]
    ]
    with pytest.raises(FileExistsError, match='would be lost'):
        write_review(file, review_rows(written, {}))
    assert load_questions(rows)[0].text == kept[0].text  # a table too
    rows.loc[1, 'keep'] = None
    with pytest.raises(ValueError, match='row 2: a model wrote this question'):
        load_questions(rows)


def test_a_page_is_a_whole_number(tmp_path):
    def named(page):
        path = tmp_path / 'mine.jsonl'
        path.write_text(json.dumps(dict(question='What?', document='a.pdf', section=page)))
        return load_questions(path)[0].sections

    assert named(2) == named(2.0) == (('a.pdf', '2'),)
    with pytest.raises(ValueError, match='a section is named by'):
        named(2.5)
