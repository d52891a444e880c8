"""The tools that are compared: how each applies the workload, and what it says it has changed."""

import os
import re
import sysconfig
from dataclasses import dataclass, field
from importlib.metadata import version

import lab

WORKLOAD = os.path.join(os.path.dirname(__file__), "..", "Workload")
FOLDER = os.environ["FOLDER"]
PROGRAMS = f"{FOLDER}/environment/bin"


@dataclass
class Tool:
    name: str
    command: list
    """The command, to which the option that sets the level is added."""
    level: str
    """That option, with {} where the value goes."""
    changes: re.Pattern
    """What tells in its output how much was changed, each number in a group."""
    environment: dict = field(default_factory=dict)
    is_rival: bool = True
    hitch: str | None = None
    """Why it does not work."""

    def command_at(self, level):
        return self.command + self.level.format(level).split()


    def changed(self, output):
        """How many things it says to have changed, on all hosts together; None when it says nothing."""
        numbers = self.changes.findall(output)
        return sum(int(number) for number in numbers if number != "-") if numbers else None


RECAP = re.compile(r"^pg\d+\s.*\bchanged=(\d+)", re.MULTILINE)
TOTAL = re.compile(r"Grand total\s+\d+\s+(\d+|-)")


def tools(count):
    """All tools, for this number of hosts; Drover is the first."""
    ansible = {"ANSIBLE_CONFIG": f"{WORKLOAD}/ansible.cfg", "ANSIBLE_HOME": f"{FOLDER}/ansible"}
    mitogen = {
        "ANSIBLE_STRATEGY": "mitogen_linear",
        "ANSIBLE_STRATEGY_PLUGINS": sysconfig.get_path("purelib") + "/ansible_mitogen/plugins/strategy",
    }
    playbook = [f"{PROGRAMS}/ansible-playbook", "--forks", str(count), "-i", lab.INVENTORY, f"{WORKLOAD}/ansible.yml"]
    deploy = [f"{PROGRAMS}/pyinfra", "--yes", "--no-wait", f"{WORKLOAD}/inventory.py", f"{WORKLOAD}/deploy.py"]
    drover = [os.environ["WORKLOAD"], "apply", "set-up-workers", "-i", lab.INVENTORY, "--yes"]
    return [
        Tool("Drover", drover, "--level {}", RECAP, is_rival=False),
        Tool(f"ansible-core {version('ansible-core')}", playbook, "-e level={}", RECAP, ansible),
        Tool(f"mitogen {version('mitogen')}", playbook, "-e level={}", RECAP, ansible | mitogen),
        Tool(f"pyinfra {version('pyinfra')}", deploy, "--data level={}", TOTAL, {"INVENTORY": lab.INVENTORY}),
    ]
