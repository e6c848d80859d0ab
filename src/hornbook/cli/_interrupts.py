"""What Ctrl-C does, from the first line of the program to the last: exit code 130 and one answer, soon.

- At first it answers at once and leaves: there is nothing to lose yet.
- Inside `raising` it is a KeyboardInterrupt: there may be a set to give, or a file to clean up.
- After `settle` it is only noted: the answer is being printed.

An interrupt can get lost (raised where Python ignores exceptions) or wait for a long compiled loop; so a
second thread hears of it too, and leaves when nothing has been answered for `_GRACE` seconds.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["INTERRUPTED", "NOTHING_YET", "Interrupts"]

INTERRUPTED = 130
NOTHING_YET = "interrupted before there was an answer"

_GRACE = 1.5  # seconds; the promise is two
_JSON = b'{"ok": false, "error": "interrupted", "message": "%s"}\n' % NOTHING_YET.encode()
_TEXT = b"interrupted: %s\n" % NOTHING_YET.encode()


class Interrupts:
    """The state of one run.  Nothing reacts to signals until `install`."""

    def __init__(self, *, json: bool = False) -> None:
        self.json = json
        self.noticed = False
        self._raising = False
        self._answering = _thread.allocate_lock()  # whoever takes it gives the answer
        self._settled = False

    def install(self) -> None:
        """From now on Ctrl-C comes here.  To be called once, by the main thread."""
        signal.signal(signal.SIGINT, self._handle)
        sys.unraisablehook = self._ignored
        heard, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        _thread.start_new_thread(self._watch, (heard,))

    @contextmanager
    def raising(self) -> Iterator[None]:
        """Inside, the first interrupt is a KeyboardInterrupt and further ones are nothing."""
        self._raising = True
        try:
            yield
        finally:
            self._raising = False

    def settle(self) -> None:
        """The answer is complete: from now on interrupts are only noted.  May be called again."""
        if not self._settled:
            self._answering.acquire()  # if the watching thread has it, this waits for the end of the process
            self._settled = True

    def leave(self) -> None:
        """Answer that there is no answer, and end the process; nothing if an answer is on its way."""
        if self._answering.acquire(blocking=False):
            with suppress(OSError):
                os.write(2, _TEXT)
            with suppress(OSError):
                os.write(1, _JSON if self.json else b"")
            os._exit(INTERRUPTED)

    def _handle(self, signum: int, frame: object) -> None:
        if self.noticed:
            return
        self.noticed = True
        if self._settled:
            return
        if self._raising:
            raise KeyboardInterrupt
        self.leave()

    def _watch(self, heard: int) -> None:
        os.read(heard, 1)
        time.sleep(_GRACE)
        self.leave()

    def _ignored(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Say nothing of an exception that may be a lost interrupt: the other thread sees to it."""
        if not self.noticed:
            sys.__unraisablehook__(unraisable)
