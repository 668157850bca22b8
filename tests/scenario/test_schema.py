"""The schema describes every key that is read."""

import json
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from tabletop.errors import ScenarioError
from tabletop.scenario.reading import case_from_tables
from tabletop.scenario.schema import json_schema
from tabletop.scenario.vocabulary import Vocabulary
from tests.drill import SYSTEM, Drill
from tests.drill.files import march


class _Another(Drill):
    name: ClassVar[str] = "another"


def test_the_schema_tells_the_systems_apart() -> None:
    """One schema holds all systems' files as alternatives told apart by `system`."""
    schema = json_schema([SYSTEM, _Another()])
    mapping = schema["discriminator"]["mapping"]
    assert list(mapping) == ["drill", "another"]
    assert [entry["$ref"] for entry in schema["oneOf"]] == list(mapping.values())
    for name, reference in mapping.items():
        inner = schema["$defs"][reference.removeprefix("#/$defs/")]
        assert inner["properties"]["system"]["const"] == name
        assert inner["additionalProperties"] is False


def test_the_schema_holds_the_systems_words() -> None:
    """Profiles, choices, declarations, kinds of terrain and status words are the system's."""
    text = json.dumps(json_schema([SYSTEM]))
    assert all(
        f'"{word}"' in text
        for word in ("pace", "halt", "cry", "wall", "hedge", "tired", "keen", "2nd")
    )


def test_terrain_needs_no_name() -> None:
    """What is called by its kind and number may be left out."""
    (piece,) = [
        inner for name, inner in json_schema([SYSTEM])["$defs"].items() if name.endswith("Terrain")
    ]
    assert "name" in piece["properties"]
    assert piece["required"] == ["kind"]


def test_every_reference_leads_somewhere() -> None:
    """No alternative or definition points at something that is not there."""
    schema = json_schema([SYSTEM])
    text = json.dumps(schema)
    names = {part.split('"')[0] for part in text.split("#/$defs/")[1:]}
    assert names == set(schema["$defs"])


class _Wordless(Drill):
    name: ClassVar[str] = "wordless"
    vocabulary: ClassVar[Vocabulary] = replace(Drill.vocabulary, status=(), terrain_kinds=())


WALL: dict[str, Any] = {
    "name": "W",
    "kind": "wall",
    "circle": {"centre": [1.0, 1.0], "radius": 1.0},
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"units/A/status": ["tired"]}, r"units\.A\.status\[0\]: .*'tired'"),
        ({"terrain": [WALL]}, r"terrain\[0\]\.kind: .*'wall'"),
    ],
)
def test_a_game_without_words(
    changes: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A vocabulary may have no words of status and no kinds of terrain: its files have none either, and one that has is
    told so.
    """
    monkeypatch.setattr(
        "tabletop.registry.BUILT_IN", {"wordless": "tests.scenario.test_schema:WORDLESS"}
    )
    plain: dict[str, Any] = {"system": "wordless", "terrain": [], "units/B/status": []}
    assert case_from_tables(march(plain)).state.units["B"].status == ()
    with pytest.raises(ScenarioError, match=message):
        case_from_tables(march({**plain, **changes}))
    assert json_schema([WORDLESS])["$defs"]["WordlessUnit"]["properties"]["status"]["items"] == {
        "not": {}
    }


WORDLESS = _Wordless()
