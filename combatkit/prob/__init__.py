"""Exact probability: finite distributions, dice notation and absorbing Markov chains."""

from combatkit.prob.chain import Chain
from combatkit.prob.dice import DAMAGE_TYPES, DiceTerm, terms
from combatkit.prob.dice import dice as dice
from combatkit.prob.dist import Dist as Dist

__all__ = ["DAMAGE_TYPES", "Chain", "DiceTerm", "terms"]


def __dir__() -> list[str]:
    return sorted(__all__)
