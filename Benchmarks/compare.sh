#!/bin/bash
# The same 25 resources a host by Drover, ansible-core, mitogen and pyinfra, on fresh lab hosts: what each run costs the
# controller. The rivals come from PyPI into an environment that is thrown away.
#
#   make bench            # 1, 3 and 10 hosts, three rounds; HOSTS=3 ROUNDS=5 make bench for others
set -euo pipefail
cd "$(dirname "$0")/.."
export DROVER=${DROVER:-.build/release/drover}
DROVER=$(realpath "$DROVER")
WORKLOAD=$(realpath "${WORKLOAD:-.build/release/drover-workload}")
LAB=compare$$
FOLDER=$(mktemp -d)
export WORKLOAD LAB FOLDER LC_ALL=C.UTF-8
unset "${!ANSIBLE_@}" "${!PYINFRA_@}" "${!PYTHON@}"
trap '"$DROVER" lab down --name "$LAB"; rm -rf "$FOLDER"' EXIT

echo "fetching the rivals"
/usr/bin/python3 -m venv "$FOLDER/environment"
"$FOLDER/environment/bin/pip" --quiet --disable-pip-version-check install --requirement Benchmarks/requirements.txt
"$FOLDER/environment/bin/python" -B Benchmarks/Comparison/compare.py
