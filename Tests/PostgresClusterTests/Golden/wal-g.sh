#!/bin/sh
# Written by Drover; changes made here are overwritten by its next run.
# Makes the backup that a timer asks for: full, diff (of the newest full one) or incr (of the newest one). Then those go that
# are no longer wanted.
set -eu
walg() { /usr/local/bin/wal-g --config /var/lib/postgresql/.walg.json "$@"; }
# All members have the timers; who leads makes the backup.
if ! curl --silent --noproxy '*' --fail --max-time 5 --output /dev/null http://10.0.0.2:8008/primary; then
    echo "this member does not lead: the backup is another's"
    exit 0
fi
case ${1:-} in
full) walg backup-push --full /var/lib/postgresql/15/main ;;
diff | incr)
    WALG_DELTA_ORIGIN=LATEST
    [ "$1" = incr ] || WALG_DELTA_ORIGIN=LATEST_FULL
    export WALG_DELTA_ORIGIN
    walg backup-push /var/lib/postgresql/15/main ;;
*)
    echo "say which backup: full, diff or incr"
    exit 2 ;;
esac
walg delete retain FULL 4 --confirm
