"""What each kind of question asks, from the bytes that came to the bytes that go back."""

import json
from collections.abc import Callable

from tabletop.page import answers, live
from tabletop.page.kinds import EXPLORE, WARM
from tabletop.page.reply import Reply, told

Tell = Callable[[bytes], None]
Job = Callable[[bytes, Tell], Reply]


def _plain(answer: Callable[[bytes], Reply]) -> Job:
    """Return the job of a question that is answered at once."""
    return lambda data, _: answer(data)


def _about(answer: Callable[..., answers.Tables]) -> Job:
    """Return the job of a question about a scenario."""
    return lambda data, _: Reply(live.written(answer(*answers.posted(data))).encode())


def _drawn(data: bytes) -> Reply:
    from tabletop.page.drawing import drawn  # what the first answer needs not is loaded when it is asked for

    return drawn(*answers.posted(data))


def _picture(data: bytes) -> Reply:
    from tabletop.page.drawing import small_picture

    return small_picture(data.decode())


def _words(_: bytes) -> Reply:
    from tabletop.page.drawing import words

    return told(words())


def _explored(data: bytes, tell: Tell) -> Reply:
    from tabletop.page.mapping import explored

    return explored(*answers.posted(data), tell)


JOBS: dict[str, Job] = {
    **{kind: _about(answer) for kind, answer in answers.QUESTIONS.items()},
    "draw": _plain(_drawn),
    "picture": _plain(_picture),
    "words": _plain(_words),
    "health": _plain(lambda _: told(answers.health())),
    "schema": _plain(lambda data: told(answers.schema(data.decode() or None))),
    "theme": _plain(lambda _: told(answers.theme())),
    "scenarios": _plain(lambda _: told(answers.scenarios())),
    "scenario": _plain(lambda data: told(answers.scenario(data.decode()))),
    "start": _plain(lambda data: told(json.loads(data))),
    "readings": _plain(lambda data: told(answers.readings(data.decode()))),
    "read": _plain(lambda data: told(answers.read(data))),
    EXPLORE: _explored,
    WARM: _plain(lambda data: told(answers.warmed(data.decode()))),
}
