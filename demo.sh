#!/bin/sh
# `make demo`: three hosts on this machine become a PostgreSQL cluster. The lab stays up to be played with.
set -eu
cd "$(dirname "$0")"
drover=${DROVER:-.build/release/drover}
inventory=inventory/lab.yml

say() { printf '\n\033[1m── %s\033[0m\n' "$*"; }
in_lab() { "$drover" lab exec -- "$@"; }
on() { host=$1; shift; in_lab ssh -n -q -i /run/drover/lab/lab/id_ed25519 \
    -o UserKnownHostsFile=/run/drover/lab/lab/known_hosts "root@10.70.0.1$host" "$@"; }
sql() { on 1 "PGPASSWORD=lab-app psql -h 10.70.0.100 -p $1 -U app app -XAtqc \"$2\""; }

say "Three hosts, each with systemd, sshd and nothing else"
"$drover" lab down
"$drover" lab up 3

say "What deploy-cluster would change (without --no-diff also in each file)"
in_lab "$drover" plan deploy-cluster -i "$inventory" --no-diff

say "The deployment"
in_lab "$drover" apply deploy-cluster -i "$inventory" --no-diff --yes

say "The cluster as it is"
in_lab "$drover" status -i "$inventory"

say "A row, written through the address and read from a replica"
sql 5000 "CREATE TABLE greetings (text text); INSERT INTO greetings VALUES ('hello from the leader')"
tries=0
query="SELECT text || ', read from a replica at ' || pg_last_wal_replay_lsn() FROM greetings WHERE pg_is_in_recovery()"
until row=$(sql 5001 "$query" 2>/dev/null) && [ -n "$row" ]; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || { echo "no replica has the row"; exit 1; }
done
echo "$row"

say "A second run"
in_lab "$drover" apply deploy-cluster -i "$inventory" --yes

cat <<TEXT

What to try next:
  $drover lab kill pg1            # the leader's host loses its power …
  $drover lab exec -- $drover status -i lab.yml
  $drover lab start pg1           # … and comes back as a replica
  \$EDITOR inventory/lab.yml       # change haproxy_maxconn, then
  $drover lab exec -- $drover apply deploy-cluster -i lab.yml
  $drover lab down                # removes all of it
TEXT
