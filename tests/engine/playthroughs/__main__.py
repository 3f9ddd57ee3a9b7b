"""`python -m tests.engine.playthroughs`"""

import sys

from . import record_all

record_all(sys.argv[1:])
