"""What came of the faults: shares by group, and the survivors that nobody has looked at."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

SURVIVORS = Path(__file__).with_name("survivors.toml")
Row = Mapping[str, Any]


def looked_at(file: Path = SURVIVORS) -> dict[tuple[str, str, str], str]:
    """Read the survivors that were looked at: by file, line and changed line the kind, `equivalent` or `open`."""
    entries = tomllib.loads(file.read_text("utf-8"))["survivor"]
    return {(entry["file"], entry["line"], entry["change"]): entry["kind"] for entry in entries}


def told(rows: Sequence[Row], known: Mapping[tuple[str, str, str], str] | None = None) -> str:
    """Write the table of what became of the faults, group by group, and list the new survivors."""
    known = looked_at() if known is None else known
    groups = {
        group: [row for row in rows if row["group"] == group]
        for group in dict.fromkeys(row["group"] for row in rows)
    }
    lines = [_told(group, found, known) for group, found in {**groups, "all": rows}.items()]
    return "\n".join([*lines, *news(rows, known)])


def _told(name: str, rows: Sequence[Row], known: Mapping[tuple[str, str, str], str]) -> str:
    """Write one line of the table; the second share leaves out the survivors that change nothing."""
    count = Counter(row["verdict"] for row in rows)
    alike = sum(
        row["verdict"] == "survived" and known.get(_key(row)) == "equivalent" for row in rows
    )
    told_of = count["killed"] + count["survived"]
    shares = [f"{count['killed'] / max(whole, 1):.1%}" for whole in (told_of, told_of - alike)]
    late = f"{count['late']} out of time, {count['doubtful']} doubtful"
    parts = (
        f"{len(rows)} faults: {count['killed']} killed, {count['survived']} survived ({alike} of them change "
        f"nothing), {late}"
    )
    seconds = sum(row["seconds"] for row in rows)
    return f"{name:9} {parts}; killed {shares[0]}, of those that change something {shares[1]}; {seconds:.0f} s of CPU"


def news(rows: Sequence[Row], known: Mapping[tuple[str, str, str], str]) -> Iterator[str]:
    """Yield the survivors that nobody has reviewed, with place and change."""
    for row in rows:
        if row["verdict"] == "survived" and _key(row) not in known:
            yield (
                f"new: {row['file']}:{row['line']} ({row['asked']} tests asked)\n    "
                f"{row['before']}\n    {row['after']}"
            )


def _key(row: Row) -> tuple[str, str, str]:
    return row["file"], row["before"], row["after"]
