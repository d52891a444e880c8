"""The workload of Drover/SetUpWorkers.swift for pyinfra."""

from io import StringIO

from pyinfra import host
from pyinfra.operations import apt, files, server, systemd

UNIT = """\
[Unit]
Description=Worker

[Service]
User=worker
ExecStart=/usr/bin/sleep infinity

[Install]
WantedBy=multi-user.target
"""


def settings(part):
    return f"""\
[part-{part}]
listen = 127.0.0.1:{9000 + part}
queue = part-{part}
threads = 4
timeout = 30
retries = 3
log = /var/log/worker/part-{part}.log
"""


def directory(path, user="root", group="root", mode="755"):
    files.directory(path=path, user=user, group=group, mode=mode)


def file(path, content, group="root", mode="644"):
    return files.put(src=StringIO(content), dest=path, user="root", group=group, mode=mode)


apt.packages(packages=["curl", "sudo"], no_recommends=True, update=True, cache_time=86400)
server.user(user="worker", system=True, home="/nonexistent", ensure_home=False, shell="/usr/sbin/nologin")
directory("/etc/worker")
directory("/etc/worker/conf.d")
directory("/etc/worker/secrets.d", group="worker", mode="750")
directory("/var/lib/worker", user="worker", group="worker", mode="750")
for part in range(1, 11):
    file(f"/etc/worker/conf.d/part-{part}.conf", settings(part))
for part in range(1, 6):
    file(f"/etc/worker/secrets.d/part-{part}.conf", f"token = the token of part {part}\n", group="worker", mode="640")
server.sysctl(
    key="net.core.somaxconn", value=2048, persist=True, persist_file="/etc/sysctl.d/90-drover-net.core.somaxconn.conf"
)
unit = file("/etc/systemd/system/worker.service", UNIT)
configuration = file("/etc/worker/worker.conf", f"host = {host.name}\nlevel = {host.data.get('level', 1)}\n")
# Two operations for the service, since one cannot restart only when something changed; the first starts it too.
systemd.service(
    service="worker",
    daemon_reload=True,
    restarted=True,
    _if=lambda: unit.did_change() or configuration.did_change(),
)
systemd.service(service="worker", running=True, enabled=True)
