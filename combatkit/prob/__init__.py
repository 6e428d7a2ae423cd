"""Exact probability: finite distributions, dice notation and absorbing Markov chains."""

from combatkit.prob.chain import Chain
from combatkit.prob.dice import DAMAGE_TYPES, Term, dice, terms
from combatkit.prob.dist import Dist

__all__ = ["DAMAGE_TYPES", "Chain", "Dist", "Term", "dice", "terms"]
