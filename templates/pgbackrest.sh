#!/bin/sh
# Written by Drover; changes made here are overwritten by its next run.
# Makes the backup that a timer asks for: full, diff or incr.
set -eu
backup() { pgbackrest --stanza={{ stanza }} --type="$1" "$2" backup; }
{% if leads is not none %}
# All members have the timers; who leads makes the backup.
if ! {{ leads | line }}; then
    echo "this member does not lead: the backup is another's"
    exit 0
fi
{% endif %}
{% if spares_leader %}
# A replica spares the leader the reading; without one that is fit for it, the leader reads.
backup "$1" --backup-standby || backup "$1" --no-backup-standby
{% else %}
backup "$1" --no-backup-standby
{% endif %}
