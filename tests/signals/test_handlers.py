"""What signal handlers raise is told apart from errors of the code that they interrupt."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from supple.errors import ignoring, let_signals_through
from supple.lazy import once
from supple.tracer import cache


@pytest.fixture
def timeout() -> Iterator[Callable[[], None]]:
    """Raises a TimeoutError, which is an OSError, in a signal handler."""

    def handler(*given: object) -> None:
        raise TimeoutError("of the handler")

    before = signal.signal(signal.SIGINT, handler)
    yield lambda: signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def test_a_timeout_while_the_cache_is_read_is_no_missing_entry(
    timeout: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "read", lambda name: timeout())
    with pytest.raises(TimeoutError, match="of the handler"):
        cache.recall("name", lambda: pytest.fail("it was compiled"))


def test_an_error_of_the_code_itself_is_ignored_and_a_handlers_is_not(
    timeout: Callable[[], None],
) -> None:
    with ignoring(OSError):
        raise TimeoutError("of a file system")
    with pytest.raises(TimeoutError, match="of the handler"), ignoring(OSError):
        timeout()


def test_a_handler_that_takes_any_arguments_is_known_after_it_is_unset() -> None:
    """By the frame that it was given."""

    def handler(*given: object) -> None:
        signal.signal(signal.SIGINT, before)
        raise ValueError("of the handler")

    before = signal.signal(signal.SIGINT, handler)
    with pytest.raises(ValueError, match="of the handler"):
        try:
            signal.raise_signal(signal.SIGINT)
        except ValueError as error:
            let_signals_through(error)


def test_threads_that_miss_together_wait_for_one() -> None:
    made = []

    @once
    def value(key: int) -> object:
        made.append(key)
        time.sleep(0.05)
        return object()

    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(value(1))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]
    assert len(set(found)) == 1
    assert len(found) == 4
