"""Random integer cones, moved and rounded: the truth is what an exact oracle says of the integers."""

from __future__ import annotations

from random import Random

import numpy as np

from tests.families import cones
from tests.float_families.cases import Deal, FloatCase, make, spot
from tests.float_families.planted import Cone, moved
from tests.oracles import NOTREAL, primitive, slow_rays


def random_cones(rng: Random) -> FloatCase:
    """A pointed cone of small integers with a vector on a facet, under a matrix, with factors .1, 3 and 7."""
    d = rng.choice((3, 3, 4))
    exact = sorted({primitive(x) for x in cones.faced(rng, d, count=rng.randint(4, 9), high=5)})
    rays = slow_rays(exact)
    if rays == NOTREAL:
        raise ValueError("these cones are pointed by construction")
    number = {ray: i for i, ray in enumerate(rays)}
    points = np.array(exact, dtype=float)
    turned = moved(rng, Cone(points, np.zeros((0, d)), np.zeros(d))).rays
    spots = [spot(y, number.get(x)) for x, y in zip(exact, turned, strict=True)]
    for factor in (0.1, 3.0, 7.0, 1 / 3):
        i = rng.randrange(len(exact))
        spots.append(spot(factor * turned[i], number.get(exact[i])))
    return make(rng, spots, argument="random integers, moved", deal=Deal(offset=rng.choice((0.0, 0.0, 1.0))))
