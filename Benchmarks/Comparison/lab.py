"""The hosts that the tools are tried on."""

import os
import subprocess

DROVER = os.environ["DROVER"]
NAME = os.environ["LAB"]
STATE = f"/run/drover/lab/{NAME}"
INVENTORY = f"{STATE}/inventory.yml"

# What every tool would do equally is done before the clock runs: the host has booted, and the packages are fetched. The
# stamp is what pyinfra and Ansible know by that the lists of packages are new.
PREPARATION = """
systemctl is-system-running --wait >/dev/null || true
apt-get -q update
mkdir -p /var/lib/apt/periodic
touch /var/lib/apt/periodic/update-success-stamp
apt-get -q -y --no-install-recommends --download-only install curl sudo
"""


def inside(*command):
    """The command that runs another one where the hosts are reached."""
    return [DROVER, "lab", "exec", "--name", NAME, "--", *command]


def renew(count):
    """Replaces the lab's hosts by fresh ones, ready to be measured on."""
    lab("down")
    lab("up", str(count))
    with open(INVENTORY, "w") as file:
        file.write(inventory(count))
    on_each(count, PREPARATION)


def inventory(count):
    hosts = "\n".join(f"        pg{number}: {{ ansible_host: {address(number)} }}" for number in range(1, count + 1))
    return f"""\
all:
  vars:
    ansible_user: root
    ansible_ssh_private_key_file: {STATE}/id_ed25519
    ansible_ssh_common_args: -o UserKnownHostsFile={STATE}/known_hosts
    ansible_python_interpreter: /usr/bin/python3
  children:
    workers:
      hosts:
{hosts}
"""


def on_each(count, script):
    """What the shell script prints on each host, by address."""
    processes = {}
    for number in range(1, count + 1):
        ssh = ["ssh", "-q", "-o", "BatchMode=yes", "-o", f"UserKnownHostsFile={STATE}/known_hosts"]
        command = inside(*ssh, "-i", f"{STATE}/id_ed25519", f"root@{address(number)}", "sh -s")
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        process.stdin.write(script)
        process.stdin.close()
        processes[address(number)] = process
    outputs = {}
    for host, process in processes.items():
        outputs[host] = process.stdout.read()
        if process.wait() != 0:
            raise SystemExit(f"compare: a script failed on {host}:\n{outputs[host]}")
    return outputs


def address(number):
    return f"10.70.0.{10 + number}"


def lab(*arguments):
    command = [DROVER, "lab", *arguments, "--name", NAME]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        raise SystemExit(f"compare: '{' '.join(command)}' failed")
