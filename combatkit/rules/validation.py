"""Frozen models whose complaints are written for a player."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from combatkit.errors import CombatkitError, nearest

BRANCHES = ("by id", "one's own", "[key]")  # pydantic's words in a path that are no fields
LONGEST_TEXT = 100_000
MOST_TOLD = 20  # problems of one entry

# pydantic's kinds of complaint in a player's words; {…} is filled in from its context
PLAIN = {
    "bool_type": "true or false is needed",
    "string_type": "a text is needed",
    "string_unicode": "the text is broken",
    "string_too_long": "at most {max_length} characters are allowed",
    "string_too_short": "some text is needed",
    "string_pattern_mismatch": "only small letters, digits, '_' and '.' are allowed",
    "tuple_type": "a list is needed",
    "frozen_set_type": "a list is needed",
    "set_item_not_hashable": "a list of words is needed",
    "dict_type": "words with their values are needed",
    "mapping_type": "words with their values are needed",
    "model_type": "its fields are needed, with their values",
    "model_attributes_type": "its fields are needed, with their values",
    "greater_than_equal": "at least {ge} is needed",
    "less_than_equal": "at most {le} is allowed",
    "too_short": "at least {min_length} are needed",
    "too_long": "at most {max_length} are allowed",
    "missing_argument": "a value is missing",
    "recursion_loop": "it holds itself",
}


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
            raise _told(error, type(self)) from None

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Take nothing for what it is not: no text, fraction or truth value for a whole number."""
        schema: CoreSchema = _strict(handler(source))
        return schema

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
            raise _told(error, cls, where) from None

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Self:
        """Build the model from JSON text, as :meth:`to_json` writes it."""
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise _told(error, cls, where) from None

    def to_json(self) -> str:
        """Write only what was given, so that defaults may change without breaking old links."""
        return self.model_dump_json(exclude_defaults=True)


def _strict(schema: Any) -> Any:
    """Make every whole number, text and truth value in a schema accept nothing else."""
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: _strict(part) for key, part in schema.items()}
    if schema.get("type") == "str":  # a limit makes sure that it is whole text, too
        return {"max_length": LONGEST_TEXT, **schema}
    if schema.get("type") == "bool":
        return {**schema, "strict": True}
    if schema.get("type") == "int" and not schema.get("strict"):
        return core_schema.no_info_before_validator_function(_whole, {**schema, "strict": True})
    return schema


def _whole(value: object) -> object:
    if type(value) is int:
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ValueError("a whole number is needed")
    return index(value)  # numpy's whole numbers, say


def _told(
    error: ValidationError | UnicodeError, model: type[BaseModel], where: str = ""
) -> CombatkitError:
    place = where or model.__name__
    problems = [sentence for _, sentence in explain(error, model)]
    return CombatkitError(
        f"{place}: {'; '.join(problems)}", [f"{place}: {problem}" for problem in problems]
    )


def explain(
    error: ValidationError | UnicodeError, model: type[BaseModel]
) -> list[tuple[tuple[str, ...], str]]:
    """Turn pydantic's complaints into sentences for a player, each with the path of its field."""
    if isinstance(error, UnicodeError):
        return [((), f"a text is broken ({error})")]
    # an unknown word first: it often is the reason why another field is missing
    found = sorted(error.errors(include_url=False), key=lambda e: e["type"] != "extra_forbidden")
    told = dict.fromkeys((_path(problem), _sentence(problem, model)) for problem in found)
    more = [((), f"and {len(told) - MOST_TOLD} more problems")] if len(told) > MOST_TOLD else []
    return [*list(told)[:MOST_TOLD], *more]


def _path(problem: ErrorDetails) -> tuple[str, ...]:
    return tuple(str(part) for part in problem["loc"] if part not in BRANCHES)


def _sentence(problem: ErrorDetails, model: type[BaseModel]) -> str:
    path = list(_path(problem))
    field = ".".join(path)
    kind, given, context = problem["type"], problem["input"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        return f"field '{field}' is not known{nearest(path[-1], _fields_at(model, path[:-1]))}"
    if kind == "missing":
        return f"field '{field}' is missing"
    if kind == "literal_error":
        words = [word.strip(" '") for word in context["expected"].replace(" or ", ", ").split(",")]
        return f"field '{field}': {_short(given)} is not valid{nearest(given, words)}"
    if kind == "json_invalid":
        return f"this is not JSON ({context['error']})"
    if kind == "value_error":
        message = problem["msg"].removeprefix("Value error, ")
    else:
        message = PLAIN.get(kind, "this does not fit").format(**context)
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
