"""A chat bot that plays: it gets the saved game and a message, and answers with both.

The bot keeps nothing between messages; the game is one line of text.
"""

from __future__ import annotations

from patchwork import Game, IllegalMoveError, Move, NotationError, Setup, State
from patchwork.render import text

HUMAN, BOT = 0, 1
HELP = "Say a move such as L0@h1 (patch, orientation, cell of its top left corner), pass or undo."


def turn(saved: str, message: str) -> tuple[str, str]:
    """Return the game after a message, as text, and the bot's answer."""
    game = Game.parse(saved) if saved else Game(Setup.random())
    word = message.strip().lower()
    if word == "undo":
        _take_back(game)
        return str(game), _drawn(game)
    if word in ("", "help") or game.is_over:
        return str(game), HELP if not game.is_over else _drawn(game)
    answer = _answer(game, message)
    return str(game), answer


def _answer(game: Game, message: str) -> str:
    try:
        game.play(game.state.read_move(message))
    except NotationError as error:
        return f"I don't understand: {error.fault}. {HELP}"
    except IllegalMoveError as error:
        return f"That is not possible: {', '.join(error.reasons)}."
    played = []
    while game.state.to_move == BOT:
        move = choose(game.state)
        game.play(move)
        played.append(str(move))
    moves = f"I play {', '.join(played)}.\n" if played else ""
    return moves + _drawn(game)


def choose(state: State) -> Move:
    """Return the move after which the bot would have the most points, income to come included."""

    def worth(move: Move) -> int:
        after = state.after(move)
        return after.scores[BOT] + after.income_left(BOT)

    return max(state.legal_moves, key=worth)


def _take_back(game: Game) -> None:
    """Undo until it is the human's turn again, his last move undone."""
    own = [ply.number for ply in game.plies if ply.player == HUMAN]
    while len(game) > (own[-1] if own else 0):
        game.undo()


def _drawn(game: Game) -> str:
    return f"```\n{text(game, ascii=True)}\n```"


if __name__ == "__main__":
    print(turn(str(Setup.random(7).start()), "l0h1")[1])
