"""The odds of an attack derived in LaTeX, written without sympy, which takes its time to load."""

from __future__ import annotations

from fractions import Fraction

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.d20 import Roll
from combatkit.rules import Ruleset
from combatkit.view.cases import Part, cases_of, tie_step
from combatkit.view.formula import sinks
from combatkit.view.text import fraction_text


def formula_latex(strike: Strike) -> dict[str, str]:
    r"""Derive the odds of an attack in LaTeX: the general formula, then the numbers.

    Parameters
    ----------
    strike : Strike

    Returns
    -------
    dict of str to str
        Title to LaTeX for display mathematics, without dollar signs.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> swing = ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant(armor_class=16))
    >>> print(formula_latex(swing)["Natural roll needed"])
    n = A - b = 16 - 6 = 10 \quad (A \text{ armor class}, b \text{ attack bonus})
    """
    death = {"Death odds": _death_latex(strike.attempt.rules)}
    if not strike.possible:
        return {"Hit chance": r"P(\text{hit}) = 0 \quad \text{(not possible)}", **death}
    return {
        "Natural roll needed": _needed_latex(strike),
        "Hit chance": _hit_latex(strike),
        "Critical chance": _critical_latex(strike),
        "Expected damage": _damage_latex(strike),
        **death,
    }


def _needed_latex(strike: Strike) -> str:
    bonus, armor_class = strike.attack_bonus.total, strike.armor_class.total
    more = " + 1" if tie_step(strike) else ""
    minus = f"- {bonus}" if bonus >= 0 else f"- ({bonus})"
    where = r"\quad (A \text{ armor class}, b \text{ attack bonus})"
    needs = armor_class - bonus + tie_step(strike)
    return f"n = A - b{more} = {armor_class} {minus}{more} = {needs} {where}"


def _hit_latex(strike: Strike) -> str:
    texts = [(case.up_to, _tex_part(case.hit, strike.blow.roll)) for case in cases_of(strike)]
    return _derivation(strike, r"P(\text{hit})", "", texts, strike.p_hit)


def _critical_latex(strike: Strike) -> str:
    roll, general, texts = strike.blow.roll, set[str](), []
    for case in cases_of(strike):
        summands = []
        if case.threat != NOTHING:
            general.add(r"P(\text{threat}) \cdot P(\text{confirmed})")
            summands.append(rf"{_factor(case.threat, roll)} \cdot {_factor(case.confirm, roll)}")
        if case.sure != NOTHING:
            general.add(r"P(\text{critical at once})")
            summands.append(_tex_part(case.sure, roll))
        texts.append((case.up_to, " + ".join(summands) or "0"))
    rule = " + ".join(sorted(general, reverse=True))
    return _derivation(strike, r"P(\text{critical})", rule, texts, strike.p_critical)


def _damage_latex(strike: Strike) -> str:
    hit_mean, critical_mean, mean = (
        damage.mean for damage in (strike.hit_damage, strike.critical_damage, strike.damage)
    )
    hit, critical = strike.p_hit, strike.p_critical
    if critical:
        general = (
            r"\bigl(P(\text{hit}) - P(\text{critical})\bigr) \cdot \mu_{\text{hit}}"
            r" + P(\text{critical}) \cdot \mu_{\text{critical}}"
        )
        numbers = (
            rf"\left({_tex(hit)} - {_tex(critical)}\right) \cdot {_tex(hit_mean)}"
            rf" + {_tex(critical)} \cdot {_tex(critical_mean)}"
        )
    else:
        general = r"P(\text{hit}) \cdot \mu_{\text{hit}}"
        numbers = rf"{_tex(hit)} \cdot {_tex(hit_mean)}"
    sign = "=" if _is_short(hit_mean) and _is_short(critical_mean) else r"\approx"
    return _aligned(
        rf"E[\text{{damage}}] &= {general} \quad (\mu \text{{ mean damage}})",
        rf"&{sign} {numbers} {_equals(mean)}",
    )


def _death_latex(rules: Ruleset) -> str:
    if not rules.dying.is_plain:
        return r"\text{the roll of the dying changes or is counted: see the chances of each round}"
    lose, stabilize = rules.dying.count("lose_hit_point"), rules.dying.count("stabilize")
    name = r"P(\text{death} \mid -k \text{ hit points})"
    if not lose:
        return f"{name} = 0"
    power = f"^{{{-rules.dead_at} - k}}"
    where = (
        rf"(\ell \text{{ of {rules.dying.die} faces lose a hit point}},"
        r" s \text{ stabilize})"
    )
    return _aligned(
        rf"{name} &= \left(\frac{{\ell}}{{\ell + s}}\right){power} \quad {where}",
        rf"&= \left(\frac{{{lose}}}{{{lose} + {stabilize}}}\right){power}"
        rf" = \left({_tex(sinks(rules))}\right){power}",
    )


NOTHING = Part(False, Fraction(0))


def _tail(roll: Roll, shift: int) -> str:
    """Chance of n - shift or more on the d20; n is written @ until it is known."""
    if roll == "advantage":
        below = f"@ - {1 + shift}" if shift >= -1 else f"@ + {-1 - shift}"
        return rf"1 - \left(\frac{{{below}}}{{20}}\right)^{{2}}"
    once = rf"\frac{{{21 + shift} - @}}{{20}}"
    return once if roll == "normal" else rf"\left({once}\right)^{{2}}"


def _tex_part(part: Part, roll: Roll) -> str:
    if not part.moves:
        return _tex(part.rest)
    sign = "-" if part.rest < 0 else "+"
    return _tail(roll, part.shift) + (f" {sign} {_tex(abs(part.rest))}" if part.rest else "")


def _factor(part: Part, roll: Roll) -> str:
    text = _tex_part(part, roll)
    is_sum = part.moves and (part.rest or roll == "advantage")
    return rf"\left({text}\right)" if is_sum else text


def _derivation(
    strike: Strike, name: str, rule: str, texts: list[tuple[int | None, str]], result: Fraction
) -> str:
    """Name, rule, formula by cases of n, the case in force with its numbers, the result."""
    needs = strike.needs + tie_step(strike)
    now = next(text for up_to, text in texts if up_to is None or needs <= up_to)
    now, every, lands = now.replace("@", str(needs)), _by_cases(texts), ""
    if strike.miss_chance:
        lands = r"(1 - m) \cdot "
        now = rf"\left(1 - {_tex(strike.miss_chance)}\right) \cdot {_wrapped(now)}"
        every = rf"{lands}{_wrapped(every)} \quad (m \text{{ miss chance}})"
        rule = lands + _wrapped(rule) if rule else ""
    rows = [row for row in (rule, every) if row and row != now]
    known = now == _tex(result)
    rows.append(
        _equals(result, percent=True).removeprefix("= ")
        if known
        else f"{now} {_equals(result, percent=True)}"
    )
    return _aligned(f"{name} &= {rows[0]}", *(f"&= {row}" for row in rows[1:]))


def _by_cases(texts: list[tuple[int | None, str]]) -> str:
    rows: list[str] = []
    low: int | None = None  # the case holds for n above it
    for index, (high, text) in enumerate(texts):
        if index + 1 < len(texts) and texts[index + 1][1] == text:
            continue
        rows.append(rf"{text.replace('@', 'n')} & {_range(low, high)}")
        low = high
    if len(rows) == 1:
        return rows[0].partition(" & ")[0]
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"


def _range(low: int | None, high: int | None) -> str:
    if high is None:
        return "" if low is None else rf"n \ge {low + 1}"
    if low is None:
        return rf"n \le {high}"
    return f"n = {high}" if low + 1 == high else rf"{low + 1} \le n \le {high}"


def _wrapped(text: str) -> str:
    """Put a sum into parentheses."""
    is_sum = not text.startswith(r"\begin") and (" + " in text or text.startswith("1 -"))
    return rf"\left({text}\right)" if is_sum else text


def _aligned(*rows: str) -> str:
    return r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"


def _is_short(value: Fraction) -> bool:
    return not fraction_text(value).startswith("≈")


def _tex(value: Fraction) -> str:
    """Write a number as a fraction, or as a decimal where that is too long."""
    if not _is_short(value):
        return _decimal(value)
    if value.denominator == 1:
        return str(value)
    return rf"{'-' * (value < 0)}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _decimal(value: Fraction) -> str:
    digits, _, power = f"{float(value):.6g}".partition("e")
    return rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits


def _equals(value: Fraction, percent: bool = False) -> str:
    """Say what a number is: as a fraction, and as a decimal or a percentage."""
    shown = 100 * value if percent else value
    if shown.denominator == 1:
        near, sign = str(shown), "="
    else:
        near, sign = _decimal(shown), r"\approx"
        if Fraction(f"{float(shown):.6g}") == shown:
            sign = "="
    exact = f"= {_tex(value)} " if value.denominator != 1 and _is_short(value) else ""
    return f"{exact}{sign} {near}" + (r"\,\%" if percent else "")
