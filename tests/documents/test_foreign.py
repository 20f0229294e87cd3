"A table that others made is neither read nor written over."

import json
import lancedb, pyarrow as pa, pytest
from conflare_nb.documents.store import KnowledgeBase


def foreign(folder, metadata=None, columns=('a',)):
    schema = pa.schema([(name, pa.string()) for name in columns], metadata=metadata)
    lancedb.connect(str(folder)).create_table('chunks', schema=schema)
    return folder


MADE = dict(embedder='minilm', embedding={}, chunker={})


@pytest.mark.parametrize(
    'what',
    [
        None, '{', '[]', '{}', json.dumps(MADE | dict(embedder=5)),
        json.dumps(MADE | dict(chunker=None)), json.dumps(MADE),
    ],
)  # fmt: skip
def test_a_table_of_others_is_refused(tmp_path, what):
    folder = foreign(tmp_path / 'kb', what and {'conflare_nb': what})
    with pytest.raises(
        ValueError,
        match="the table 'chunks' in .* was not made by conflare_nb, and is left as it is",
    ):
        KnowledgeBase.open(folder)
    assert lancedb.connect(str(folder)).open_table('chunks').schema.names == ['a']
