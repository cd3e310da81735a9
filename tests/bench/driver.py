"""driver.py OUT DIR: searches the jobs of the finished output directory OUT once more, into DIR, one after the
other in one process: doubles, then bisects, runs cs-sim for each trial and evaluates its CSV with pandas.
The yardstick of tests/bench/search; it has no cache, no locks, no time-out and cleans up after nobody."""

import json
import os
import subprocess
import sys

import pandas


def run_trial(job, rules, qps, directory):
    os.makedirs(directory)
    config = dict(job["benchmark_config"], qps=qps, output_dir=directory)
    path = os.path.join(directory, "trial_config.json")
    with open(path, "w") as file:
        json.dump(config, file)
    with open(os.path.join(directory, "benchmark.log"), "w") as log:
        subprocess.run(["cs-sim"], check=True, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                       env=dict(os.environ, CS_TRIAL_CONFIG=path, CS_TRIAL_DIR=directory, CS_QPS=repr(qps)))
    rows = pandas.read_csv(os.path.join(directory, "request_metrics.csv"))
    return all(rows[rule["metric"]].quantile(rule["quantile"]) <= rule["threshold"] for rule in rules)


def search_job(job, rules, directory):
    settings = job["search"]
    cap, granularity = settings["max_qps_cap"], settings["min_search_granularity_pct"] / 100
    best, failing, qps, trials = 0.0, None, min(settings["start_qps"], settings["max_qps_cap"]), 0
    while trials < settings["max_iterations"]:
        trials += 1
        if run_trial(job, rules, qps, os.path.join(directory, f"{qps:g}")):
            best = qps
        else:
            failing = qps
        if failing is None:
            qps = min(2 * best, cap)
            if qps <= best:
                break
        else:
            if failing - best < granularity * max(failing, best, 1.0):
                break
            qps = round((best + failing) / 2, 4)
            if not best < qps < failing:
                break
    return {"job_name": job["job_name"], "max_qps_under_sla": best, "num_trials": trials}


def main(out, directory):
    with open(os.path.join(out, "capacity_search_results.json")) as file:
        names = [f"{job['job_name']}_{job['job_key']}" for job in json.load(file)]
    with open(os.path.join(out, "sla.json")) as file:
        rules = json.load(file)
    results = []
    for name in names:
        with open(os.path.join(out, "jobs", name, "job.json")) as file:
            results.append(search_job(json.load(file), rules, os.path.join(os.path.abspath(directory), name)))
    with open(os.path.join(directory, "results.json"), "w") as file:
        json.dump(results, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
