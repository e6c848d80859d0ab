"""Cross-sections for peers that want points: the plane `<weights, x> = 1` cuts the cone, rays become vertices."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["centred", "points"]


def points(path: str) -> npt.NDArray[np.float64]:
    """The vectors on the plane, in one dimension less."""
    with np.load(path) as data:
        vectors, weights = data["vectors"].astype(float), data["weights"].astype(float)
    section = vectors / (vectors @ weights)[:, None]
    return np.delete(section, int(np.argmax(np.abs(weights))), axis=1)


def centred(path: str) -> npt.NDArray[np.float64]:
    """The same around their mean with unit spread, so that no peer suffers from scales."""
    section = points(path)
    section -= section.mean(axis=0)
    values, axes = np.linalg.eigh(section.T @ section / len(section))
    return np.asarray(section @ (axes / np.sqrt(values)))
