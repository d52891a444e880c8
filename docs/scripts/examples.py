#!/usr/bin/env python3
"""Keeps the example output in README.md and docs/ true.

An example is a fenced block after a comment `<!-- example: NAME -->`. docs/examples/scenario.txt has the command of each name.

    examples.py names                  fails when a page and the scenario disagree about names or commands
    examples.py record DROVER FOLDER   runs the scenario on a lab, and keeps the output of each command in a file
    examples.py write FOLDER           puts the recorded output into the pages
    examples.py check FOLDER           fails when a page differs from it in more than times, sizes and identifiers
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from markdown import ROOT, blocks, pages

SCENARIO = ROOT / "docs/examples/scenario.txt"
LAB = os.environ.get("LAB", "examples")

# What differs from run to run.
VARYING = [
    (r"\d{8}T\d{6}\.\d{3}Z-\w{4}", "RUN"),
    (r"\d{8}-\d{6}F(_\d{8}-\d{6}[DI])?", "BACKUP"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?", "TIME"),
    (r"\d\d:\d\d(:\d\d)?", "TIME"),
    (r"notAfter=.*", "TIME"),
    (r"\b\d{19}\b", "SYSTEM"),
    (r"\b[0-9A-F]{24}\b", "SEGMENT"),
    (r"\b[0-9A-F]+/[0-9A-F]{5,8}\b", "LSN"),
    (r"\bon vm\b|@[\w.-]+", "CONTROLLER"),
    (r"\d+(\.\d+)? ?(ms|s|min|h|days?|B|KiB|MiB|MB|KB|kB|GB)\b", "N"),
    (r"\b\d+\.\d+\b", "N"),
    (r"\b(ok|changed)=\d+", "N"),
    (r"\b\d+ (changes|steps)\b", "N"),
    (r"\| +\d+(?= \|)", "| N"),
    # Which member leads etcd, and in which moment of a check HAProxy is seen.
    (r"\| +(true|false) +\|", "| IS |"),
    (r"\* L7", "L7"),
    (r"\.backup +\d+", ".backup N"),
    # Steps show their time only when it is long, and any balancer can hold the VIP.
    (r"(?<=[✓✗]) (.*?) +N$", r" \1"),
    (r"\bholds$", ""),
    (r" +", " "),
]
# Which of the other members leads after a failover is chance.
CHANCE = {"status-killed": r"\bpg[13]\b"}
LEFT_OUT = re.compile(r"eth0 .*|The slowest steps|N \w+: .*")


def steps():
    """Pairs of name and command; a command without a name is run and not shown."""
    for line in SCENARIO.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, command = re.fullmatch(r"([\w-]*): (.*)", line).groups()
            yield name, command


def examples():
    """The pages with their text and their examples."""
    for page in pages():
        text = page.read_text()
        found = [block for block in blocks(text) if (block.comment or "").startswith("example: ")]
        if found:
            yield page, text, [(block.comment.removeprefix("example: "), block) for block in found]


def names():
    commands, problems = dict(steps()), []
    for page, _, found in examples():
        for name, block in found:
            place = f"{page.relative_to(ROOT)}:{block.line}"
            if name not in commands:
                problems.append(f"{place}: the scenario has no example '{name}'")
            elif block.text.splitlines()[:1] != [f"$ {commands[name]}"]:
                problems.append(f"{place}: the block does not begin with '$ {commands[name]}'")
    return problems


def record(drover, folder):
    """Runs all commands in a lab of its own, from a folder with its inventory."""
    folder = Path(folder).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    own = f"/run/drover/lab/{LAB}/"
    inventory = (ROOT / "inventory/lab.yml").read_text().replace("/run/drover/lab/lab/", own)
    (folder / "lab.yml").write_text(inventory)
    # The inventory of people's own hosts, with what only a lab needs: its addresses, key, and limit of open files.
    wanted = r"ansible_ssh_\w+: .*|haproxy_maxconn\w*: .*|pgbouncer_max_client_conn: .*"
    of_lab = "".join(f"    {line}\n" for line in re.findall(wanted, inventory))
    hosts = (ROOT / "docs/examples/hosts.yml").read_text().replace("10.0.0.", "10.70.0.")
    (folder / "hosts.yml").write_text(hosts.replace("  vars:\n", "  vars:\n" + of_lab, 1))
    drover = Path(drover).resolve()
    programs = {
        # Adds the name of the lab, and reaches its hosts.
        "drover": f"""case "$1 $INSIDE_LAB" in
"lab 1") shift 3; exec "$@" ;;
"lab ") verb=$2; shift 2; INSIDE_LAB=1 exec {drover} lab "$verb" --name {LAB} "$@" ;;
*" 1") exec {drover} "$@" ;;
*) INSIDE_LAB=1 exec {drover} lab exec --name {LAB} -- {drover} "$@" ;;
esac""",
        # Logs in to hosts of the lab by their names.
        "ssh": f"""[ "$1" != -G ] || exec /usr/bin/ssh "$@"
host=10.70.0.1${{1#pg}}; shift
exec {drover} lab exec --name {LAB} -- /usr/bin/ssh -F none -i /run/drover/lab/{LAB}/id_ed25519 \\
    -o UserKnownHostsFile=/run/drover/lab/{LAB}/known_hosts "root@$host" "$@" """,
    }
    for name, script in programs.items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / "bin" / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "LAB": LAB, "NO_COLOR": "1",
                                "APP_PASSWORD": "example", "ANSIBLE_VAULT_PASSWORD_FILE": f"{folder}/vault"}
    (folder / "vault").write_text("example")
    for name, command in steps():
        print(f"{name}: {command}", flush=True)
        # Approvals name a system identifier, which an earlier command has written down.
        system = folder / "system"
        run = command.replace("SYSTEM_IDENTIFIER", system.read_text().strip() if system.exists() else "")
        result = subprocess.run(
            ["sh", "-c", run], cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output = result.stdout.replace(own, "/run/drover/lab/lab/").rstrip()
        if name:
            (folder / f"{name}.txt").write_text(output + "\n")
        elif result.returncode != 0:
            return [f"'{command}' failed:\n{output}"]
    return []


def recorded(folder, name, block):
    """The block as it should be. A line `…` in the page stands for lines that are left out."""
    path = Path(folder) / f"{name}.txt"
    if not path.exists():
        return None
    return block.text.splitlines()[0] + "\n" + path.read_text().rstrip()


def shortened(old, new):
    """The new text without what the old one leaves out: what stands between two lines around a `…` that both have."""
    parts = re.split(r"^…$", old, flags=re.M)
    if len(parts) == 1:
        return new
    lines, kept = new.splitlines(), []
    for part in parts:
        own = part.strip("\n").splitlines()
        wanted = [normal(line) for line in own]
        for begin in range(len(lines) - len(own) + 1):
            if [normal(line) for line in lines[begin : begin + len(own)]] == wanted:
                kept.append("\n".join(lines[begin : begin + len(own)]))
                lines = lines[begin + len(own) :]
                break
        else:
            return new
    return "\n…\n".join(kept)


def comparable(name, text):
    if name in CHANCE:
        text = re.sub(CHANCE[name], "HOST", text)
    return [line for line in map(normal, text.splitlines()) if line and not LEFT_OUT.fullmatch(line)]


def normal(text):
    for pattern, word in VARYING:
        text = re.sub(pattern, word, text)
    return text.strip()


def compare(folder, writes):
    problems = []
    for page, text, found in examples():
        for name, block in found:
            new = recorded(folder, name, block)
            if new is None:
                problems.append(f"{page.relative_to(ROOT)}:{block.line}: '{name}' was not recorded")
                continue
            new = shortened(block.text, new)
            if writes:
                text = text.replace(f"<!-- example: {name} -->\n```{block.language}\n{block.text}\n```",
                                    f"<!-- example: {name} -->\n```{block.language}\n{new}\n```")
                continue
            # Hosts report in any order.
            old_lines, new_lines = (sorted(comparable(name, lines)) for lines in (block.text, new))
            if old_lines != new_lines:
                problems.append(f"{page.relative_to(ROOT)}:{block.line}: '{name}' differs from what drover prints")
                problems += [line for line in difflib.unified_diff(old_lines, new_lines, lineterm="", n=0)][2:]
        if writes:
            page.write_text(text)
    return problems


def main():
    verb, *arguments = sys.argv[1:] or ["help"]
    actions = {
        "names": lambda: names(), "record": record,
        "write": lambda folder: compare(folder, True), "check": lambda folder: names() + compare(folder, False),
    }
    if verb not in actions:
        sys.exit(__doc__)
    problems = actions[verb](*arguments)
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
