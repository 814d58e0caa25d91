"""Writes scipy.json beside this file: NURBS surfaces and points on them, as SciPy (1.17.1) evaluates them.

Control points are homogeneous, (wx, wy, wz, w), v fastest. Run: python3 tests/suite/geometry/nurbs/scipy_fixture.py
"""

import json
from pathlib import Path

import numpy as np
from scipy.interpolate import NdBSpline

rng = np.random.default_rng(2024)


def knots(degree, kind):
    """Clamped with repeated knots, or unclamped, over a range of its own."""
    pieces = rng.integers(1, 4)
    breaks = np.cumsum(np.round(rng.uniform(0.25, 1.5, pieces + 1), 3)) - 2
    inner = np.repeat(breaks[1:-1], rng.integers(1, degree + 1, pieces - 1))
    if kind == "clamped":
        ends = np.repeat(breaks[0], degree + 1), np.repeat(breaks[-1], degree + 1)
    else:
        steps = np.cumsum(np.round(rng.uniform(0.1, 0.5, (2, degree)), 3), axis=1)
        ends = np.append(breaks[0] - steps[0][::-1], breaks[0]), np.append(breaks[-1], breaks[-1] + steps[1])
    return np.round(np.concatenate([ends[0], inner, ends[1]]), 3)


surfaces = []
for case in range(12):
    degrees = [int(d) for d in rng.integers(1, 6, 2)]
    t = tuple(knots(degree, rng.choice(["clamped", "unclamped"])) for degree in degrees)
    counts = [len(k) - degree - 1 for k, degree in zip(t, degrees)]
    w = np.round(rng.uniform(0.25, 4, (*counts, 1)), 2)
    net = np.round(np.concatenate([np.round(rng.uniform(-1, 1, (*counts, 3)), 2) * w, w], axis=2), 4)
    spline = NdBSpline(t, net, tuple(degrees))
    ends = [(k[degree], k[-degree - 1]) for k, degree in zip(t, degrees)]
    at = np.stack([rng.uniform(*end, 8) for end in ends], axis=1)
    value = spline(at)
    surfaces.append(
        {
            "degrees": degrees,
            "knots": [list(k) for k in t],
            "points": net.reshape(-1, 4).tolist(),
            "parameters": at.tolist(),
            "values": (value[:, :3] / value[:, 3:]).tolist(),
        }
    )

lines = ",\n".join(json.dumps(surface) for surface in surfaces)
Path(__file__).with_name("scipy.json").write_text(f"[\n{lines}\n]\n")
