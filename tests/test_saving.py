"Two processes that write one file, and what is no file. more of it every night."

import json, os
import pytest
from conflare_nb.saving import write_whole
from store_worker import at_once, write
from nightly import by_day_or_night

ROUNDS = by_day_or_night(2, 20)


@pytest.mark.slow
def test_two_that_write_one_file_leave_it_whole(tmp_path):
    for turn in range(ROUNDS):
        tasks = [(write, tmp_path / 'a.json', which, 20) for which in ('first', 'second')]
        assert at_once(*tasks) == [0, 0]
        text, i, filling = json.loads((tmp_path / 'a.json').read_text())
        assert text in ('first', 'second') and i == 19 and len(filling) == 200_000
        assert [file.name for file in tmp_path.iterdir()] == ['a.json']


@pytest.mark.skipif(not hasattr(os, 'mkfifo'), reason='no such files here')
def test_only_a_file_is_replaced(tmp_path):
    "A link is followed by nothing, a pipe is not waited for, and a device stays one."
    kept = tmp_path / 'kept.txt'
    kept.write_text('mine')
    (tmp_path / 'link').symlink_to(kept)
    (tmp_path / 'dangling').symlink_to(tmp_path / 'none')
    os.mkfifo(tmp_path / 'pipe')
    (tmp_path / 'folder').mkdir()
    for name in ('link', 'dangling', 'pipe', 'folder', '/dev/null'):
        with pytest.raises(FileExistsError, match='is not replaced'):
            write_whole(tmp_path / name, 'text')
    assert kept.read_text() == 'mine'
    assert len(list(tmp_path.iterdir())) == 5
