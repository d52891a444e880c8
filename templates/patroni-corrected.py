#!/usr/bin/python3
# Written by Drover; changes made here are overwritten by its next run.
"""Starts Patroni with corrections of two functions, as far as the installed version needs them.

Etcd3._update_leader: until version 3.0.2, a leader whose lease has expired writes its name over the leader key in
etcd without looking at it. A leader that was paused thereby takes the lock from its successor, and Patroni rewinds
the successor: all rows that it has acknowledged are lost. Patroni 3.0.3 compares the key first (pull requests 2689
and 2693), and so does this.

AbstractEtcdClientWithFailover.api_execute: until version 4.0.6, a leader that finds no etcd any more may take this
for the loss of its lock. It demotes itself, although failsafe_mode lets it go on. Patroni 4.0.7 tells the two apart
(pull request 3404), and so does this.

The files of the package stay as they are, and any other text of a function stays in force.
"""
import ast
import hashlib
import inspect
import sys
import time

from patroni.__main__ import main
from patroni.dcs import etcd, etcd3


def correct_update_leader():
    """Replaces the function. What it uses need not be there in versions that have another one."""
    from patroni.dcs import catch_return_false_exception

    @etcd3.Etcd3Client._handle_auth_errors
    def put_if_own_or_absent(client, key, value, lease, retry=None):
        """Puts the key if it has this value already, or if there is none; returns whether it did."""
        key, value = etcd3.base64_encode(key), etcd3.base64_encode(value)
        put = {"request_put": {"key": key, "value": value, "lease": lease}}
        is_own = {"key": key, "target": "VALUE", "value": value}
        is_absent = {"key": key, "target": "CREATE", "create_revision": "0"}
        create = {"request_txn": {"compare": [is_absent], "success": [put]}}
        answer = client.call_rpc("/kv/txn", {"compare": [is_own], "success": [put], "failure": [create]}, retry)
        if answer.get("succeeded"):
            return True
        return bool(answer.get("responses", [dict()])[0].get("response_txn", dict()).get("succeeded"))

    @catch_return_false_exception
    def update_leader(self):
        """Keeps the lease alive, and takes a new one only while no other member has the leader key."""
        retry = self._retry.copy()

        def retrying(*args, **kwargs):
            kwargs["retry"] = retry
            return retry(*args, **kwargs)

        self._run_and_handle_exceptions(self._do_refresh_lease, True, retry=retrying)
        if not self._lease:
            return False
        leader = self.cluster and self.cluster.leader
        if isinstance(leader, etcd3.Leader) and leader.session == self._lease:
            return True
        retry.deadline = retry.stoptime - time.time()
        if retry.deadline < 1:
            raise etcd3.Etcd3Error("update_leader timeout")
        return self._run_and_handle_exceptions(
            put_if_own_or_absent, self._client, self.leader_path, self._name, self._lease, retry=retrying)

    etcd3.Etcd3._update_leader = update_leader


def correct_api_execute():
    """Has the one call that raises the wrong exception raise the right one: its only other caller accepts both."""
    from etcd import EtcdConnectionFailed, EtcdException

    client = etcd.AbstractEtcdClientWithFailover
    load = client._load_machines_cache

    def load_machines_cache(self):
        """Asks etcd for its members; raises EtcdConnectionFailed when there is no answer."""
        try:
            return load(self)
        except EtcdException as error:
            raise EtcdConnectionFailed("No more machines in the cluster") from error

    client._load_machines_cache = load_machines_cache


# The functions, their SHA-256 in the versions 2.1.7 to 3.0.2 and in 3.0.2, and what corrects them.
CORRECTIONS = [
    (etcd3, "_update_leader", "88db3c77ae09b90bbfb741d328e3736ecd01b1dd4a5b27173e447265d017d8a2", correct_update_leader),
    (etcd, "api_execute", "f251cf2737a1b0df21c0caa6e5d9d85b813c8385daf0f836505c4129be353fd6", correct_api_execute),
]


def digest(module, function):
    """Returns the SHA-256 of the text of an installed function, without its decorators."""
    text = inspect.getsource(module)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return hashlib.sha256(ast.get_source_segment(text, node).encode()).hexdigest()
    return None


def correct():
    for module, function, faulty, correction in CORRECTIONS:
        if digest(module, function) == faulty:
            correction()
            print(f"Drover has corrected {function} of this version of Patroni", file=sys.stderr)


if __name__ == "__main__":
    correct()
    sys.exit(main())
