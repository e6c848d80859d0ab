"""Learners of libraries that hornbook does not depend on, taught minimum lessons and judged exactly.

    python tools/optional_learners.py            # those whose libraries are installed; the others are named

- cvxpy: the hard-margin support vector machine, as a quadratic program.
- statsmodels: the conditional logit of econometrics, a state being a choice among its actions.
- imitation: behaviour cloning with a linear policy, by gradient descent.  It pins old versions of gymnasium and numpy,
  so it needs an environment of its own: `pip install imitation`, then this file with that Python.

`make learners-optional` makes an environment with the first two and runs this.  A learner passes when its weights agree
with every demonstration, in exact arithmetic; then it must act as the target in every state.  Exits with 1 if one does
not although it agrees,
or if a library is installed and its learner agrees nowhere.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[1]
if importlib.util.find_spec("hornbook") is None:
    sys.path.insert(0, str(ROOT / "src"))

import hornbook  # noqa: E402
from hornbook.classroom import Classroom  # noqa: E402  # fmt: skip
from hornbook.learners import Seen  # noqa: E402

Floats = npt.NDArray[np.float64]

PROBLEMS = ("two_rays", "six_rays", "diamond:4", "maze:3", "polygon_tower:7", "thresholds:3,index=20", "falling_blocks")


def hard_margin(seen: Seen) -> Floats:
    """cvxpy: the shortest weights with product at least 1 on every difference shown."""
    import cvxpy

    weights = cvxpy.Variable(seen.units.shape[1])
    cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(weights)), [seen.units @ weights >= 1]).solve()
    return np.asarray(weights.value, dtype=np.float64)


def conditional_logit(seen: Seen) -> Floats:
    """statsmodels: choices of the target among the actions of each state shown.

    Data that can be separated has no finite maximum; the search is stopped after a number of steps, and where the
    likelihood has grown that far the weights separate.
    """
    from statsmodels.discrete.conditional_models import ConditionalLogit

    problem = seen.classroom.problem
    chosen, features, groups = [], [], []
    for row in seen.rows:
        batch = problem.source.read(row, row + 1)
        for action in np.flatnonzero(batch.available[0]).tolist():
            chosen.append(int(action == batch.target[0]))
            features.append(np.asarray(batch.features[0, action], dtype=np.float64))
            groups.append(row)
    table = np.array(features)
    scale = np.abs(table).max(axis=0)
    scale[scale == 0] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = ConditionalLogit(np.array(chosen), table / scale, groups=np.array(groups))
        fitted = model.fit(method="bfgs", maxiter=500, disp=False, skip_hessian=True)
    return np.asarray(fitted.params / scale, dtype=np.float64)


def behaviour_cloning(seen: Seen) -> Floats:
    """imitation: a policy that scores each difference against its negative, linear and without a constant."""
    import gymnasium
    import torch
    from imitation.algorithms.bc import BC
    from imitation.data.types import Transitions
    from imitation.util.logger import configure
    from stable_baselines3.common.policies import ActorCriticPolicy

    torch.set_num_threads(1)
    units = seen.units.astype(np.float32)
    shown = np.vstack([units, -units])
    acts = np.repeat([1, 0], len(units))
    box = gymnasium.spaces.Box(-1.0, 1.0, (units.shape[1],), np.float32)
    policy = ActorCriticPolicy(box, gymnasium.spaces.Discrete(2), lambda _: 0.05, net_arch=[])
    torch.nn.init.zeros_(policy.action_net.weight)
    policy.action_net.bias.requires_grad_(False)
    policy.action_net.bias.zero_()
    infos, ends = np.array([{}] * len(acts)), np.zeros(len(acts), dtype=bool)
    told = Transitions(obs=shown, acts=acts, infos=infos, next_obs=shown, dones=ends)
    cloner = BC(
        observation_space=box,
        action_space=gymnasium.spaces.Discrete(2),
        rng=np.random.default_rng(0),
        policy=policy,
        demonstrations=told,
        batch_size=len(acts),
        ent_weight=0.0,
        optimizer_kwargs={"lr": 0.2},
        custom_logger=configure(format_strs=[]),
    )
    cloner.train(n_epochs=300, progress_bar=False, log_interval=10_000)
    rows = policy.action_net.weight.detach().numpy()
    return np.asarray(rows[1] - rows[0], dtype=np.float64)


LEARNERS: dict[str, tuple[str, Callable[[Seen], Floats], bool]] = {
    "cvxpy": ("hard margin", hard_margin, False),
    "statsmodels": ("conditional logit", conditional_logit, True),
    "imitation": ("behaviour cloning", behaviour_cloning, False),
}
"""By library: what it is, how it is asked, and whether its weights are on features (True) or on directions."""


def judged(text: str, library: str) -> tuple[bool, int]:
    """Whether the weights after the minimum lesson agree with it, exactly, and in how many states they err."""
    problem = hornbook.environment(text)
    room = Classroom.of(problem)
    rows = [d.row for d in hornbook.teach(problem).demonstrations]
    seen = Seen(room, rows, room.shows(rows))
    _, learn, on_features = LEARNERS[library]
    weights = learn(seen)
    judged_on = room.on_directions(weights.tolist()) if on_features else weights
    return room.agrees(judged_on, seen.shows), room.errors(judged_on)


def main() -> int:
    """Every learner on every problem."""
    failed = False
    for library, (name, _, _) in LEARNERS.items():
        if importlib.util.find_spec(library) is None:
            print(f"{library} is not installed: {name} is left out")
            continue
        agreed = 0
        for text in PROBLEMS:
            agrees, errors = judged(text, library)
            agreed += agrees
            failed |= agrees and errors > 0
            told = (
                f"agrees with the lesson and errs in {errors} states" if agrees else f"does not agree ({errors} errors)"
            )
            print(f"{library}, {name}, {text}: {told}")
        failed |= agreed == 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
