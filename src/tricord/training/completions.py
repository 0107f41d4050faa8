"""Completions as reinforcement-learning trainers hand them over: texts, or lists of messages that end with the answer."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tricord.errors import InputFileError, ValidationError, quoted
from tricord.inputs.jsontext import parse_json

__all__ = ["answer_text", "json_object"]


def answer_text(completion: Any, row: int) -> str:
    """Take the text of a completion: itself, or the content of the last of its messages.

    Args:
        completion: A text or a list of messages.
        row: Its position, for the message.

    Raises:
        ValidationError: It is neither.

    Example:
        >>> answer_text([{"role": "assistant", "content": "EQUIVALENCE"}], 0)
        'EQUIVALENCE'
    """
    content = completion
    if isinstance(completion, (list, tuple)) and completion and isinstance(completion[-1], Mapping):
        content = completion[-1].get("content")
    if isinstance(content, (list, tuple)):  # parts, as multimodal chat templates have them
        texts = [part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") == "text"]
        content = "".join(text for text in texts if isinstance(text, str))
    if not isinstance(content, str):
        raise ValidationError(
            f"Expected completions[{row}] to be a text or a list of messages with contents, got {quoted(completion)}"
        )
    return content


def json_object(text: str) -> dict[str, Any] | None:
    """Parse a text that is one JSON object and nothing else; None for every other text.

    Example:
        >>> json_object('{"label": "EQUIVALENCE"}'), json_object("EQUIVALENCE")
        ({'label': 'EQUIVALENCE'}, None)
    """
    with suppress(InputFileError):
        parsed = parse_json(text, "the answer")
        if isinstance(parsed, dict):
            return parsed
    return None
