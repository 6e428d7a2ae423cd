"""Combat in rooms, each a package: attacks, checks, health, turns, board, fights, sweeps.

A room imports only those before it (``tests/test_floors.py``), pure functions over frozen models.
"""
