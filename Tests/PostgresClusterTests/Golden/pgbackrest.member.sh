#!/bin/sh
# Written by Drover; changes made here are overwritten by its next run.
# Makes the backup that a timer asks for: full, diff or incr.
set -eu
backup() { pgbackrest --stanza=demo --type="$1" "$2" backup; }
# All members have the timers; who leads makes the backup.
if ! curl --silent --noproxy '*' --fail --max-time 5 --output /dev/null http://10.0.0.2:8008/primary; then
    echo "this member does not lead: the backup is another's"
    exit 0
fi
backup "$1" --no-backup-standby
