"""The turns of a duel: what each side does in each round, and the blows that come of it."""

from __future__ import annotations

from combatkit.combat.attacks.blow import Blow
from combatkit.combat.fights.closed_form import FOE, Blows, Side
from combatkit.combat.fights.plan import Action, Plan, turn_blows
from combatkit.combat.turns.surprise import surprise_round
from combatkit.rules import Combatant, Ruleset


class Turns:
    """The turns of both sides as they are taken, and the blows of each."""

    def __init__(
        self,
        rules: Ruleset,
        who: dict[Side, Combatant],
        plans: dict[Side, Plan],
        surprise: Side | None,
    ) -> None:
        self.rules, self.who, self.plans, self.surprise = rules, who, plans, surprise
        self.off_guard = rules.switch("before_first_turn") == "off_guard"
        self.caught = surprise_round(rules, [True, False]).condition
        self.taken = {side: 0 for side in FOE}
        self.stance: dict[Side, tuple[int, Action]] = {}

    def round(self, number: int, sides: tuple[Side, ...]) -> Blows:
        """Take the turns of a round."""
        return {side: self._turn(number, side) for side in sides}

    def _turn(self, number: int, side: Side) -> tuple[Blow, ...]:
        plan, foe = self.plans[side], FOE[side]
        surprising = self.surprise is not None and number == 0
        action: Action = "attack" if surprising else plan.action(self.taken[side])
        off_guard = surprising or (self.off_guard and foe not in self.stance)
        stance = self._stance(foe, number)
        self.taken[side] += not surprising
        self.stance[side] = number, action
        return turn_blows(
            self.rules, self.who[side], self.who[foe], plan, action, stance,
            self.caught if off_guard else "",
        )  # fmt: skip

    def _stance(self, side: Side, number: int) -> Action | None:
        """Tell what a side did on its last turn, as far as that still matters in this round."""
        taken, action = self.stance.get(side, (number, None))
        defensive = action in ("defensive", "defensive_full")
        if not defensive or taken == number:
            return action
        ends = self.rules.switch("fighting_defensively_lasts") == "end_of_round"
        return None if ends else action
