"""Waiting for what happens, with a limit that only a fault reaches."""
import asyncio
import logging
import time

log = logging.getLogger("history")

# Longer than anything takes on a machine that other jobs share.
LIMIT = 60


class Failure(Exception):
    """A scene has not gone as it must."""


def check(condition, text):
    """Ends the scene if the condition does not hold."""
    if not condition:
        raise Failure(text)


def now():
    """Seconds on the clock of this program."""
    return time.monotonic()


class History:
    """What has happened to something, in order, with times."""

    def __init__(self, owner):
        self.owner = owner
        self.entries = []
        self._news = asyncio.Event()

    def add(self, what, detail=None):
        """Something happens now."""
        self.entries.append((now(), what, detail))
        log.info("%s: %s %s", self.owner, what, _text(detail))
        self._news.set()
        self._news = asyncio.Event()

    def mark(self):
        """A place between what has happened and what will."""
        return len(self.entries)

    def since(self, mark, what, detail=None):
        """The times at which it happened after a mark."""
        return [entry[0] for entry in self.entries[mark:]
                if entry[1] == what and detail in (None, entry[2])]

    async def until(self, what, detail=None, after=0, count=1, limit=LIMIT):
        """Waits until it has happened so often after a mark; when that was."""
        try:
            async with asyncio.timeout(limit):
                while len(times := self.since(after, what, detail)) < count:
                    await self._news.wait()
                return times[count - 1]
        except TimeoutError:
            raise Failure(f"{self.owner}: not “{what} {_text(detail)}” {count} times in {limit} s; "
                          f"last: {self._last()}") from None

    def _last(self):
        return ", ".join(f"{what} {_text(detail)}".strip() for _, what, detail in self.entries[-8:])


def _text(detail):
    if isinstance(detail, bytes):
        return detail.hex()
    if isinstance(detail, int) and detail > 255:
        return f"{detail:04x}"
    return "" if detail is None else str(detail)


async def until(condition, text, limit=LIMIT, every=0.2):
    """Asks again and again, until there is an answer that is not nothing; what it was."""
    started = now()
    while not (answer := await condition()):
        if now() - started > limit:
            raise Failure(f"not in {limit} s: {text}")
        await asyncio.sleep(every)
    return answer
