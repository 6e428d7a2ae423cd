"""Frozen models whose complaints are written for a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from combatkit.errors import CombatkitError, nearest

BRANCHES = ("by id", "one's own", "[key]")  # pydantic's words in a path that are no fields


class Model(BaseModel):
    """A frozen, checked record: wrong input raises :class:`~combatkit.errors.CombatkitError`.

    Examples
    --------
    >>> class Torch(Model):
    ...     radius: int = 20
    >>> Torch(radius=40).radius
    40
    >>> Torch(radios=20)
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: Torch: field 'radios' is not known; did you mean 'radius'?
    """

    # schemas are built at first use, which keeps the import light
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except (ValidationError, UnicodeError) as error:
            raise CombatkitError(explain(error, type(self))) from None

    # nested models are still checked by pydantic itself, so a message knows its whole path
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def from_data(
        cls, data: object, where: str = "", context: Mapping[str, Any] | None = None
    ) -> Self:
        """Check plain data (from TOML, JSON or a form) and build the model.

        Parameters
        ----------
        data : object
            A mapping of field names to values.
        where : str, optional
            File and id, put in front of the message when something is wrong.
        context : mapping, optional
            Sources by id, so that citations know the documents they name.

        Raises
        ------
        CombatkitError
            Naming the field, what was given and the nearest valid word.
        """
        try:
            return cls.model_validate(data, context=context)
        except (ValidationError, UnicodeError) as error:
            raise CombatkitError(explain(error, cls, where)) from None

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Self:
        """Build the model from JSON text, as :meth:`to_json` writes it."""
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise CombatkitError(explain(error, cls, where)) from None

    def to_json(self) -> str:
        """Write only what was given, so that defaults may change without breaking old links."""
        return self.model_dump_json(exclude_defaults=True)


def explain(error: ValidationError | UnicodeError, model: type[BaseModel], where: str = "") -> str:
    """Turn pydantic's first complaint into one sentence for a player."""
    place = where or model.__name__
    if isinstance(error, UnicodeError):
        return f"{place}: a text is broken ({error})"
    # an unknown word first: it often is the reason why another field is missing
    first = min(error.errors(include_url=False), key=lambda e: e["type"] != "extra_forbidden")
    rest = error.error_count() - 1
    tail = f" ({rest} more {'problem' if rest == 1 else 'problems'} after this one)" if rest else ""
    return f"{place}: {_sentence(first, model)}{tail}"


def _sentence(problem: ErrorDetails, model: type[BaseModel]) -> str:
    path = [str(part) for part in problem["loc"] if part not in BRANCHES]
    field = ".".join(path)
    kind, given, context = problem["type"], problem["input"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        return f"field '{field}' is not known{nearest(path[-1], _fields_at(model, path[:-1]))}"
    if kind == "missing":
        return f"field '{field}' is missing"
    if kind == "literal_error":
        words = [word.strip(" '") for word in context["expected"].replace(" or ", ", ").split(",")]
        return f"field '{field}': {given!r} is not valid{nearest(given, words)}"
    if kind == "json_invalid":
        return f"this is not JSON ({context['error']})"
    message = problem["msg"].removeprefix("Value error, ")
    if not path:
        return message
    return f"field '{field}': {message[0].lower()}{message[1:]} (got {_short(given)})"


def _fields_at(model: type[BaseModel], path: list[str]) -> list[str]:
    for part in path:
        field = model.model_fields.get(part)
        inner = _model_in(field.annotation) if field else None
        if inner is None:
            return list(model.model_fields) if not field else []
        model = inner
    return list(model.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        if (found := _model_in(part)) is not None:
            return found
    return None


def _short(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python will not write out a number of thousands of digits
        return "a number too long to write"
    return text if len(text) <= 60 else f"{text[:57]}…"
