"""A million files steered by what they reach: `python -m tests.fuzzing -runs=1000000 -timeout=2 -rss_limit_mb=512
CORPUS`.

Arguments are those of libFuzzer. The first byte of an input says what becomes of the rest: a file as it is, bent bytes,
or bent tables.
"""

import sys

import atheris

with atheris.instrument_imports(include=["tabletop.scenario"]):
    from tests.fuzzing.files import bent_bytes, bent_tables, read


def one(data: bytes) -> None:
    """Read what one input makes."""
    provider = atheris.FuzzedDataProvider(data[1:])

    def choose(count: int) -> int:
        return int(provider.ConsumeIntInRange(0, count - 1))

    kind = data[0] % 3 if data else 0
    read(data[1:] if kind == 0 else bent_bytes(choose) if kind == 1 else bent_tables(choose))


atheris.Setup(sys.argv, one)
atheris.Fuzz()
