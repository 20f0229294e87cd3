"`python -m conflare_nb` is the `conflare` command."
import sys
from conflare_nb.app.cli import main

if __name__ == '__main__': sys.exit(main())
