"Two processes that write one file; a writer that is killed. `CONFLARE_ROUNDS=50` for more."

import json, os, signal
import pytest
from conflare_nb.saving import write_whole
from store_worker import at_once, forks, write

ROUNDS = int(os.environ.get('CONFLARE_ROUNDS', 2))


@pytest.mark.slow
def test_two_that_write_one_file_leave_it_whole(tmp_path):
    for turn in range(ROUNDS):
        tasks = [(write, tmp_path / 'a.json', which, 20) for which in ('first', 'second')]
        assert at_once(*tasks) == [0, 0]
        text, i, filling = json.loads((tmp_path / 'a.json').read_text())
        assert text in ('first', 'second') and i == 19 and len(filling) == 200_000
        assert [file.name for file in tmp_path.iterdir()] == ['a.json']


class _Now:
    def wait(self):
        pass


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='nothing is killed this way here')
def test_what_a_killed_writer_leaves_goes_with_a_later_write(tmp_path):
    file, left = tmp_path / '[a].json', []
    write_whole(file, '["old"]')
    while not left:
        process = forks().Process(target=write, args=(file, 'killed', 10**6, _Now()))
        process.start()
        while process.is_alive() and not list(tmp_path.glob('*.part')):
            pass
        process.kill()
        process.join()
        json.loads(file.read_text())  # the old one or a new one, whole
        left = list(tmp_path.glob('*.part'))
    write_whole(file, '["new"]')
    assert list(tmp_path.glob('*.part')) == left  # it may be somebody's who is at it
    for part in left:
        os.utime(part, (0, 0))
    write_whole(tmp_path / 'other.json', '[]')
    assert list(tmp_path.glob('*.part')) == left  # another file is another matter
    write_whole(file, '["new"]')
    assert sorted(p.name for p in tmp_path.iterdir()) == ['[a].json', 'other.json']


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
