"""The command `page`: how it starts, what it says, how it ends."""

import signal
import socket
import sys

import httpx
import pytest

from tabletop.cli import main
from tests.page.conftest import served

pytestmark = pytest.mark.xdist_group("page")


def test_starts_tells_and_ends() -> None:
    """The address is the first line, the file lies on the table, and Ctrl-C is no error."""
    with served("t9a/align-corner") as (process, address):
        assert httpx.get(f"{address}api/start", timeout=60).json()["name"] == "t9a/align-corner"
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        assert (process.returncode, output, errors) == (0, "", "")


def test_others_need_the_token() -> None:
    """An address that others can reach has a token, and nobody is answered without it."""
    with served("--host", "0.0.0.0") as (_, address):  # noqa: S104
        page, _, token = address.replace("0.0.0.0", "127.0.0.1").partition("?token=")  # noqa: S104
        assert httpx.get(f"{page}api/openapi.json", timeout=60).status_code == 403
        assert (
            httpx.get(f"{page}api/openapi.json", headers={"X-Token": token}, timeout=60).status_code
            == 200
        )


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["--port", "70000"], 2, "--port 70000"),
        (["--host", "256.0.0.1"], 2, "--host 256.0.0.1"),
        (["no-such-file.toml"], 3, "no-such-file.toml"),
        (["tt1.cut"], 3, "the link"),
    ],
)
def test_what_cannot_start_says_why(
    capsys: pytest.CaptureFixture[str], argv: list[str], code: int, words: str
) -> None:
    """One sentence, and the exit code of the mistake."""
    assert main(["page", "--no-browser", *argv]) == code
    assert words in capsys.readouterr().err


def test_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    """Two cannot listen at one address."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["page", "--no-browser", "--port", str(port)]) == 2
    assert str(port) in capsys.readouterr().err


def test_without_the_extra(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has not installed the server is told how."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["page"]) == 2
    assert "pip install 'tabletop-charges[page]'" in capsys.readouterr().err
