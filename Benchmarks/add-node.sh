#!/bin/bash
# A fourth member for the cluster of inventory/lab.yml: add-pgnode, beside apt and pg_basebackup by themselves, in turn and
# in a fresh lab each time.
#
#   make build && Benchmarks/add-node.sh      # three rounds; ROUNDS=5 for more
set -euo pipefail
cd "$(dirname "$0")/.."
drover=$(realpath "${DROVER:-.build/release/drover}")
lab=bench$$
state=/run/drover/lab/$lab
trap '"$drover" lab down --name "$lab"' EXIT

# The cluster of three, which already lets the fourth host copy it.
fresh_cluster() {
    "$drover" lab down --name "$lab" >/dev/null
    "$drover" lab up 4 --name "$lab" >/dev/null
    local rules='{ type: host, database: all, user: all, address: 0.0.0.0/0, method: scram-sha-256 }'
    rules="$rules, { type: host, database: replication, user: replicator, address: 10.70.0.14/32, method: scram-sha-256 }"
    sed "s#/run/drover/lab/lab/#$state/#; s#^    cluster_vip:.*#&\n    postgresql_pg_hba: [$rules]#" inventory/lab.yml >"$state/three.yml"
    { cat "$state/three.yml"; echo "            pg4: { ansible_host: 10.70.0.14 }"; } >"$state/four.yml"
    inside "$drover" apply deploy-cluster -i "$state/three.yml" --yes
}

inside() { "$drover" lab exec --name "$lab" -- "$@" >"$state/log" 2>&1 || { cat "$state/log" >&2; return 1; }; }

# seconds COMMAND...: runs it in the lab and prints how long that took.
seconds() {
    local began=$EPOCHREALTIME
    inside "$@"
    echo "$EPOCHREALTIME $began" | awk '{ printf "%.1f\n", $1 - $2 }'
}

by_hand() {
    seconds ssh -q -i "$state/id_ed25519" -o UserKnownHostsFile="$state/known_hosts" root@10.70.0.14 '
        set -e
        export DEBIAN_FRONTEND=noninteractive PGPASSWORD=lab-replication
        printf "#!/bin/sh\nexit 101\n" >/usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
        mkdir -p /etc/postgresql-common/createcluster.d
        echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/drover.conf
        apt-get -qq update
        SYSTEMD_OFFLINE=1 apt-get -qq -o Dpkg::Use-Pty=0 install --no-install-recommends \
            curl postgresql-15 patroni python3-etcd pgbouncer
        install -d -o postgres -g postgres -m 700 /var/lib/postgresql/15/main && cd /
        runuser -u postgres -- pg_basebackup -h 10.70.0.11 -U replicator -D /var/lib/postgresql/15/main -c fast -X stream'
}

by_drover() { seconds "$drover" apply add-pgnode --node pg4 -i "$state/four.yml" --yes; }

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

hand=() drover_times=()
for round in $(seq "${ROUNDS:-3}"); do
    fresh_cluster
    hand+=("$(by_hand)")
    fresh_cluster
    drover_times+=("$(by_drover)")
    echo "round $round: by hand ${hand[-1]} s, drover ${drover_times[-1]} s"
done
hand_median=$(printf '%s\n' "${hand[@]}" | median)
drover_median=$(printf '%s\n' "${drover_times[@]}" | median)
echo "median: by hand $hand_median s, drover $drover_median s, ratio $(echo "$drover_median $hand_median" | awk '{ printf "%.2f", $1 / $2 }')"
