"""The errors of the package and the reasons behind them.

Every error about content derives from :class:`PatchworkError` and from
:class:`ValueError`. Python's own protocol errors (``TypeError``, ``IndexError``,
``OSError`` ...) stay what they are. A call that raises has changed nothing.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "BytesError",
    "EditionError",
    "IllegalMoveError",
    "NotationError",
    "PatchworkError",
    "Reason",
    "RecordError",
    "SetupError",
    "StateError",
]


class Reason(StrEnum):
    """Why a move is refused, in the order in which reasons are listed.

    The kernel reports a bit set: bit *n* stands for the *n*-th member.
    """

    GAME_OVER = "game over"
    NOT_AN_ACTION = "not an action"
    SPECIAL_FIRST = "special first"
    NO_SPECIAL = "no special"
    NOT_IN_MARKET = "not in the market"
    NO_SUCH_ORIENTATION = "no such orientation"
    CANNOT_AFFORD = "cannot afford"
    OFF_THE_BOARD = "off the board"
    OVERLAP = "overlap"
    FITS_NOWHERE = "fits nowhere"


class PatchworkError(Exception):
    """The base of every error about the content that a caller handed in."""


class NotationError(PatchworkError, ValueError):
    """A text that does not follow its notation, or contradicts itself.

    :ivar text: the whole text that was read.
    :ivar position: where the fault begins, as an index into ``text``.
    :ivar fault: what is wrong there, in a few words.
    """

    def __init__(self, text: str, position: int, fault: str) -> None:
        super().__init__(text, position, fault)
        self.text = text
        self.position = position
        self.fault = fault

    def __str__(self) -> str:
        return f"{self.fault} at position {self.position} of {_shortened(self.text)!r}"


class StateError(PatchworkError, ValueError):
    """A position that no game can be played on from (R47).

    :ivar field: the part of the state that is at fault, for example ``"mover"``.
    :ivar fault: what is wrong with it, in a few words.
    """

    def __init__(self, field: str, fault: str) -> None:
        super().__init__(field, fault)
        self.field = field
        self.fault = fault

    def __str__(self) -> str:
        return f"{self.field}: {self.fault}"


class BytesError(PatchworkError, ValueError):
    """Bytes that are no state: wrong length, version, edition or content.

    :ivar offset: the first byte at fault.
    :ivar fault: what is wrong there, in a few words.
    """

    def __init__(self, offset: int, fault: str) -> None:
        super().__init__(offset, fault)
        self.offset = offset
        self.fault = fault

    def __str__(self) -> str:
        return f"{self.fault} at byte {self.offset}"


class EditionError(PatchworkError, ValueError):
    """An edition that is unknown, outside the limits of R44, or in conflict with another.

    :ivar where: the part at fault, for example ``"patches[3].rows"``.
    :ivar fault: what is wrong with it, in a few words.
    """

    def __init__(self, where: str, fault: str) -> None:
        super().__init__(where, fault)
        self.where = where
        self.fault = fault

    def __str__(self) -> str:
        return f"{self.where}: {self.fault}"


class SetupError(PatchworkError, ValueError):
    """A line, circle or start player that makes no setup of its edition.

    :ivar where: ``"line"``, ``"circle"``, ``"reserve"``, ``"start_player"`` or ``"seed"``.
    :ivar fault: what is wrong with it, in a few words.
    """

    def __init__(self, where: str, fault: str) -> None:
        super().__init__(where, fault)
        self.where = where
        self.fault = fault

    def __str__(self) -> str:
        return f"{self.where}: {self.fault}"


class RecordError(PatchworkError, ValueError):
    """A record of a game that cannot be read or does not follow the rules.

    :ivar where: the path of the part at fault, for example ``"moves[17]"``.
    :ivar fault: what is wrong with it, in a few words.
    :ivar game: the number of the record in its collection, counted from 0, or None.
    """

    def __init__(self, where: str, fault: str, game: int | None = None) -> None:
        super().__init__(where, fault, game)
        self.where = where
        self.fault = fault
        self.game = game

    def __str__(self) -> str:
        number = "" if self.game is None else f"game {self.game}: "
        return f"{number}{self.where}: {self.fault}"


class IllegalMoveError(PatchworkError, ValueError):
    """A move that the rules refuse in a state.

    :ivar move: the text of the move, or of the action id that stood for it.
    :ivar state: the text of the state in which it was tried.
    :ivar reasons: every reason that applies, the headline first.
    :ivar cells: the guilty cells by name: covered ones, and those off a small board.
    :ivar needed: the buttons that the patch costs, if they are missing, else None.
    :ivar held: the buttons that the player holds, if they do not suffice, else None.
    """

    def __init__(
        self,
        move: str,
        state: str,
        reasons: tuple[Reason, ...],
        cells: tuple[str, ...] = (),
        needed: int | None = None,
        held: int | None = None,
    ) -> None:
        super().__init__(move, state, reasons, cells, needed, held)
        self.move = move
        self.state = state
        self.reasons = reasons
        self.cells = cells
        self.needed = needed
        self.held = held

    def __str__(self) -> str:
        return f"{self.move} is refused: {self._explanation()}, in {self.state}"

    def _explanation(self) -> str:
        return ", ".join(self._explain(reason) for reason in self.reasons)

    def _explain(self, reason: Reason) -> str:
        if reason is Reason.CANNOT_AFFORD:
            return f"{reason.value} (it costs {self.needed}, {self.held} held)"
        if reason is Reason.OVERLAP:
            return f"{reason.value} ({' '.join(self.cells)})"
        return reason.value


def _shortened(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else text[:limit] + "..."
