"""`python -m tests.engine.playthroughs`"""

from . import record_all

record_all()
