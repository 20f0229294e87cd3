"Questions come from any source under the same rules, and what is wrong with a file is named."

import json, re
from dataclasses import replace
from unittest.mock import patch
import numpy as np, pandas as pd, pyarrow as pa, pyarrow.parquet as pq, pytest
from conflare_nb.documents.reading import LIMITS
from conflare_nb.labels.question import Question
from conflare_nb.labels.files import load_questions, review_rows, write_review


def read(folder, content, name='mine.jsonl'):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_questions(path)


def test_a_file_of_questions(tmp_path):
    rows = [
        dict(question='How long?', answer='a week'),
        dict(question='Was\u2028nun?', document='d.md', section='', kind='other'),
        dict(question='More?', answer=75, also=[['d.md', 'Dose'], ['e.md', 'Dose']], id=7),
        dict(question=' How long? ', answer='a week'),
    ]
    for eol, codec in (('\n', 'utf-8'), ('\r\n', 'utf-8-sig'), ('\n\n', 'utf-16')):
        text = eol.join(json.dumps(r, ensure_ascii=False) for r in rows)
        a, b, c, again = read(tmp_path, text.encode(codec))
        assert a == Question('mine.jsonl line 1', 'How long?', 'a week')
        assert b == Question(b.id, 'Was\u2028nun?', '', (('d.md', ''),), 'd.md', 'other')
        assert c == Question('7', 'More?', '75', (('d.md', 'Dose'), ('e.md', 'Dose')))
        assert again == replace(a, id=again.id) != a  # asked again


@pytest.mark.parametrize('said, nothing', [(True, True), (1, True), ('Yes', True), (0, False), ('', False)])
@pytest.mark.parametrize('answer', [None, '', ' '])
def test_a_row_may_say_that_nothing_answers(tmp_path, said, nothing, answer):
    row = dict(question='Who sang Waterloo?', answer=answer, unanswerable=said)
    other = dict(question='How long?', answer='a week')
    sources = {name: tmp_path / name for name in ('q.jsonl', 'q.csv', 'q.parquet')}
    table = pd.DataFrame([row, other])  # the other's mark is an empty cell
    sources['q.jsonl'].write_text('\n'.join(map(json.dumps, (row, other))))
    table.to_csv(sources['q.csv'], index=False)
    marks = table.unanswerable.map(str, na_action='ignore')
    table.assign(unanswerable=marks).to_parquet(sources['q.parquet'])
    for source in sources.values():
        if not nothing:
            with pytest.raises(ValueError, match='(line|row) [12]: a question needs an "answer"'):
                load_questions(source)
            continue
        song, week = load_questions(source)
        assert (song.unanswerable, song.answer, song.sections) == (True, '', ())
        assert week == Question(week.id, 'How long?', 'a week')


@pytest.mark.parametrize('more', [dict(answer='Abba'), dict(document='d.md', section='Songs')])
def test_a_mark_beside_an_answer_is_refused(tmp_path, more):
    row = dict(question='Who?', unanswerable='true', **more)
    with pytest.raises(ValueError, match='^mine.jsonl line 1: .* nothing answers has no answer'):
        read(tmp_path, json.dumps(row))
    marked = read(tmp_path, json.dumps(row | dict(unanswerable='no')))
    assert [q.unanswerable for q in marked] == [False]


BAD = {
    'no object': '[1]',
    'null': 'null',
    'cut': '{"question": "q"',
    'blank question': '{"question": " ", "answer": "a"}',
    'question no text': '{"question": ["q"], "answer": "a"}',
    'section no text': '{"question": "q", "document": "d", "section": ["s"]}',
    'also no list': '{"question": "q", "answer": "a", "also": 5}',
    'also no pairs': '{"question": "q", "document": "d", "section": "s", "also": ["de"]}',
    'half a character': '{"question": "Half \\ud800", "answer": "a"}',
    'half an id': '{"question": "q", "answer": "a", "id": "\\udc00"}',
    'half a section': '{"question": "q", "document": "d", "section": "\\udfff"}',
    'a name twice': '{"question": "q", "question": "r", "answer": "a"}',
    'no yes and no no': '{"question": "q", "unanswerable": "per\\nhaps"}',
    'marked and answered': '{"question": "q", "answer": "a\\nb", "unanswerable": true}',
    'id no text': '{"question": "q", "answer": "a", "id": [1]}',
    'kind no text': '{"question": "q", "answer": "a", "kind": {"a": 1}}',
    'deep': '[' * 100_000,
    'huge': '{"question": "q", "answer": ' + '1' * 5_000 + '}',
}


@pytest.mark.parametrize('what', BAD)
def test_a_bad_line_is_named(tmp_path, what):
    good = b'{"question": "q", "answer": "a"}\n\n'
    with pytest.raises(ValueError, match='^mine.jsonl line 3: .*; ') as wrong:
        read(tmp_path, good + BAD[what].encode())
    assert len(str(wrong.value).splitlines()) == 1


@pytest.mark.parametrize('raw', [b'\x80\x04\x95K\x00', bytes(range(14, 256))])
def test_a_file_that_is_no_text_is_named(tmp_path, raw):
    with pytest.raises(ValueError, match='^mine.jsonl is no text'):
        read(tmp_path, b'{"question": "q", "answer": "a"}\n' + raw)


def test_every_row_is_a_question_asked(tmp_path):
    "Sixty rows of four texts are sixty questions, each with an id of its own: given, or its place."
    texts = [f'Question {i % 4}?' for i in range(60)]
    rows = [dict(question=text, answer='a') for text in texts]
    found = read(tmp_path, '\n'.join(map(json.dumps, rows)), 'log.jsonl')
    assert [q.text for q in found] == texts
    assert [q.id for q in found] == [f'log.jsonl line {i}' for i in range(1, 61)]
    named = load_questions(pd.DataFrame(rows).assign(id=[f'u{i}' for i in range(60)]))
    assert [(q.id, q.text) for q in named] == [(f'u{i}', text) for i, text in enumerate(texts)]
    more = '\n'.join(map(json.dumps, rows + rows[:2]))
    assert read(tmp_path, more, 'log.jsonl')[:60] == found  # rows that are added below


@pytest.mark.parametrize('text', ['How long?', 'How much?'])
def test_an_id_names_one_row(text):
    "Also if the rows say the same: which of them was asked again is not to be guessed."
    rows = [dict(id='q1', question=q, answer='a') for q in ('How long?', text)]
    with pytest.raises(ValueError, match="'q1' names 2. If a question was asked again, leave"):
        load_questions(pd.DataFrame(rows))


def test_all_of_may_be_written_out_and_stands_alone(tmp_path):
    places = json.dumps([['d.md', 'A'], ['e.md', 'B']])
    row = dict(question='Both?', all_of=places)
    (both,) = load_questions(pd.DataFrame([row]))
    assert both.all_of and both.sections == (('d.md', 'A'), ('e.md', 'B'))
    for more in (dict(document='d.md', section='C'), dict(also=places)):
        with pytest.raises(ValueError, match='^row 1: "all_of" lists every section'):
            load_questions(pd.DataFrame([row | more]))
    tabs = read(tmp_path, 'question\tanswer\nHow, or why?\ta week\n', 'x.csv')
    assert [(q.text, q.answer) for q in tabs] == [('How, or why?', 'a week')]
    (theirs,) = load_questions(pd.DataFrame([dict(question='q', query='r', answer='a')]), dict(question='query'))
    assert theirs.text == 'r'  # a column that is named replaces ours


@pytest.mark.parametrize(
    'name,content,says',
    [
        ('x.jsonl', '\n \n', 'x.jsonl: no questions in it'),
        ('x.jsonl', '{"question": "q", "answer": "a", "keep": "no"}', 'or none that is kept'),
        ('x.csv', 'question,answer\nq,"a', 'x.csv line 2: not a readable row'),
        ('x.csv', 'question;answer;keep\nq;a;perhaps\n', "got 'perhaps'"),
        ('x.csv', 'question,answer\nq,\n', 'line 2: a question needs an "answer" or a "section"'),
        ('x.csv', 'question,answer\n', 'x.csv: no questions in it'),
        ('x.csv', 'question,answer,also\nq,a,[[\n', 'line 2: a section is named by'),
        ('x.csv', 'id,question,answer\n1,q,a\n1,r,a\n', "'1' names 2"),
        ('x.csv', 'question,answer\nHow, long?,a\n', 'line 2: 3 cells for 2 columns'),
        ('x.csv', 'question,answer,answer\nq,a,\n', 'line 1: each column has one name;'),
        ('x.parquet', 'PAR1 no', 'x.parquet: not a readable .parquet file'),
        ('x.pkl', 'no', 'questions are read from .jsonl, .csv'),
    ],
)
def test_a_bad_source_is_named(tmp_path, name, content, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        read(tmp_path, content, name)


def test_columns_that_bear_one_name_are_refused(tmp_path):
    arrays = [pa.array([text]) for text in 'qab']
    twice = pa.Table.from_arrays(arrays, ['question', 'answer', 'answer'])
    pq.write_table(twice, tmp_path / 'x.parquet')
    says = "each column has one name; 'answer' is there twice"
    for source in (twice.to_pandas(), tmp_path / 'x.parquet'):
        with pytest.raises(ValueError, match=f'{says}|.parquet file; Multiple matches'):
            load_questions(source)
    empty = read(tmp_path, 'question,answer,,\nq,a,,\n', 'x.csv')  # columns of a spreadsheet
    assert [q.answer for q in empty] == ['a']


def test_a_review_survives_a_spreadsheet(tmp_path):
    said = [('=1+1, or "more"?', '-2 °C\nor less'), ('Öffnet es?', 'at 9'), ('Why?', 'x')]
    about = dict(document='a.md', chunk='a.md#0')
    written = [Question(f'g{i}', text, answer, **about) for i, (text, answer) in enumerate(said)]
    review = review_rows(written, {'a.md#0': '@SUM(A1) is in it;\ta tab'})
    file = write_review(tmp_path / 'r.csv', review)
    rows = pd.read_csv(file, dtype=str)  # a spreadsheet
    cells = [cell for cell in rows.to_numpy().ravel() if isinstance(cell, str)]
    assert not any(cell[:1] in tuple('=+-@') for cell in cells)
    rows['keep'] = ['Yes', 'x', 'no']
    mended = tmp_path / 'mended.csv'
    rows.to_csv(mended, index=False, sep=';', encoding='cp1252')  # writes it in its own way
    kept = load_questions(mended)
    assert kept == [replace(q, chunk='') for q in written[:2]]
    with pytest.raises(FileExistsError, match='would be lost'):
        write_review(file, review)
    assert load_questions(rows)[0].text == kept[0].text  # a table too
    rows.loc[1, 'keep'] = None
    with pytest.raises(ValueError, match='row 2: a model wrote this question'):
        load_questions(rows)


def test_a_page_is_a_whole_number(tmp_path):
    for page in (2, 2.0):
        row = json.dumps(dict(question='What?', document='a.pdf', section=page))
        assert read(tmp_path, row)[0].sections == (('a.pdf', '2'),)
    for page in ('2.5', 'true', '1e999'):
        with pytest.raises(ValueError, match='a section is named by'):
            read(tmp_path, f'{{"question": "What?", "document": "a.pdf", "section": {page}}}')


def test_a_small_file_that_unpacks_to_gigabytes_is_refused(tmp_path):
    "Rows are unpacked a hundred at a time, and no more of them than the limit allows."
    long = pa.array(['x' * 10_000]).dictionary_encode()
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), long.dictionary)
    lists = pa.ListArray.from_arrays([0, 1_100_000], pa.array(np.zeros(1_100_000, np.int8)))
    pq.write_table(pa.table(dict(question=column)), tmp_path / 'q.parquet')
    pq.write_table(pa.table(dict(question=['a'], also=lists)), tmp_path / 'l.parquet')
    with patch.dict(LIMITS, bytes=1_000_000):
        for name, most in (('q.parquet', 2_100_000), ('l.parquet', 1_200_000)):
            assert (tmp_path / name).stat().st_size < 60_000
            with pytest.raises(ValueError, match=f'{name}: too large, [0-9,]+ bytes') as refused:
                load_questions(tmp_path / name)
            assert int(str(refused.value).split(' ')[3].replace(',', '')) < most


def test_a_cell_of_spaces_is_empty_and_a_column_that_is_not_there_replaces_nothing(tmp_path):
    file = tmp_path / 'q.csv'
    file.write_text('question,document,section\nHow long?,pen.md, \n')
    with pytest.raises(ValueError, match='"document" and "section"|needs an "answer"'):
        load_questions(file)
    file.write_text('question,answer,kind\nHow long?,28 days,pen\n')
    (question,) = load_questions(file, columns=dict(kind='group'))
    assert question.kind == 'pen'
    with pytest.raises(ValueError, match="got 'query'"):
        load_questions(file, columns=dict(query='question'))
