#!/bin/sh
# Installs the package with apt on a bare Debian and tries it: try.sh PRODUCTS RELEASE, as root. The root is thrown away.
set -eu
products=$(cd "$1" && pwd)
release=$2
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
in_root() {
    env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
in_root apt-get -q update
in_root sh -c 'apt-get -q install --yes /tmp/drover_*.deb'
in_root sh -eux <<'COMMANDS'
cd /root
drover --version
drover inventory -i lab.yml --graph
# Everything is read, and checked, before the first connection: there is no such host here.
status=0
drover plan deploy-cluster -i lab.yml >/tmp/plan 2>&1 || status=$?
[ "$status" = 4 ] || { cat /tmp/plan; exit 1; }
drover init mine
cat mine/Package.swift
for program in apt-ftparchive busybox ip mmdebstrap nsenter ssh-keygen systemd-nspawn; do command -v "$program"; done
COMMANDS
echo "The package works on a bare Debian $release."
