#!/bin/bash
# The floor that deploy-cluster is measured against: the same cluster with the same features (all that goes over the network
# is encrypted, with certificates of a small authority), deployed on three fresh lab hosts by one shell script a host, all
# hosts at once, with nothing but ssh and openssl. Prints the seconds that it took.
#
#   drover lab up 3 && drover lab exec -- Benchmarks/deploy-by-hand.sh
#
# LAB_STATE names the folder of another lab than the default one.
set -eu
state=${LAB_STATE:-/run/drover/lab/lab}
hosts="pg1=10.70.0.11 pg2=10.70.0.12 pg3=10.70.0.13"
vip=10.70.0.100

on() { # on ADDRESS COMMAND
    ssh -q -i "$state/id_ed25519" -o UserKnownHostsFile="$state/known_hosts" -o BatchMode=yes "root@$1" "$2"
}

# The authority, and a certificate for etcd and one for everything else of each host.
tls=$(mktemp -d)
trap 'rm -rf "$tls"' EXIT
request() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "$@" 2>/dev/null; }
issue() { # issue NAME ADDRESS IDENTITY: makes a key and its certificate
    request -new -subj "/CN=$1" -keyout "$tls/$1.$3.key" -out "$tls/request"
    printf '%s\n' "subjectAltName=DNS:$1,IP:$2,DNS:localhost,IP:127.0.0.1,IP:$vip" extendedKeyUsage=serverAuth,clientAuth |
        openssl x509 -req -in "$tls/request" -CA "$tls/ca.crt" -CAkey "$tls/ca.key" -CAcreateserial -days 825 \
            -extfile /dev/stdin -out "$tls/$1.$3.crt" 2>/dev/null
}
# For each file of a host, a function that prints it, named after it.
files() { # files NAME
    for file in "ca.crt" "$1.etcd.crt" "$1.etcd.key" "$1.postgres.crt" "$1.postgres.key"; do
        printf "print_%s() { cat <<'END'\n%s\nEND\n}\n" "$(echo "${file#"$1".}" | tr . _)" "$(cat "$tls/$file")"
    done
}

# What runs on each host; `name`, `address`, `priority`, `hosts`, `vip` and the functions of `files` are set before it.
host_script() {
    cat <<'HOST'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
scope=postgres-cluster
began=$(date +%s.%N)
stage() { echo "$name $(echo "$(date +%s.%N) $began" | awk '{ printf "%5.1f", $1 - $2 }') $*"; }
until_true() { # until_true SECONDS COMMAND...
    local tries=$(($1 * 10)); shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1)); [ $tries -gt 0 ] || { stage "gave up: $*"; exit 1; }
        sleep 0.1
    done
}
each_host() { # each_host FORMAT: prints it for each host, with %n and %a replaced
    for pair in $hosts; do printf '%s\n' "$1" | sed "s/%n/${pair%=*}/g; s/%a/${pair#*=}/g"; done
}
join_by_comma() { paste -sd, -; }

# Listeners may have a long queue of clients that nobody has accepted yet.
sysctl -q -w net.core.somaxconn=65535 || true
echo 'net.core.somaxconn = 65535' > /etc/sysctl.d/60-cluster.conf

# --- packages: one transaction; no daemon starts with throw-away settings, no throw-away database cluster. SYSTEMD_OFFLINE
# spares the daemon-reloads of each package, an eighth of the time: one at the end does.
cd /
printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
mkdir -p /etc/postgresql-common/createcluster.d
echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/drover.conf
apt-get -qq update
SYSTEMD_OFFLINE=1 apt-get -qq -o Dpkg::Use-Pty=0 install --no-install-recommends \
    postgresql-15 postgresql-client-15 postgresql-common patroni python3-etcd etcd-server etcd-client \
    haproxy keepalived pgbouncer curl openssl > /var/log/deploy-apt.log 2>&1
rm /usr/sbin/policy-rc.d
stage packages

# --- certificates
tls=/etc/ssl/cluster
install -d "$tls"
print_ca_crt > "$tls/ca.crt"
for identity in etcd postgres; do
    install -m 0600 -o "$identity" -g "$identity" /dev/null "$tls/$identity.key"
    "print_${identity}_key" > "$tls/$identity.key"
    "print_${identity}_crt" > "$tls/$identity.crt"
done
as() { echo "--cacert $tls/ca.crt --cert $tls/$1.crt --key $tls/$1.key"; }

# --- etcd
cat > /etc/default/etcd <<END
ETCD_NAME="$name"
ETCD_DATA_DIR="/var/lib/etcd/etcd-$scope"
ETCD_LISTEN_CLIENT_URLS="https://$address:2379,https://127.0.0.1:2379"
ETCD_ADVERTISE_CLIENT_URLS="https://$address:2379"
ETCD_LISTEN_PEER_URLS="https://$address:2380"
ETCD_INITIAL_ADVERTISE_PEER_URLS="https://$address:2380"
ETCD_INITIAL_CLUSTER="$(each_host '%n=https://%a:2380' | join_by_comma)"
ETCD_INITIAL_CLUSTER_TOKEN="etcd-$scope"
ETCD_INITIAL_CLUSTER_STATE="new"
ETCD_AUTO_COMPACTION_MODE="periodic"
ETCD_AUTO_COMPACTION_RETENTION="1h"
ETCD_HEARTBEAT_INTERVAL="200"
ETCD_ELECTION_TIMEOUT="2000"
ETCD_PRE_VOTE="true"
ETCD_ENABLE_V2="false"
ETCD_CERT_FILE="$tls/etcd.crt"
ETCD_KEY_FILE="$tls/etcd.key"
ETCD_TRUSTED_CA_FILE="$tls/ca.crt"
ETCD_CLIENT_CERT_AUTH="true"
ETCD_PEER_CERT_FILE="$tls/etcd.crt"
ETCD_PEER_KEY_FILE="$tls/etcd.key"
ETCD_PEER_TRUSTED_CA_FILE="$tls/ca.crt"
ETCD_PEER_CLIENT_CERT_AUTH="true"
END
mkdir -p /etc/systemd/system/patroni.service.d
cat > /etc/systemd/system/patroni.service.d/drover.conf <<END
[Unit]
After=etcd.service

[Service]
# A clean stop of PostgreSQL takes as long as its checkpoint; at the limit systemd would kill Patroni and leave PostgreSQL behind.
TimeoutStopSec=10min
END
systemctl daemon-reload
systemctl start --no-block etcd

# --- the other files, while etcd finds its peers
install -d -m 0755 /etc/patroni
cat > /etc/patroni/config.yml <<END
scope: $scope
namespace: /service/
name: $name

restapi:
  listen: $address:8008
  connect_address: $address:8008
  authentication:
    username: patroni
    password: patroni-secret
  certfile: $tls/postgres.crt
  keyfile: $tls/postgres.key
  cafile: $tls/ca.crt

etcd3:
  hosts:
$(each_host '    - %a:2379')
  protocol: https
  cacert: $tls/ca.crt
  cert: $tls/postgres.crt
  key: $tls/postgres.key

bootstrap:
  dcs:
    ttl: 30
    loop_wait: 10
    retry_timeout: 10
    maximum_lag_on_failover: 1048576
    failsafe_mode: true
    check_timeline: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 200
        max_worker_processes: 8
        max_wal_senders: 10
        max_replication_slots: 10
        max_prepared_transactions: 0
        max_locks_per_transaction: 64
        wal_level: replica
        wal_log_hints: "on"
        wal_keep_size: 128MB
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums

postgresql:
  listen: $address,127.0.0.1:5432
  connect_address: $address:5432
  use_unix_socket: true
  use_unix_socket_repl: true
  bin_dir: /usr/lib/postgresql/15/bin
  data_dir: /var/lib/postgresql/15/main
  pgpass: /var/lib/postgresql/.pgpass_patroni
  authentication:
    superuser:
      username: postgres
      password: superuser-secret
      sslmode: verify-full
      sslrootcert: $tls/ca.crt
    replication:
      username: replicator
      password: replicator-secret
      sslmode: verify-full
      sslrootcert: $tls/ca.crt
    rewind:
      username: rewind
      password: rewind-secret
      sslmode: verify-full
      sslrootcert: $tls/ca.crt
  parameters:
    unix_socket_directories: /var/run/postgresql
    password_encryption: scram-sha-256
    shared_buffers: 64MB
    ssl: "on"
    ssl_cert_file: $tls/postgres.crt
    ssl_key_file: $tls/postgres.key
    ssl_ca_file: $tls/ca.crt
  pg_hba:
    - local all postgres peer
    - local replication postgres,replicator peer map=replication
    - local all pgbouncer peer map=pooler
    - local all all scram-sha-256
    - host all all 127.0.0.1/32 scram-sha-256
$(each_host '    - hostssl replication replicator %a/32 scram-sha-256')
$(each_host '    - hostssl postgres rewind %a/32 scram-sha-256')
    - hostssl all all 10.70.0.0/24 scram-sha-256
  pg_ident:
    - pooler postgres pgbouncer
    - replication postgres replicator
    - replication postgres postgres
  basebackup:
    - checkpoint: fast
  create_replica_methods:
    - basebackup

tags:
  nofailover: false
  noloadbalance: false
  clonefrom: false
  nosync: false
END
chown root:postgres /etc/patroni/config.yml
chmod 0640 /etc/patroni/config.yml
cat > /etc/pgbouncer/pgbouncer.ini <<END
[databases]
* = host=/var/run/postgresql port=5432

[pgbouncer]
listen_addr = $address,127.0.0.1
listen_port = 6432
unix_socket_dir = /var/run/postgresql
logfile = /var/log/postgresql/pgbouncer.log
pidfile = /var/run/postgresql/pgbouncer.pid
auth_type = scram-sha-256
auth_file = /etc/pgbouncer/userlist.txt
auth_user = pgbouncer
auth_query = SELECT usename, passwd FROM public.user_search(\$1)
admin_users = pgbouncer
stats_users = pgbouncer
pool_mode = session
max_client_conn = 4000
default_pool_size = 65
reserve_pool_size = 1
query_wait_timeout = 120
server_login_retry = 1
ignore_startup_parameters = extra_float_digits,geqo,search_path
log_connections = 0
log_disconnections = 0
client_tls_sslmode = require
client_tls_cert_file = $tls/postgres.crt
client_tls_key_file = $tls/postgres.key
client_tls_ca_file = $tls/ca.crt
END
# PgBouncer logs in to PostgreSQL as the system's user postgres; this password is only for its own console.
echo '"pgbouncer" "pgbouncer-secret"' > /etc/pgbouncer/userlist.txt

servers() { each_host "    server %n %a:6432 check ca-file $tls/ca.crt verify required"; }
cat > /etc/haproxy/haproxy.cfg <<END
global
    log /dev/log local0
    chroot /var/lib/haproxy
    stats socket /run/haproxy/admin.sock mode 660 level admin expose-fd listeners
    user haproxy
    group haproxy
    maxconn 8000

defaults
    mode tcp
    log global
    option dontlognull
    retries 3
    option redispatch
    timeout connect 5s
    timeout client 60m
    timeout server 60m
    timeout check 5s
    # Role and pooler in one check: Patroni must answer 200, then PgBouncer must accept a connection.
    option httpchk
    default-server inter 3s fastinter 500ms downinter 1s rise 2 fall 3 on-marked-down shutdown-sessions

listen stats
    bind *:7000
    mode http
    monitor-uri /health
    stats enable
    stats uri /

listen primary
    bind *:5000
    http-check connect port 8008 ssl
    http-check send meth OPTIONS uri /primary
    http-check expect status 200
    http-check connect port 6432
$(servers)

listen replicas
    bind *:5001
    balance leastconn
    http-check connect port 8008 ssl
    http-check send meth OPTIONS uri /replica?lag=100MB
    http-check expect status 200
    http-check connect port 6432
$(servers)
END
cat > /etc/keepalived/keepalived.conf <<END
global_defs {
    router_id $name
    enable_script_security
    script_user root
    vrrp_garp_master_refresh 30
}

vrrp_script haproxy_serves {
    script "/usr/bin/curl --silent --fail --max-time 1 --output /dev/null http://127.0.0.1:7000/health"
    interval 1
    timeout 2
    fall 2
    rise 1
}

vrrp_instance cluster_vip {
    state BACKUP
    nopreempt
    interface eth0
    virtual_router_id 100
    priority $priority
    advert_int 1
    unicast_src_ip $address
    unicast_peer {
$(each_host '        %a' | grep -vxF "        $address")
    }
    authentication {
        auth_type PASS
        auth_pass vrrppass
    }
    virtual_ipaddress {
        $vip
    }
    track_script {
        haproxy_serves
    }
}
END
systemctl start --no-block haproxy pgbouncer
stage files

etcd_cli() { etcdctl --endpoints=https://127.0.0.1:2379 $(as etcd) "$@"; }
until_true 60 etcd_cli --command-timeout=1s endpoint health
stage "etcd has a quorum"
systemctl start --no-block keepalived

in_etcd() { [ -n "$(etcd_cli get --keys-only "/service/$scope/$1")" ]; }
ask() { curl --silent --fail --max-time 1 --cacert "$tls/ca.crt" "$@"; }
answers() { ask --output /dev/null "https://$1:8008/$2"; }
# The leader makes the replicas' slots when its loop comes round, every 10 s. A change that changes nothing wakes it.
wake() { ask --user patroni:patroni-secret -X PATCH -d '{"ttl": 30}' "https://$1:8008/config"; }
leader=$(each_host %a | head -n 1)
if [ "$address" = "$leader" ]; then
    systemctl start patroni
    until_true 60 answers "$leader" primary
    stage "primary"
    runuser -u postgres -- psql -q -v ON_ERROR_STOP=1 -h /var/run/postgresql postgres > /dev/null <<'SQL'
SET password_encryption = 'scram-sha-256';
CREATE ROLE pgbouncer LOGIN PASSWORD 'pgbouncer-secret';
CREATE ROLE app LOGIN PASSWORD 'app-secret';
CREATE ROLE readers;
\set lookup 'CREATE FUNCTION public.user_search(name text) RETURNS TABLE (usename name, passwd text) LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ SELECT usename, passwd FROM pg_shadow WHERE usename = $1 $$; REVOKE ALL ON FUNCTION public.user_search(text) FROM PUBLIC; GRANT EXECUTE ON FUNCTION public.user_search(text) TO pgbouncer;'
:lookup
\connect template1
:lookup
CREATE DATABASE app OWNER app;
\connect app
CREATE EXTENSION pg_trgm;
ALTER DEFAULT PRIVILEGES FOR ROLE app GRANT SELECT ON TABLES TO readers;
SQL
    stage "roles and database"
else
    until_true 60 in_etcd initialize
    systemctl start patroni
    until_true 60 in_etcd "members/$name"
    until_true 60 answers "$leader" primary
    until_true 60 wake "$leader"
    stage "has its slot"
    until_true 120 answers "$address" replica
    stage "replica"
fi
HOST
}

began=$(date +%s.%N)
priority=103
request -x509 -days 3650 -subj /CN=cluster -keyout "$tls/ca.key" -out "$tls/ca.crt"
pids=""
for pair in $hosts; do
    name=${pair%=*} address=${pair#*=}
    issue "$name" "$address" etcd
    issue "$name" "$address" postgres
    {
        files "$name"
        printf "name='%s' address='%s' priority='%s' hosts='%s' vip='%s'\n" "$name" "$address" "$priority" "$hosts" "$vip"
        host_script
    } | on "$address" 'bash -s' &
    pids="$pids $!"
    priority=$((priority - 1))
done
for pid in $pids; do wait "$pid" || { echo "a host failed" >&2; exit 1; }; done

# Proof, from hosts that are not the primary: the application reads through the virtual address, and both replicas stream.
on 10.70.0.13 "
    export PGPASSWORD=app-secret PGCONNECT_TIMEOUT=2 PGSSLMODE=verify-full PGSSLROOTCERT=/etc/ssl/cluster/ca.crt
    until [ \"\$(psql -qAtX -h $vip -p 5000 -U app app -c 'SELECT 1' 2>/dev/null)\" = 1 ]; do sleep 0.05; done" &
proof=$!
on 10.70.0.11 "
    cd /
    until [ \"\$(runuser -u postgres -- psql -qAtX -h /var/run/postgresql postgres -c \
        \"SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'\")\" = 2 ]; do sleep 0.05; done"
wait $proof
echo "deployed in $(echo "$(date +%s.%N) $began" | awk '{ printf "%.1f", $1 - $2 }') s"
