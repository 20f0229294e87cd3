"""Write the modules, and what is made of them, from the notebooks: `python tools/export.py`.

nbdev-export writes the modules, type checkers get stubs of those that they cannot read, the pages of the rooms list
them, and the scripts and styles of js/ are bundled, where esbuild can be had.
"""

import sys
import bundle
import rooms
import stubs
from nbs import call


def export() -> int:  # exit status
    "Modules first: what follows is made from them."
    failed = call('nbdev-export')
    if failed:
        return failed
    stubs.renew()
    rooms.renew()
    missing = bundle.fetch_esbuild()
    if missing:
        print(f'scripts are not bundled: {missing}')
    else:
        bundle.write()
    return 0


if __name__ == '__main__':
    sys.exit(export())
