#!/bin/sh
# Builds the packages of the commit twice, in two folders whose names differ in length, and compares the digests.
set -eu
repository=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
resolved=$repository/Package.resolved
for folder in "$work/one" "$work/another-folder"; do
    git clone --quiet "$repository" "$folder"
    # The same dependencies: those of the repository, or those that the first build has found.
    [ ! -e "$resolved" ] || cp "$resolved" "$folder"
    sh "$folder/packaging/package.sh"
    resolved=$work/Package.resolved
    cp "$folder/.build/package/source/Package.resolved" "$resolved"
    cp "$folder"/.build/package/*/SHA256SUMS "$folder.sums"
    # Room for the next one.
    rm -rf "$folder"
done
diff "$work/one.sums" "$work/another-folder.sums"
echo "The digests are the same."
