#!/bin/sh
# Makes drover_VERSION_amd64.deb and drover-dbgsym_VERSION_amd64.deb: build.sh STAGE VERSION PRODUCTS
set -eu
stage=$1 version=$2 products=$3
packaging=$(cd "$(dirname "$0")/.." && pwd)

# Two trees: the program, and its symbols.
symbols=$stage-dbgsym
mkdir -p "$symbols/usr/lib" "$symbols/usr/share/doc"
mv "$stage/usr/lib/debug" "$symbols/usr/lib/debug"
rmdir "$stage/usr/lib"
ln -s drover "$symbols/usr/share/doc/drover-dbgsym"
build_id=$(find "$symbols" -name '*.debug' | sed 's,.*/\(..\)/\(.*\)\.debug,\1\2,')

documents=$stage/usr/share/doc/drover
# Debian has the licence once.
rm "$documents/LICENSE"
install -D -m 644 "$packaging/debian/lintian-overrides" "$stage/usr/share/lintian/overrides/drover"

# The tools that fill in `control` expect the folder debian/ of a source package.
work=$stage-source
mkdir -p "$work/debian" "$stage/DEBIAN" "$symbols/DEBIAN"
cp "$packaging/debian/control" "$work/debian/control"
"$packaging/debian/changelog.py" <"$packaging/../CHANGELOG.md" >"$work/debian/changelog"
gzip --best --no-name <"$work/debian/changelog" >"$documents/changelog.gz"
cd "$work"
dpkg-shlibdeps -Tsubstvars "$stage/usr/bin/drover"
echo "build:Ids=$build_id" >>substvars
for package in drover drover-dbgsym; do
    tree=$stage
    [ $package = drover ] || tree=$symbols
    (cd "$tree" && find usr -type f -print0 | sort --zero-terminated | xargs --null md5sum >DEBIAN/md5sums)
    dpkg-gencontrol -p$package -P"$tree" -Tsubstvars
    # One thread: the number of threads changes the bytes.
    dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$tree" "$products/${package}_${version}_amd64.deb"
done
