#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""soak: a small network trains for BINADE_SOAK_MINUTES (20) under the explorer, offscreen; how much memory either program
takes at the end ÷ after the first fifth of the time, when caches and charts are filled. Every sample goes to standard
error. Means over a minute: what is drawn or written at one instant is no growth. Then the explorer ends,
and with it the run: the run file must have each step that the engine counted until then, once."""
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

MINUTES = float(os.environ.get("BINADE_SOAK_MINUTES", "20"))
BAR = 1.05
EVERY = 5.0  # seconds


def described(engine, folder):
    """The run as the wire wants it, with every field: what a recorded run of one step says."""
    run = {"binade_run": 1, "name": "soak", "model": "sample:mlp", "batch": 16, "steps": 1, "policy": "cuda-amp"}
    run["data"] = {"kind": "synthetic", "inputs": ["float32[16,1,28,28]"]}
    run["scaler"] = {"init_scale": 65536, "growth_interval": 2000}
    path = os.path.join(folder, "soak.run.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(run, file)
    record = os.path.join(folder, "one.binade")
    subprocess.run([engine, "train", path, "--run-file", record], check=True, stdout=subprocess.DEVNULL)
    config = json.loads(sqlite3.connect(record).execute("SELECT config FROM run").fetchone()[0])
    del config["binade_run"]
    config["losses"] = []  # a description has this or `loss`
    return config | {"steps": 10**9, "run_file": os.path.join(folder, "soak.binade")}


def memory(process):
    """Resident bytes, in MB."""
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        for line in file:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {process} has gone")


def steps_in(record):
    with sqlite3.connect(f"file:{record}?mode=ro", uri=True) as database:
        return database.execute("SELECT coalesce(max(step), -1) + 1 FROM steps").fetchone()[0]


def check_steps(record):
    """After the end of the explorer: the steps that the run file lacks or has twice, of those that the engine counted."""
    began = time.monotonic()
    while True:
        with sqlite3.connect(f"file:{record}?mode=ro", uri=True) as database:
            counted = database.execute("SELECT steps FROM finished").fetchone()
            if counted is not None:
                rows, different, last = database.execute("SELECT count(*), count(DISTINCT step), max(step) FROM steps").fetchone()
                break
        if time.monotonic() - began > 60:
            raise SystemExit("soak: the engine did not end the run")
        time.sleep(0.5)
    missing = max(counted[0], last + 1) - different
    figure = {"bench": "soak", "case": f"steps missing from the record, of {counted[0]}", "value": missing, "unit": "steps"}
    print(json.dumps(figure | {"bar": 0, "better": "lower", "pass": missing == 0 and rows == different == counted[0]}),
          flush=True)


def main():
    folder = sys.argv[1]
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory(prefix="binade-soak-") as place:
        engine = os.path.join(folder, "binade-engine")
        config = described(engine, place)
        with open(os.path.join(place, "config.json"), "w", encoding="utf-8") as file:
            json.dump(config, file)
            # One thread each: memory is measured, and waiting threads would cost steps.
        environment = {"QT_QPA_PLATFORM": "offscreen"} | os.environ | {"OMP_NUM_THREADS": "1"}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"):
            environment[name] = os.path.join(place, name)
            os.mkdir(environment[name], 0o700)
        wire = f"{sys.executable} {here}/soak_wire.py {engine} {place}"
        explorer = subprocess.Popen([os.path.join(folder, "binade"), "--demo", "--connect", wire], env=environment,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            measure(explorer, place, config["run_file"])
        finally:
            explorer.kill()
            explorer.wait()
        check_steps(config["run_file"])


def measure(explorer, place, record):
    began = time.monotonic()
    while not (os.path.exists(os.path.join(place, "engine.pid")) and os.path.exists(record)):
        if time.monotonic() - began > 120 or explorer.poll() is not None:
            raise SystemExit("soak: the run did not begin")
        time.sleep(0.5)
    with open(os.path.join(place, "engine.pid"), encoding="utf-8") as file:
        processes = {"engine": int(file.read()), "explorer": explorer.pid}
    seen = {name: [] for name in processes}
    began = time.monotonic()
    while (now := time.monotonic() - began) < 60 * MINUTES:
        for name, process in processes.items():
            seen[name].append((now, memory(process)))
        if len(seen["engine"]) % 12 == 1:
            told = ", ".join(f"{name} {values[-1][1]:.1f} MB" for name, values in seen.items())
            print(f"{now / 60:5.1f} min: {steps_in(record)} steps, {told}", file=sys.stderr, flush=True)
        time.sleep(EVERY)
    steps = steps_in(record)
    for name, values in seen.items():
        early = statistics.mean(value for at, value in values if 12 * MINUTES <= at < 12 * MINUTES + 60)
        late = statistics.mean(value for at, value in values if at >= 60 * MINUTES - 60)
        figure = {"bench": "soak", "case": f"{name}: {early:.1f} to {late:.1f} MB, {steps} steps in {MINUTES:g} min"}
        figure |= {"value": round(late / early, 4), "unit": "ratio", "bar": BAR, "better": "lower"}
        print(json.dumps(figure | {"pass": 1 / BAR <= late / early <= BAR}), flush=True)


if __name__ == "__main__":
    main()
