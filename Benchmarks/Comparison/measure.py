"""measure.py RESULT COMMAND...: runs a command in a lab, and writes what it cost to the file RESULT.

Run inside the lab (`drover lab exec`), whose controller has a single interface.
"""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import time

INTERFACE = "lab"
TIMEOUT = 600


def traffic():
    """The bytes that the controller has sent and received so far."""
    with open("/proc/net/dev") as file:
        for line in file:
            name, _, counters = line.partition(":")
            if name.strip() == INTERFACE:
                fields = counters.split()
                return int(fields[8]), int(fields[0])
    sys.exit(f"measure.py: there is no interface '{INTERFACE}' here")


def cpu():
    """The CPU seconds of all ended descendants."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def adopt_orphans():
    """Makes this process the parent of descendants whose own parent ends, so that their CPU time is counted too."""
    PR_SET_CHILD_SUBREAPER = 36
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit(f"measure.py: prctl: {os.strerror(ctypes.get_errno())}")


def end_orphans(how):
    """Ends what the command left running: connections that Ansible keeps open would make its next run a warm one."""
    while True:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            children = [int(child) for child in file.read().split()]
        if not children:
            return
        for child in children:
            os.kill(child, how)
            os.waitpid(child, 0)


def main():
    result, command = sys.argv[1], sys.argv[2:]
    adopt_orphans()
    cpu_before, (sent_before, received_before) = cpu(), traffic()
    began = time.monotonic()
    try:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=TIMEOUT).returncode
    except subprocess.TimeoutExpired:
        end_orphans(signal.SIGKILL)
        sys.exit(f"measure.py: error: the command took more than {TIMEOUT} s")
    seconds = time.monotonic() - began
    end_orphans(signal.SIGTERM)
    sent, received = traffic()
    with open(result, "w") as file:
        json.dump(
            {
                "wall": seconds,
                "cpu": cpu() - cpu_before,
                "sent": sent - sent_before,
                "received": received - received_before,
            },
            file,
        )
    sys.exit(status)


main()
