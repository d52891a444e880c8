#!/bin/bash
# The first deployment of inventory/lab.yml, beside the same cluster deployed by hand, in turn and on fresh hosts each time.
#
#   make bench            # three rounds; ROUNDS=5 make bench for more
set -euo pipefail
cd "$(dirname "$0")/.."
drover=$(realpath "${DROVER:-.build/release/drover}")
lab=bench$$
state=/run/drover/lab/$lab
trap '"$drover" lab down --name "$lab"' EXIT

fresh_hosts() {
    "$drover" lab down --name "$lab" >/dev/null
    "$drover" lab up 3 --name "$lab" >/dev/null
    sed "s#/run/drover/lab/lab/#$state/#" inventory/lab.yml >"$state/inventory.yml"
}

# seconds COMMAND...: runs it in the lab and prints how long that took.
seconds() {
    local began=$EPOCHREALTIME
    LAB_STATE=$state "$drover" lab exec --name "$lab" -- "$@" >"$state/log" 2>&1 || { cat "$state/log" >&2; return 1; }
    echo "$EPOCHREALTIME $began" | awk '{ printf "%.1f\n", $1 - $2 }'
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

hand=() drover_times=()
for round in $(seq "${ROUNDS:-3}"); do
    fresh_hosts
    hand+=("$(seconds "$PWD/Benchmarks/deploy-by-hand.sh")")
    fresh_hosts
    drover_times+=("$(seconds "$drover" apply deploy-cluster -i "$state/inventory.yml" --yes)")
    echo "round $round: by hand ${hand[-1]} s, drover ${drover_times[-1]} s"
done
by_hand=$(printf '%s\n' "${hand[@]}" | median)
by_drover=$(printf '%s\n' "${drover_times[@]}" | median)
echo "median: by hand $by_hand s, drover $by_drover s, ratio $(echo "$by_drover $by_hand" | awk '{ printf "%.2f", $1 / $2 }')"
