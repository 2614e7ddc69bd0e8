"""Two people at one terminal: draw, ask, play, until the game is over."""

from __future__ import annotations

from collections.abc import Callable

from patchwork import Game, IllegalMoveError, NotationError, Setup
from patchwork.render import text

HELP = "a move such as L0@h1, pass, ? for the patches on offer, undo, redo, resign"


def play(game: Game, ask: Callable[[str], str], tell: Callable[[str], None]) -> None:
    """Run a game to its end."""
    while not game.is_over:
        tell(text(game))
        try:
            obey(game, ask(f"player {game.state.to_move}> ").strip(), tell)
        except NotationError as error:
            tell(f"{error.fault}; say {HELP}")
        except IllegalMoveError as error:
            tell(f"refused: {', '.join(error.reasons)}")
        except IndexError as error:
            tell(str(error))
    tell(text(game))


def obey(game: Game, word: str, tell: Callable[[str], None]) -> None:
    """Do what one line of input says."""
    if word == "undo":
        game.undo()
    elif word == "redo":
        game.redo()
    elif word == "resign":
        game.resign(game.state.to_move or 0)
    elif word == "?":
        tell(offers(game))
    else:
        game.play(game.state.read_move(word))


def offers(game: Game) -> str:
    """Return a line for each patch on offer: how many ways to place it, or why it can't be had."""
    return "\n".join(
        f"{offer.patch}: {', '.join(offer.reasons) or f'{len(offer.placements)} placements'}"
        for offer in game.state.offers
    )


if __name__ == "__main__":
    play(Game(Setup.random()), input, print)
