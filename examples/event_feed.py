"""A spectator's feed: what happens in a game, in words, as it happens."""

from __future__ import annotations

from collections.abc import Iterator

from patchwork import Event, EventKind, Game, Random, Setup

SENTENCES = {
    EventKind.BOUGHT: "{name} buys patch {patch}",
    EventKind.RESERVE_JOINED: "the patches {patches} join the line",
    EventKind.PLACED: "it covers {where}",
    EventKind.SPECIAL_PLACED: "{name} sews a special patch on {where}",
    EventKind.TILE_WON: "{name} wins the special tile, worth {points} points",
    EventKind.MOVED: "{name} moves from {origin} to {space}",
    EventKind.PAID_FOR_SPACES: "{name} is paid {amount} for the way",
    EventKind.INCOME: "{name} earns {amount} at space {space}",
    EventKind.SPECIAL_WON: "{name} gets the special patch of space {space}",
    EventKind.SPECIAL_LOST: "{name} has no free cell: {count} special patches leave the game",
    EventKind.FINISHED_FIRST: "{name} is the first at the end of the track",
    EventKind.NEXT_PLAYER: "{name} is to move",
    EventKind.GAME_OVER: "the game is over",
}


def sentence(event: Event, names: tuple[str, str]) -> str:
    """Return one event in words."""
    where = " ".join(event.cells or ())
    return SENTENCES[event.kind].format(name=names[event.player], where=where, **event.to_dict())


def feed(game: Game, names: tuple[str, str]) -> Iterator[str]:
    """Yield a line for each ply of a game, and one for the result."""
    for ply in game.plies:
        told = "; ".join(sentence(event, names) for event in ply.events)
        yield f"{ply.number + 1}. {told}"
    if game.winner is not None:
        points = " to ".join(map(str, game.scores))
        yield f"{names[game.winner]} wins, {points}"


def main() -> None:
    game, rng = Game(Setup.random(7)), Random(7)
    while not game.is_over:
        game.play(game.state.legal_moves.sample(rng))
    for line in feed(game, ("Ann", "Bob")):
        print(line)


if __name__ == "__main__":
    main()
