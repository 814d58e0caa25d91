#!/usr/bin/env python3
"""One step of a cloth that folds onto itself and onto a sphere, side by side with the Python package ipctk.

Set up and run, from the root of the crate:

    python3 -m venv target/ipctk && target/ipctk/bin/pip install ipctk==1.6.1 numpy scipy && target/ipctk/bin/python benches/ipctk/cloth_step.py

The bench cloth_step of this crate writes the mesh, its answers and its times; ipctk gets the same mesh. Its broad phase
is Candidates.build, its narrow phase Candidates.compute_collision_free_stepsize, and the total one call of
ipctk.compute_collision_free_stepsize; all times are medians, and those of its CollisionMesh are left out. Ours has no such
phases: "broad" is the list of all candidates, which the total does without. Each row of ipctk runs in a process of its own,
which is ended after --cap seconds.

"before rescaling" is the lower bound on the first time of impact: ours as it is, theirs with a rescaling of 1 (additive CCD:
1 - TOLERANCE). "step" is what is returned with our rescaling. Ours is the one times the other; ipctk's is the least time
at which a pair's distance has shrunk to 1 - rescaling of what it was, for Tight-Inclusion to that or 1e-4, whichever is less.

Below the table every lower bound is checked by means of ipctk: at that time the mesh must not intersect itself, and its least
distance must be the minimum separation and little more. Lower bounds differ where tolerances do: ours is in time, as a
fraction of the step, and Tight-Inclusion's is a length; and with a minimum separation because Tight-Inclusion measures
it along each coordinate axis, so that it stops at up to sqrt(3) times the separation. Ends with 1 if a check of ours or of
Tight-Inclusion's fails.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import ipctk
import numpy as np

TOLERANCE = 1e-6
MAX_ITERATIONS = 1_000_000
THREADS = (1, 2)
OURS = "patch-ccd"
TIGHT = "Tight-Inclusion"
ADDITIVE = "additive CCD"
# None is the default; brute force is left out.
BROAD_PHASES = (None, "HashGrid", "SweepAndPrune", "SpatialHash")
CRATE = pathlib.Path(__file__).resolve().parents[2]


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        blocks = our_answers(folder, arguments.repeat)
        rows = [row for block in blocks for row in our_rows(block)]
        for block in blocks:
            rows += their_rows(folder, block, arguments)
        progress("")
        rows.sort(key=lambda row: row["separation"])
        print(f"ipctk {ipctk.__version__}; tolerance {TOLERANCE:g}, at most {MAX_ITERATIONS} iterations or boxes")
        print_table(rows)
        mesh, start, end = read_scene(folder)
        print()
        good = [check(block, rows, mesh, start, end) for block in blocks]
    return 0 if all(good) else 1


def parse_arguments():
    parser = argparse.ArgumentParser(description="Compare one step of a cloth with ipctk")
    parser.add_argument("--repeat", type=int, default=5, help="runs of everything; medians count")
    parser.add_argument("--all-broad-phases", action="store_true", help="also those of ipctk that are not its default")
    parser.add_argument("--cap", type=float, default=300.0, help="seconds after which a row of ipctk is given up")
    return parser.parse_args()


def our_answers(folder, repeat):
    command = ["cargo", "bench", "--quiet", "--bench", "cloth_step", "--"]
    command += ["--write", os.path.abspath(folder), "--repeat", str(repeat)]
    # Its tables go to where they do not disturb ours.
    status = subprocess.run(command, cwd=CRATE, stdout=sys.stderr).returncode
    if status:
        sys.exit(f"the bench cloth_step failed with {status}")
    with open(os.path.join(folder, "figures.json")) as file:
        return json.load(file)


def our_rows(block):
    for threads in THREADS:
        times = block["milliseconds"][str(threads)]
        for trees in ("built", "refitted"):
            yield {
                "separation": block["min_separation"],
                "method": f"{OURS}, trees {trees}",
                "threads": threads,
                "candidates": (block["edge_edge"], block["vertex_face"]),
                "broad": times[f"list of candidates, trees {trees}"],
                "total": times[f"free step, trees {trees}"],
                "step": block["step"],
                "bound": block["toi"],
            }


def their_rows(folder, block, arguments):
    separation, rescaling = block["min_separation"], block["conservative_rescaling"]
    cases = [
        (method, broad_phase, threads)
        for method in (TIGHT, ADDITIVE)
        for broad_phase in BROAD_PHASES[: None if arguments.all_broad_phases else 1]
        for threads in THREADS
    ]
    for method, broad_phase, threads in cases:
        name = f"{method}, {broad_phase}" if broad_phase else method
        progress(f"{name}, {threads} threads, separation {separation:g}")
        row = {"separation": separation, "method": name, "threads": threads}
        work = (folder, method, broad_phase, threads, separation, rescaling, arguments.repeat)
        yield row | capped(work, arguments.cap)


def capped(work, cap):
    """What `measure` finds in a process that is ended after so many seconds."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(sender, *work))
    process.start()
    sender.close()
    answer = {}
    deadline = time.monotonic() + cap
    try:
        while receiver.poll(max(deadline - time.monotonic(), 0.0)):
            answer |= receiver.recv()
        answer["capped"] = cap
    except EOFError:
        pass
    process.terminate()
    process.join()
    return answer


def measure(sender, folder, method, broad_phase, threads, separation, rescaling, repeat):
    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    ipctk.set_num_threads(threads)
    mesh, start, end = read_scene(folder)
    if method == TIGHT:
        unscaled = ipctk.TightInclusionCCD(TOLERANCE, MAX_ITERATIONS, 1.0)
        scaled = ipctk.TightInclusionCCD(TOLERANCE, MAX_ITERATIONS, rescaling)
    else:
        unscaled = ipctk.AdditiveCCD(MAX_ITERATIONS, 1.0 - TOLERANCE)
        scaled = ipctk.AdditiveCCD(MAX_ITERATIONS, rescaling)

    def broad():
        return getattr(ipctk, broad_phase)() if broad_phase else None

    candidates = ipctk.Candidates()
    # As in compute_collision_free_stepsize.
    build = lambda: candidates.build(mesh, start, end, 0.5 * separation, broad())
    narrow = lambda ccd: candidates.compute_collision_free_stepsize(mesh, start, end, separation, ccd)
    total = lambda: ipctk.compute_collision_free_stepsize(mesh, start, end, separation, broad(), scaled)
    seconds, _ = median(build, repeat)
    kinds = (len(candidates.ee_candidates), len(candidates.fv_candidates))
    sender.send({"broad": 1e3 * seconds, "candidates": kinds})
    seconds, step = median(lambda: narrow(scaled), repeat)
    sender.send({"narrow": 1e3 * seconds, "step": step})
    seconds, _ = median(total, repeat)
    sender.send({"total": 1e3 * seconds})
    sender.send({"bound": narrow(unscaled)})


def median(work, repeat):
    """The median time of some runs, fewer where they take long, and the last answer."""
    seconds = []
    while len(seconds) < repeat and sum(seconds) < 20.0:
        start = time.perf_counter()
        answer = work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), answer


def read_scene(folder):
    read = lambda name, kind: np.loadtxt(os.path.join(folder, name), delimiter=",", dtype=kind)
    faces = read("faces.csv", np.int32)
    start, end = [np.asfortranarray(read(name, float)) for name in ("start.csv", "end.csv")]
    return ipctk.CollisionMesh(start, ipctk.edges(faces), faces), start, end


def check(block, rows, mesh, start, end):
    """Whether the lower bounds of one minimum separation are such, and near the first impact."""
    separation, ours = block["min_separation"], block["toi"]
    bounds = {OURS: ours}
    for row in rows:
        if row["separation"] == separation and not row["method"].startswith(OURS) and "bound" in row:
            bounds[row["method"]] = row["bound"]
    motion = np.linalg.norm(end - start, axis=1).max()
    good = True
    for method, bound in bounds.items():
        # Our tolerance is of time, and two elements approach each other by twice the motion of one.
        slack = 10.0 * TOLERANCE * (2.0 * motion if method == OURS else 1.0)
        most = separation * (3.0**0.5 if method.startswith(TIGHT) else 1.0) + slack
        there = np.asfortranarray(start + bound * (end - start))
        intersects = ipctk.has_intersections(mesh, there)
        distance = least_distance(mesh, there, 2.0 * most)
        near = separation * (1.0 - 1e-9) <= distance <= most
        if method == OURS or method.startswith(TIGHT):
            good = good and near and not intersects
        print(
            f"separation {separation:g}, {method}: before rescaling {bound - ours:+.1e} from ours; there the least distance is "
            f"{distance:.6g}{'' if near else ', NOT in order'}{', and it INTERSECTS ITSELF' if intersects else ''}"
        )
    return good


def least_distance(mesh, points, within):
    """The least distance of two elements that share no vertex, infinite if it is not below `within`."""
    collisions = ipctk.NormalCollisions()
    collisions.build(mesh, points, within)
    return float(np.sqrt(collisions.compute_minimum_distance(mesh, points)))


def print_table(rows):
    header = [
        "separation", "method", "threads", "edge-edge", "vertex-face",
        "broad ms", "narrow ms", "total ms", "step", "before rescaling",
    ]
    cells = []
    for row in rows:
        number = lambda key, form: format(row[key], form) if key in row else unknown(row)
        edges, faces = row.get("candidates", (unknown(row),) * 2)
        cells.append(
            [
                f"{row['separation']:g}", row["method"], str(row["threads"]), str(edges), str(faces),
                *(number(key, ".1f") for key in ("broad", "narrow", "total")),
                *(number(key, ".7f") for key in ("step", "bound")),
            ]
        )
    widths = [max(len(row[i]) for row in [header] + cells) for i in range(len(header))]
    for row in [header, ["-" * width for width in widths]] + cells:
        print("| " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths)) + " |")


def unknown(row):
    if row["method"].startswith(OURS):
        return ""
    return f"> {row['capped']:g} s" if "capped" in row else "failed"


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text:70}", end="\r" if not text else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
