"""Lets every tool set up the same hosts, set them up again, and change one value; prints what each run cost.

Each tool gets fresh hosts for its first run. They must all leave the same state behind, so the runs after the first are
taken on the same hosts in turn, and what disturbs one tool disturbs the others too.
"""

import datetime
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time

import lab
import report
from tools import FOLDER, WORKLOAD, tools

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = [int(count) for count in os.environ.get("HOSTS", "1 3 10").split()]
ROUNDS = int(os.environ.get("ROUNDS", "3"))
# A tool whose no-ops have taken this many seconds together is not asked for another: long ones even out their own noise.
PATIENCE = 15

with open(f"{WORKLOAD}/state.sh") as file:
    STATE = file.read()


class Hitch(Exception):
    """A tool did not do what it should."""


def run(tool, level):
    """Applies the workload by a tool; returns what it cost and how much the tool says to have changed."""
    log, result = f"{FOLDER}/log", f"{FOLDER}/result.json"
    command = lab.inside(sys.executable, f"{HERE}/measure.py", result, *tool.command_at(level))
    with open(log, "w") as output:
        environment = os.environ | tool.environment
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment).returncode
    with open(log) as output:
        text = output.read()
    if status != 0:
        print(text, file=sys.stderr)
        lines = text.strip().splitlines() or ["it said nothing"]
        complaint = next((line for line in lines if re.search("error|fatal", line, re.IGNORECASE)), lines[-1])
        raise Hitch(f"it exited with {status}: {complaint}")
    with open(result) as file:
        return json.load(file), tool.changed(text)


def look(count):
    """What is on each host, and the identity of each host's running service."""
    outputs = [output.partition("\n") for output in lab.on_each(count, STATE).values()]
    return [state for _, _, state in outputs], [start for start, _, _ in outputs]


def expect(condition, sentence):
    if not condition:
        raise Hitch(sentence)


def first_run(tool, count):
    """Sets up fresh hosts; returns what it cost, and what is on the hosts."""
    lab.renew(count)
    cost, changed = run(tool, level=1)
    states, _ = look(count)
    expect(changed, "its first run says that it changed nothing")
    for state in states:
        expect("\nactive\n" in state and "level = 1\n" in state, f"its first run left this behind:\n{state}")
    return cost, states


def unchanged_run(tool, count):
    _, before = look(count)
    cost, changed = run(tool, level=1)
    _, after = look(count)
    expect(changed == 0, f"its run without a change says that it changed {changed}")
    expect(before == after, "its run without a change restarted a service")
    return cost


def changing_run(tool, count, level):
    _, before = look(count)
    cost, changed = run(tool, level)
    states, after = look(count)
    expect(changed == 2 * count, f"its change says that it changed {changed} instead of a file and a service a host")
    expect(all(f"level = {level}\n" in state for state in states), "its change did not reach the file")
    expect(not set(before) & set(after), "its change did not restart the service")
    return cost


def attempt(tool, kind, count, body, *arguments):
    """What the body returns, or None when the tool does not work. A rival that does not is left out from there on."""
    if tool.hitch:
        return None
    print(f"{report.hosts(count)}, {kind}: {tool.name}", file=sys.stderr)
    try:
        return body(tool, count, *arguments)
    except Hitch as hitch:
        if tool.is_rival:
            tool.hitch = str(hitch)
            return None
        raise SystemExit(f"compare: Drover does not work: {hitch}") from None


def compare(count):
    """Tries all tools on a number of hosts; returns the rows of the report."""
    drover, *rivals = contenders = tools(count)
    rows = []

    # Drover comes last, so that what the later runs find is surely what is wanted.
    states = {}
    for tool in [*rivals, drover]:
        if outcome := attempt(tool, "first run", count, first_run):
            cost, states[tool.name] = outcome
            rows.append(report.Row(count, "first run", tool.name, cost))
    for tool in rivals:
        if states.get(tool.name, states[drover.name]) != states[drover.name]:
            tool.hitch = "its first run left another state behind than Drover's"

    costs = {tool.name: [] for tool in contenders}
    for _ in range(ROUNDS):
        for tool in contenders:
            if sum(cost["wall"] for cost in costs[tool.name]) > PATIENCE:
                continue
            if cost := attempt(tool, "no-op", count, unchanged_run):
                costs[tool.name].append(cost)
    for tool in contenders:
        if costs[tool.name]:
            rows.append(report.Row(count, "no-op", tool.name, median(costs[tool.name])))

    for level, tool in enumerate(contenders, start=2):
        if cost := attempt(tool, "one change", count, changing_run, level):
            rows.append(report.Row(count, "one change", tool.name, cost))

    rows += [report.Row(count, None, tool.name, hitch=tool.hitch) for tool in contenders if tool.hitch]
    return rows


def median(costs):
    return {key: statistics.median(cost[key] for cost in costs) for key in costs[0]}


def busy_share():
    """The share of the machine's time that is used at the moment, from 0 to 1."""

    def times():
        with open("/proc/stat") as file:
            fields = [int(field) for field in file.readline().split()[1:9]]
        return sum(fields), fields[3] + fields[4]

    total_before, idle_before = times()
    time.sleep(2)
    total, idle = times()
    return 1 - (idle - idle_before) / (total - total_before)


def main():
    busy = busy_share()
    if busy > 0.1:
        print(f"note: something else uses {busy:.0%} of this machine; it will disturb the figures", file=sys.stderr)
    machine = f"{os.cpu_count()} cores, {platform.freedesktop_os_release()['PRETTY_NAME']}"
    print(f"25 resources a host; {datetime.date.today()}, {machine}; the no-op is the median of up to {ROUNDS} runs")
    everything = []
    for count in COUNTS:
        rows = compare(count)
        print("\n" + report.table(count, rows), flush=True)
        everything += rows
    print("\n" + report.verdicts(everything))


main()
