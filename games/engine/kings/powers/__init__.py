"""Heroes, magic items and events with a power of their own.

To add one: its line in `catalogue.py`; a class beside its kin here, found by the catalogue's slug; its event in
`events.py` for the log; a scenario in `tests/scenarios/`; its row in `docs/rules.md`.
"""
