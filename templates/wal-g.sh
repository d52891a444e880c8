#!/bin/sh
# Written by Drover; changes made here are overwritten by its next run.
# Makes the backup that a timer asks for: full, diff (of the newest full one) or incr (of the newest one). Then those go that
# are no longer wanted.
set -eu
walg() { {{ program | line }} --config {{ settings | line }} "$@"; }
# All members have the timers; who leads makes the backup.
if ! {{ leads | line }}; then
    echo "this member does not lead: the backup is another's"
    exit 0
fi
case ${1:-} in
full) walg backup-push --full {{ data_directory }} ;;
diff | incr)
    WALG_DELTA_ORIGIN=LATEST
    [ "$1" = incr ] || WALG_DELTA_ORIGIN=LATEST_FULL
    export WALG_DELTA_ORIGIN
    walg backup-push {{ data_directory }} ;;
*)
    echo "say which backup: full, diff or incr"
    exit 2 ;;
esac
walg delete retain FULL {{ retention }} --confirm
