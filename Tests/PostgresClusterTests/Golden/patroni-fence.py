#!/usr/bin/python3
# Written by Drover; changes made here are overwritten by its next run.
"""Stops a PostgreSQL that accepts writes while its Patroni has not run for too long.

Patroni renews the lock of the leader in a loop. When the loop hangs, or all of the host was paused, the lock
expires and another member leads, but this PostgreSQL accepts writes until Patroni runs again. The fence stops it
before the lock can expire, or first of all when a paused host goes on. Patroni starts it again as a replica.
"""
import argparse
import http.client
import json
import os
import signal
import ssl
import subprocess
import sys
import time


# Seconds between two looks at the clock while the fence waits for an answer.
TICK = 0.2


class Overdue(Exception):
    """A question took too long."""


def now():
    """Returns seconds of a clock that nobody sets, and that goes on while the host is suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def log(text):
    print(text, file=sys.stderr, flush=True)


class Patroni:
    """What the REST API tells of Patroni's loop."""

    def __init__(self, address, port, speaks_tls, limit):
        self.address, self.port, self.limit = address, port, limit
        # A certificate that has expired, or that a new CA has issued, says nothing about Patroni's loop.
        self.context = ssl._create_unverified_context() if speaks_tls else None
        self.seen = None
        self.is_paused = False
        self.ran = now()
        self.deadline = self.ran

    def age(self):
        """Returns how long ago the loop has run last, as far as is known."""
        return now() - self.ran

    def left(self):
        """Returns how long the loop has left; nothing or less when it is overdue."""
        return self.limit - self.age()

    def get(self, path):
        """Returns the status and the body of an answer; raises Overdue when there is none in time.

        A host with much to do may need seconds for an answer. The fence waits as long as the loop has left: an answer that
        is given up and asked for again would never come.
        """
        left = self.left()
        self.deadline = now() + (left if left > 0 else 2)
        # The timer stands still while the host is suspended, so it only has the clock looked at.
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        try:
            connection = (
                http.client.HTTPSConnection(self.address, self.port, context=self.context) if self.context
                else http.client.HTTPConnection(self.address, self.port))
            try:
                connection.request("GET", path)
                response = connection.getresponse()
                return response.status, response.read(1 << 20)
            finally:
                connection.close()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def interrupt(self, number, frame):
        """Ends the wait for an answer when its time is over; otherwise the wait goes on."""
        if now() >= self.deadline:
            raise Overdue

    def ask(self):
        """Notes when the loop has run last. Patroni tells that by its own clock, so only a change counts."""
        asked = now()
        try:
            # /patroni would look for a server that is not there once more, a second later, before it answers.
            status = json.loads(self.get("/health")[1])
            seen = status.get("dcs_last_seen")
            self.is_paused = bool(status.get("pause"))
            # Without etcd, failsafe_mode lets the leader go on as long as the loop runs.
            if seen != self.seen or status.get("failsafe_mode_is_active") and self.get("/liveness")[0] == 200:
                self.seen, self.ran = seen, asked
        except (Overdue, OSError, ValueError, AttributeError, http.client.HTTPException):
            pass

    def is_stopped(self):
        """Whether somebody has stopped the unit: then the server is no business of Patroni's."""
        try:
            state = subprocess.run(
                ["systemctl", "show", "--property=ActiveState", "--value", "patroni.service"],
                stdout=subprocess.PIPE, timeout=2).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return False
        return state == b"inactive"


class Server:
    """The PostgreSQL of a data directory."""

    def __init__(self, directory, binaries):
        self.directory, self.binaries = directory, binaries

    def postmaster(self):
        """Returns the process identifier of the running server, or None."""
        try:
            with open(os.path.join(self.directory, "postmaster.pid")) as file:
                process = int(file.readline())
            runs_there = os.path.samefile(f"/proc/{process}/cwd", self.directory)
            return process if runs_there and not self.is_gone(process) else None
        except (OSError, ValueError):
            return None

    def accepts_writes(self):
        if self.postmaster() is None:
            return False
        # The end of a recovery removes the file before it lets clients write.
        if os.path.exists(os.path.join(self.directory, "standby.signal")):
            return False
        try:
            control = subprocess.run(
                [os.path.join(self.binaries, "pg_controldata"), "-D", self.directory],
                stdout=subprocess.PIPE, env=dict(LC_ALL="C"), timeout=2).stdout
        except (OSError, subprocess.SubprocessError):
            return True
        states = [line.split(b":")[1].strip() for line in control.splitlines() if b"cluster state:" in line]
        return states in ([], [b"in production"])

    def stop(self):
        """Stops the server as `pg_ctl stop -m immediate` does, and kills it after two seconds."""
        postmaster = self.postmaster()
        if postmaster is None:
            return
        backends = self.children(postmaster)
        os.kill(postmaster, signal.SIGQUIT)
        deadline = now() + 2
        while now() < deadline:
            if self.is_gone(postmaster):
                return
            time.sleep(0.02)
        for process in [postmaster] + backends + self.children(postmaster):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    @staticmethod
    def stat(process):
        """Returns the state and the parent of a process."""
        with open(f"/proc/{process}/stat") as file:
            state, parent = file.read().rpartition(")")[2].split()[:2]
        return state, int(parent)

    def is_gone(self, process):
        try:
            return self.stat(process)[0] in "ZX"
        except (OSError, ValueError):
            return True

    def children(self, parent):
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                if self.stat(entry)[1] == parent:
                    found.append(int(entry))
            except (OSError, ValueError):
                pass
        return found


def check(patroni, server):
    if patroni.age() < patroni.limit or patroni.is_paused or not server.accepts_writes():
        return
    if patroni.is_stopped():
        patroni.ran = now()
        return
    log(f"Patroni has not run for {patroni.age():.1f} s, {patroni.limit:g} s are allowed: stopping PostgreSQL")
    server.stop()
    log("PostgreSQL has stopped")


def guard(patroni, server):
    while True:
        # Before the question, too: a host that was paused must not wait for an answer.
        check(patroni, server)
        asked = now()
        patroni.ask()
        check(patroni, server)
        pause, left = max(0, asked + 1 - now()), patroni.left()
        time.sleep(min(pause, left) if left > 0 else pause)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", required=True, help="of Patroni's REST API")
    parser.add_argument("--port", required=True, type=int, help="of Patroni's REST API")
    parser.add_argument("--tls", action="store_true", help="the REST API speaks TLS")
    parser.add_argument("--directory", required=True, help="data directory")
    parser.add_argument("--binaries", required=True, help="directory of pg_controldata")
    parser.add_argument("--limit", required=True, type=float, help="seconds")
    options = parser.parse_args()

    patroni = Patroni(options.address, options.port, options.tls, options.limit)
    signal.signal(signal.SIGALRM, patroni.interrupt)
    guard(patroni, Server(options.directory, options.binaries))


if __name__ == "__main__":
    main()
