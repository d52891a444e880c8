#!/bin/sh
# Installs the package with apt on a bare Debian and tries it: try.sh PRODUCTS RELEASE, as root. The root is thrown away.
set -eu
products=$(cd "$1" && pwd) release=$2
root=$(mktemp --directory)
finish() {
    umount --lazy "$root/dev" "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap finish EXIT
mmdebstrap --quiet --variant=apt "$release" "$root"
cp "$products"/drover_*.deb "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind --make-rslave /dev "$root/dev"
in_root() { env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive HOME=/root chroot "$root" "$@"; }

in_root apt-get -q update
in_root sh -c 'apt-get -q install --yes /tmp/drover_*.deb'
cat >"$root/tmp/try" <<'COMMANDS'
set -eux
cd /root
drover --version
drover playbooks
drover inventory -i lab.yml --graph
drover init mine
grep package mine/Package.swift
ls /usr/share/man/man1 /usr/share/bash-completion/completions 2>/dev/null | grep drover || true
COMMANDS
in_root sh /tmp/try
