#!/usr/bin/env python3
"""Edge-edge and vertex-face queries side by side with the Python package ipctk, in one run.

Set up and run, from the root of the crate, with DIR a folder of FOLDER/{edge-edge,vertex-face}/*.csv as published with
"A Large-scale Benchmark and an Inclusion-based Algorithm for Continuous Collision Detection" (ACM TOG 2021):

    python3 -m venv target/ipctk && target/ipctk/bin/pip install ipctk==1.6.1 numpy && target/ipctk/bin/python benches/ipctk/compare.py DIR

The rivals are Tight-Inclusion by the plain functions ipctk.tight_inclusion.* (the class around it rescales the time of
impact) and additive CCD with a rescaling of 1 - TOLERANCE, as near to the time of impact as ours is asked to get. Ours
are the answers that the example wang2021 of this crate writes.

The table has, for each kind of query and method: false negatives and false positives against the exact truth; how much
later our time of impact is, over the queries that both call a collision (all are lower bounds, so later is better);
and microseconds of a query, the least of some runs. From ipctk's times a call's overhead is subtracted: what a query costs
whose two parts are far apart, the part of it that is not Python included.
"""

import argparse
import collections
import csv
import fractions
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import ipctk
import numpy as np

TOLERANCE = 1e-6
MAX_ITERATIONS = 1_000_000
KINDS = ("edge-edge", "vertex-face")
OURS = "patch-ccd"
CRATE = pathlib.Path(__file__).resolve().parents[2]

Answer = collections.namedtuple("Answer", "collides toi seconds")


def main():
    arguments = parse_arguments()
    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    queries = our_answers(arguments)
    methods = rivals()
    overheads = {
        (name, kind): overhead(methods[name][kind], kind) for name in methods for kind in KINDS
    }
    answers = {OURS: [query["ours"] for query in queries]}
    for name, functions in methods.items():
        answers[name] = []
        for index, query in enumerate(queries):
            progress(f"{name}: {index} of {len(queries)}")
            answer = solve(functions[query["kind"]], query["points"], arguments.repeat)
            seconds = max(answer.seconds - overheads[name, query["kind"]], 0.0)
            answers[name].append(answer._replace(seconds=seconds))
    progress("")
    print(f"ipctk {ipctk.__version__}; tolerance {TOLERANCE:g}, at most {MAX_ITERATIONS} iterations or boxes")
    for (name, kind), seconds in overheads.items():
        print(f"overhead subtracted, {name}, {kind}: {1e6 * seconds:.2f} µs")
    print_table(queries, answers)
    missed = sum(false_negatives(queries, answers[OURS], kind) for kind in KINDS)
    return 1 if missed else 0


def parse_arguments():
    parser = argparse.ArgumentParser(description="Compare this crate with ipctk")
    parser.add_argument("directory", type=pathlib.Path, help="folder of FOLDER/{edge-edge,vertex-face}/*.csv")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each query; the least time counts")
    return parser.parse_args()


def rivals():
    """Per method and kind a function of the eight points that returns whether they collide, and when."""
    tight = ipctk.tight_inclusion
    default_filter = np.full(3, -1.0)
    additive = ipctk.AdditiveCCD(MAX_ITERATIONS, 1.0 - TOLERANCE)

    def tight_inclusion(function):
        return lambda points: function(*points, 0.0, 1.0, TOLERANCE, MAX_ITERATIONS, default_filter)

    def additive_ccd(function):
        return lambda points: function(*points, 0.0, 1.0)

    return {
        "Tight-Inclusion": {
            "edge-edge": tight_inclusion(tight.edge_edge_ccd),
            "vertex-face": tight_inclusion(tight.point_triangle_ccd),
        },
        "additive CCD": {
            "edge-edge": additive_ccd(additive.edge_edge_ccd),
            "vertex-face": additive_ccd(additive.point_triangle_ccd),
        },
    }


def our_answers(arguments):
    """Runs the example, and reads the queries again for those that it answered."""
    with tempfile.TemporaryDirectory() as folder:
        answers = os.path.join(folder, "answers.csv")
        command = ["cargo", "run", "--release", "--quiet", "--example", "wang2021", "--"]
        command += [str(arguments.directory.resolve()), "--csv", answers]
        command += ["--delta", str(TOLERANCE), "--max-boxes", str(MAX_ITERATIONS)]
        command += ["--repeat", str(arguments.repeat)]
        status = subprocess.run(command, cwd=CRATE, stdout=subprocess.DEVNULL).returncode
        # The example ends with 1 when it missed a collision: the table shows that.
        if not os.path.exists(answers) or status not in (0, 1):
            sys.exit(f"the example wang2021 failed with {status}")
        with open(answers, newline="") as file:
            rows = list(csv.DictReader(file))
    if not rows:
        sys.exit("the example wang2021 answered nothing")
    files = {}
    queries = []
    for row in rows:
        if row["file"] not in files:
            files[row["file"]] = read_points(row["file"])
        collides = row["outcome"] != "clear"
        toi = float(row["toi"]) if collides else None
        queries.append(
            {
                "kind": row["kind"],
                "truth": {"1": True, "0": False, "": None}[row["truth"]],
                "points": files[row["file"]][int(row["query"])],
                "ours": Answer(collides, toi, float(row["seconds"])),
            }
        )
    if len(queries) != sum(len(points) for points in files.values()):
        sys.exit("the example wang2021 did not answer all queries")
    return queries


def read_points(path):
    """The eight points of every query of a file."""
    with open(path) as file:
        lines = [line.strip() for line in file]
    points = []
    for line in lines:
        if line and not line.startswith("#"):
            numbers = [int(field) for field in line.split(",")]
            pairs = zip(numbers[0:6:2], numbers[1:6:2])
            points.append(np.array([float(fractions.Fraction(*pair)) for pair in pairs]))
    return [points[i : i + 8] for i in range(0, len(points), 8)]


def solve(function, points, repeat):
    """The answer and the least time of some runs, fewer where they take long."""
    least = float("inf")
    spent = 0.0
    for _ in range(repeat):
        start = time.perf_counter()
        collides, toi = function(points)[:2]
        seconds = time.perf_counter() - start
        least = min(least, seconds)
        spent += seconds
        if spent > 1.0:
            break
    return Answer(collides, toi if collides else None, least)


def overhead(function, kind):
    """What a call costs by itself: a resting query whose two parts are far apart."""
    if kind == "edge-edge":
        start = [[0, 0, 0], [1, 0, 0], [0, 0, 9], [0, 1, 9]]
    else:
        start = [[0, 0, 9], [0, 0, 0], [1, 0, 0], [0, 1, 0]]
    points = [np.array(point, dtype=float) for point in start + start]
    return min(solve(function, points, 5).seconds for _ in range(2000))


def of_kind(queries, answers, kind):
    return [(query, answer) for query, answer in zip(queries, answers) if query["kind"] == kind]


def false_negatives(queries, answers, kind):
    pairs = of_kind(queries, answers, kind)
    return sum(query["truth"] is True and not answer.collides for query, answer in pairs)


def false_positives(queries, answers, kind):
    pairs = of_kind(queries, answers, kind)
    return sum(query["truth"] is False and answer.collides for query, answer in pairs)


def print_table(queries, answers):
    header = [
        "kind", "method", "queries", "collisions", "false -", "false +",
        "ours later, median", "least", "greatest", "later, same, earlier",
        "mean µs", "median", "99 %", "worst",
    ]
    rows = []
    for kind in KINDS:
        for name, of_method in answers.items():
            pairs = of_kind(queries, of_method, kind)
            if not pairs:
                continue
            micros = 1e6 * np.array([answer.seconds for _, answer in pairs])
            rows.append(
                [
                    kind,
                    name,
                    str(len(pairs)),
                    str(sum(query["truth"] is True for query, _ in pairs)),
                    str(false_negatives(queries, of_method, kind)),
                    str(false_positives(queries, of_method, kind)),
                    *how_much_later(pairs, name),
                    *(f"{figure:.2f}" for figure in statistics(micros)),
                ]
            )
    widths = [max(len(row[i]) for row in [header] + rows) for i in range(len(header))]
    for row in [header, ["-" * width for width in widths]] + rows:
        print("| " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths)) + " |")


def how_much_later(pairs, name):
    """Our time of impact minus the rival's, where both have one; the same means by no more than 1e-9."""
    if name == OURS:
        return [""] * 4
    later = np.array(
        [query["ours"].toi - answer.toi for query, answer in pairs if query["ours"].collides and answer.collides]
    )
    if not later.size:
        return [""] * 4
    counts = [(later > 1e-9).sum(), (abs(later) <= 1e-9).sum(), (later < -1e-9).sum()]
    figures = (np.median(later), later.min(), later.max())
    return [f"{figure:.1e}" for figure in figures] + [", ".join(map(str, counts))]


def statistics(values):
    """Mean, median, 99 % and worst, in the way of the example."""
    values = np.sort(values)
    rank = lambda share: values[max(int(np.ceil(share * len(values))), 1) - 1]
    return values.mean(), rank(0.5), rank(0.99), rank(1.0)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text:60}", end="\r" if not text else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
