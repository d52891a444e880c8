#!/bin/sh
# Prints what the workload has made of a host; the first line changes whenever the service is started.
set -eu
cd /
systemctl show --property=InvocationID --value worker
parameter=/etc/sysctl.d/90-drover-net.core.somaxconn.conf
unit=/etc/systemd/system/worker.service
find /etc/worker /var/lib/worker $parameter $unit -printf '%p %y %m %u:%g\n' | sort
find /etc/worker $parameter $unit -type f -exec sha256sum {} + | sort
getent passwd worker | cut -d : -f 1,6,7
dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' curl sudo
echo "somaxconn $(cat /proc/sys/net/core/somaxconn)"
systemctl is-enabled worker
systemctl is-active worker
systemctl show --property=NeedDaemonReload worker
cat /etc/worker/worker.conf
