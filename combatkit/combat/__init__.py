"""Combat in rooms: attacks, checks, health, turns, maneuvers, board, fights, sweeps.

A room imports only those before it (``tests/test_floors.py``), pure functions over frozen models.
"""
