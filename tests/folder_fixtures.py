"A small folder with questions, which the tests of its commands calibrate."

import shutil
import pytest
from command import small_folder


@pytest.fixture(scope='module')
def folder(tmp_path_factory):  # of documents and nine questions
    return small_folder(tmp_path_factory.mktemp('own'))


@pytest.fixture
def docs(folder, tmp_path):  # a copy of its documents, without what was measured on them
    hidden = shutil.ignore_patterns('.conflare')
    return shutil.copytree(folder / 'docs', tmp_path / 'docs', ignore=hidden)
