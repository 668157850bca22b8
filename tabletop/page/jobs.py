"""What each kind of question asks, from the bytes that came to the bytes that go back."""

import json
from collections.abc import Callable

from tabletop.page import answers, drawing, mapping
from tabletop.page.kinds import EXPLORE
from tabletop.page.reply import Reply, told

Tell = Callable[[bytes], None]
Job = Callable[[bytes, Tell], Reply]


def _plain(answer: Callable[[bytes], Reply]) -> Job:
    """Return the job of a question that is answered at once."""
    return lambda data, _: answer(data)


def _about(answer: Callable[..., answers.Tables]) -> Job:
    """Return the job of a question about a scenario."""
    return lambda data, _: told(answer(*answers.posted(data)))


JOBS: dict[str, Job] = {
    **{kind: _about(answer) for kind, answer in answers.QUESTIONS.items()},
    "draw": _plain(lambda data: drawing.drawn(*answers.posted(data))),
    "picture": _plain(lambda data: drawing.small_picture(data.decode())),
    "words": _plain(lambda _: told(drawing.words())),
    "health": _plain(lambda _: told(answers.health())),
    "schema": _plain(lambda data: told(answers.schema(data.decode() or None))),
    "theme": _plain(lambda _: told(answers.theme())),
    "scenarios": _plain(lambda _: told(answers.scenarios())),
    "scenario": _plain(lambda data: told(answers.scenario(data.decode()))),
    "start": _plain(lambda data: told(json.loads(data))),
    "readings": _plain(lambda data: told(answers.readings(data.decode()))),
    "read": _plain(lambda data: told(answers.read(data))),
    EXPLORE: lambda data, tell: mapping.explored(*answers.posted(data), tell),
}
