"""Learn a small game from nothing but its rules, as AlphaZero does, and play alfil's opponent.

    pip install 'alfil[numpy]' torch
    python examples/learning/alphazero.py --minutes 10 --log breakthrough.tsv

Many games are played at once. For every move of each, a search asks the network which moves look
good and who will win; the network learns to foretell what the search and the end of the game say.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss

import alfil
from alfil.learning import VectorEnv

GAME = Path(__file__).with_name("breakthrough.pieces")
# Games at once, positions of the search for each move, moves of each game between trainings.
GAMES, SEARCHED, MOVES = 128, 48, 16
CHANNELS, LAYERS, BATCH, REMEMBERED = 32, 4, 256, 60_000
# How much the search trusts the network; the first moves of a game are chosen by chance, in
# proportion to their visits, and at the root some chance is mixed into the priors.
EXPLORATION, BY_CHANCE, NOISE, NOISE_SHARE = 1.5, 8, 0.4, 0.25
# The opponent looks two moves ahead. A match begins with so many moves by chance.
DEPTH, OPENING, LONGEST = 2, 2, 200


class Network(nn.Module):
    """For each position, the logits of all moves, and what the side to move will get: -1 to 1."""

    def __init__(self, env: VectorEnv) -> None:
        super().__init__()
        planes, ranks, files = env.shape
        widths = [planes] + [CHANNELS] * LAYERS
        layers: list[nn.Module] = []
        for width, wider in pairwise(widths):
            layers += [nn.Conv2d(width, wider, 3, padding=1), nn.BatchNorm2d(wider), nn.ReLU()]
        self.body = nn.Sequential(*layers, nn.Flatten())
        cells = CHANNELS * ranks * files
        self.policy = nn.Linear(cells, env.actions)
        self.value = nn.Sequential(nn.Linear(cells, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits and the values of some positions."""
        cells = self.body(planes)
        return self.policy(cells), self.value(cells)[:, 0]

    @torch.inference_mode()
    def judge(self, env: VectorEnv) -> tuple[np.ndarray, np.ndarray]:
        """The probabilities of the legal moves of all games, and the values of the positions."""
        self.eval()
        mask = torch.from_numpy(env.mask())
        logits, values = self(torch.from_numpy(env.observe()))
        return (logits.masked_fill(~mask, -1e9).softmax(1) * mask).numpy(), values.numpy()


def search(env: VectorEnv, network: Network, noise: np.random.Generator | None) -> np.ndarray:
    """How often each move was tried from the positions of all games: an array of games × actions.

    A tree grows for each game, by one position a round: the search goes down by the moves that
    are good so far or little tried, asks the network about the position it meets first, and tells
    all positions on the way. The games are left as they were; those that have ended get no visits.
    """
    games = np.arange(env.n)
    room = (env.n, SEARCHED + 1, env.actions)
    prior, visits, worth = (np.zeros(room, np.float32) for _ in range(3))
    child = np.zeros(room, np.int32)
    ending = np.full(room[:2], np.nan, np.float32)  # what the side to move got, where a game ended
    prior[:, 0], _ = network.judge(env)
    if noise is not None:
        chances = noise.gamma(NOISE, size=room[::2]) * (prior[:, 0] > 0)
        chances /= chances.sum(1, keepdims=True)
        prior[:, 0] = (1 - NOISE_SHARE) * prior[:, 0] + NOISE_SHARE * chances
    for new in range(1, SEARCHED + 1):
        node, going, path = np.zeros(env.n, int), prior[:, 0].any(1), []
        while going.any():
            tried = visits[games, node]
            score = worth[games, node] / np.maximum(tried, 1)
            score += (
                EXPLORATION
                * prior[games, node]
                * np.sqrt(1 + tried.sum(1, keepdims=True))
                / (1 + tried)
            )
            score[prior[games, node] == 0] = -np.inf
            action = score.argmax(1)
            step = env.step(np.where(going, action, -1))
            path.append((going, node, action))
            after = child[games, node, action]
            fresh = going & (after == 0)
            child[games[fresh], node[fresh], action[fresh]] = new
            over = fresh & (step.terminated | step.truncated)
            ending[over, new] = -step.rewards[over]
            node = np.where(fresh, new, np.where(going, after, node))
            going = going & ~fresh & np.isnan(ending[games, node])
        priors, values = network.judge(env)
        inner = np.isnan(ending[games, node])
        fresh = inner & (node == new)
        prior[fresh, new] = priors[fresh]
        value = np.where(inner, values, ending[games, node])
        for going, node, action in reversed(path):
            value = np.where(going, -value, value)
            visits[games[going], node[going], action[going]] += 1
            worth[games[going], node[going], action[going]] += value[going]
        env.take_back(sum(going.astype(np.int32) for going, _, _ in path))
    return visits[:, 0]


class Positions(NamedTuple):
    """Positions with what the search said of their moves, and what their side to move got."""

    planes: np.ndarray
    policy: np.ndarray
    result: np.ndarray


class SelfPlay:
    """Games that the network plays against itself, some moves at a time."""

    def __init__(self, game: alfil.Library, seed: int) -> None:
        self.env = VectorEnv(game, GAMES, longest=LONGEST, auto_reset=False, seed=seed)
        self.finished = 0
        self._chance = np.random.default_rng(seed)
        self._plies = np.zeros(GAMES, int)
        self._begun: list[list[tuple[np.ndarray, np.ndarray, int]]] = [[] for _ in range(GAMES)]

    def play(self, network: Network) -> Positions:
        """Make some moves in all games; the positions of those that ended."""
        ended: list[tuple[np.ndarray, np.ndarray, float]] = []
        for _ in range(MOVES):
            planes, sides = self.env.observe(), self.env.sides.copy()
            visits = search(self.env, network, self._chance)
            policy = visits / visits.sum(1, keepdims=True)
            by_chance = (self._chance.exponential(size=visits.shape) / (visits + 1e-9)).argmin(1)
            best = visits.argmax(1)
            step = self.env.step(np.where(self._plies < BY_CHANCE, by_chance, best))
            over = step.terminated | step.truncated
            for g in range(GAMES):
                self._begun[g].append((planes[g], policy[g], int(sides[g])))
                if over[g]:
                    won = step.rewards[g]
                    ended += [(p, q, won if s == sides[g] else -won) for p, q, s in self._begun[g]]
                    self._begun[g] = []
            self._plies = np.where(over, 0, self._plies + 1)
            self.finished += int(over.sum())
            self.env.reset(over)
        planes, policies, results = zip(*ended, strict=True) if ended else ((), (), ())
        room = (0, *self.env.shape)
        return Positions(
            np.array(planes, np.float32).reshape(-1, *room[1:]),
            np.array(policies, np.float32).reshape(-1, self.env.actions),
            np.array(results, np.float32),
        )


class Memory:
    """The newest positions of self-play, and the training of the network on them."""

    def __init__(self, network: Network, seed: int) -> None:
        self._network = network
        self._optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-4)
        self._kept: Positions | None = None
        self._chance = np.random.default_rng(seed)

    def add(self, new: Positions) -> None:
        """Remember positions, and forget the oldest ones."""
        pairs = zip(self._kept or new, new, strict=True)
        joined = (np.concatenate(pair)[-REMEMBERED:] if self._kept else pair[1] for pair in pairs)
        self._kept = Positions(*joined)

    def train(self, batches: int) -> float:
        """Learn from that many batches; the mean loss."""
        if self._kept is None or not len(self._kept.result):
            return 0.0
        self._network.train()
        total = 0.0
        for _ in range(batches):
            chosen = self._chance.integers(len(self._kept.result), size=BATCH)
            planes, policy, result = (torch.from_numpy(each[chosen]) for each in self._kept)
            logits, value = self._network(planes)
            loss = cross_entropy(logits, policy) + mse_loss(value, result)
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            total += loss.item()
        return total / batches


def match(game: alfil.Library, network: Network, games: int, seed: int) -> float:
    """The share of the points that the network gets against alfil's opponent.

    It moves first in half of the games; each opening is played twice, once by either side.
    """
    points = 0.0
    for side in (0, 1):
        env = VectorEnv(game, games // 2, longest=LONGEST, auto_reset=False, seed=seed)
        for _ in range(OPENING):
            env.step(env.sample())
        rivals = [alfil.Opponent(game.variant, depth=DEPTH, seed=seed + g) for g in range(env.n)]
        over = np.zeros(env.n, bool)
        while not over.all():
            mover = int(env.sides[~over][0])
            actions = np.full(env.n, -1)
            if mover == side:
                best = search(env, network, None).argmax(1)
                actions[~over] = best[~over]
            else:
                for g in np.flatnonzero(~over):
                    position = env.game(g)
                    actions[g] = position.action(rivals[g].choose(position))
            step = env.step(actions)
            ended = ~over & (step.terminated | step.truncated)
            points += float(((1 + step.rewards[ended] * (1 if mover == side else -1)) / 2).sum())
            over |= ended
    return points / (2 * (games // 2))


def learn(options: argparse.Namespace) -> Network:
    """Play and train by turns for some minutes of the processor, and write down how it goes."""
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    game = alfil.load(options.game)
    played = SelfPlay(game, options.seed)
    network = Network(played.env)
    memory = Memory(network, options.seed)
    begun, in_matches, measured = process_time(), 0.0, 0
    with Path(options.log).open("w", encoding="utf-8") as log:
        print("minutes", "games", "loss", "points", sep="\t", file=log)
        loss = 0.0
        while True:
            minutes = (process_time() - begun - in_matches) / 60
            if minutes >= measured * options.every or minutes >= options.minutes:
                at = process_time()
                points = match(game, network, options.games, seed=measured)
                in_matches += process_time() - at
                measured += 1
                line = (f"{minutes:.2f}", played.finished, f"{loss:.3f}", f"{100 * points:.1f}")
                print(*line, sep="\t", file=log, flush=True)
                print(
                    f"{line[0]} minutes, {line[1]} games, loss {line[2]}: {line[3]} % of the points"
                )
            if minutes >= options.minutes:
                return network
            memory.add(played.play(network))
            loss = memory.train(options.batches)


def main() -> None:
    """Learn, and play the last match."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default=str(GAME), help="a piece file, or a bundled set")
    parser.add_argument("--minutes", type=float, default=10.0, help="of the processor, to learn")
    parser.add_argument("--every", type=float, default=1.0, help="minutes between matches")
    parser.add_argument("--games", type=int, default=40, help="of a match on the way")
    parser.add_argument("--last", type=int, default=200, help="games of the last match")
    parser.add_argument("--batches", type=int, default=32, help="of training after each play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", default="alphazero.tsv", help="where the curve is written")
    options = parser.parse_args()
    network = learn(options)
    points = match(alfil.load(options.game), network, options.last, seed=1_000_000)
    print(f"the last match: {100 * points:.1f} % of {options.last} games against depth {DEPTH}")


if __name__ == "__main__":
    main()
