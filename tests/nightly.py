"What runs every night only, by `make nightly`: more rounds, more cases, and the tests that are marked so."

import os

NIGHTLY = bool(os.environ.get('CONFLARE_NIGHTLY'))


def by_day_or_night(day: int, night: int) -> int:
    return night if NIGHTLY else day
