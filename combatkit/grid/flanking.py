"""Flanking: the line between two centers through opposite borders of a space."""

from __future__ import annotations

from itertools import product

from combatkit.grid.squares import Space


def flanks(one: Space, other: Space, between: Space) -> bool:
    """Whether two stand so that somebody between them is flanked.

    Source: SRD combat modifiers, Flanking.

    Parameters
    ----------
    one, other : Space
        A flanker larger than a square qualifies by any of its squares.
    between : Space
        The line from center to center must pass through opposite borders of this space; corners
        belong to their borders.

    Returns
    -------
    bool
        By position alone: reach and who threatens are not asked here.

    Examples
    --------
    >>> middle = Space(0, 0)
    >>> flanks(Space(-1, -1), Space(1, 1), middle), flanks(Space(-1, 0), Space(1, 1), middle)
    (True, False)
    >>> flanks(Space(-2, 0), Space(2, 0), middle)
    True
    """
    return flanking_squares(one, other, between) is not None


def flanking_squares(one: Space, other: Space, between: Space) -> tuple[Space, Space] | None:
    """Return the first two squares of two spaces that flank what is between, or None."""
    for here, there in product(one.singles, other.singles):
        if any(_through(here, there, between, axis) for axis in (0, 1)):
            return here, there
    return None


def _through(here: Space, there: Space, between: Space, axis: int) -> bool:
    """Whether the line of centers passes both borders of a space that lie across an axis."""
    across = 1 - axis
    # all doubled, so that centers are whole numbers
    start, end = ((2 * square[axis] + 1, 2 * square[across] + 1) for square in (here, there))
    if start[0] > end[0]:
        start, end = end, start
    near, far = 2 * between[axis], 2 * (between[axis] + between.side)
    low, high = 2 * between[across], 2 * (between[across] + between.side)
    if not start[0] < near < far < end[0]:
        return False
    run, rise = end[0] - start[0], end[1] - start[1]
    return all(
        low * run <= start[1] * run + (at - start[0]) * rise <= high * run for at in (near, far)
    )
