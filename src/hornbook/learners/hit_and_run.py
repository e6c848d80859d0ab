"""A typical consistent learner: points drawn from the version space."""

from __future__ import annotations

from itertools import islice

import numpy as np

from hornbook.classroom import Weights
from hornbook.learners._declaration import Learner, Seen
from hornbook.version_space import hit_and_run as walk

__all__ = ["HIT_AND_RUN"]

_SAMPLES = 20


def hit_and_run(seen: Seen) -> list[Weights]:
    """Twenty points of a random walk inside the version space; errors are averaged over them.

    Cost: ten steps a sample, each a product with the extreme rays shown.
    """
    generator = np.random.Generator(np.random.PCG64(seen.seed))
    return list(islice(walk(seen.rays, generator), _SAMPLES))


HIT_AND_RUN = Learner("hit and run", hit_and_run)
