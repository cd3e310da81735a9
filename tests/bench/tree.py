"""tree.py OUT: makes every trial of the jobs in OUT, which cs-expand wrote, look finished: the files that a search
with tests/bench/measure's instant harness leaves, as far as cs-report and make look at them."""

import json
import os
import sys


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


for name in os.listdir(os.path.join(sys.argv[1], "jobs")):
    job = os.path.join(sys.argv[1], "jobs", name)
    with open(os.path.join(job, "job.json")) as file:
        rates = json.load(file)["search"]["qps_list"]
    for qps in rates:
        trial = f"{job}/runs/{qps:g}"
        os.makedirs(trial)
        write(f"{trial}/benchmark_results.json", '{"summary": {"num_successful": 1, "num_failed": 0}}\n')
        write(f"{trial}/trial_result.json", json.dumps({
            "qps": qps, "passed": True, "metric_values": {"m@q0.5": 1.0}, "run_dir": f"jobs/{name}/runs/{qps:g}",
            "cached": False, "timed_out": False, "limited_by": None, "error": None, "complete": True,
            "num_requests": 1, "num_failed": 0}) + "\n")
