#!/bin/sh
# Written by Drover; changes made here are overwritten by its next run.
# Makes the backup that a timer asks for: full, diff or incr.
set -eu
backup() { pgbackrest --stanza=demo --type="$1" "$2" backup; }
# A replica spares the leader the reading; without one that is fit for it, the leader reads.
backup "$1" --backup-standby || backup "$1" --no-backup-standby
