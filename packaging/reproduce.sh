#!/bin/sh
# Builds the packages of the commit twice, in two folders whose names differ in length, and compares the digests.
set -eu
repository=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
for folder in "$work/one" "$work/another-folder"; do
    git clone --quiet "$repository" "$folder"
    # The same dependencies.
    cp "$repository/Package.resolved" "$folder"
    sh "$folder/packaging/package.sh"
    cp "$folder"/.build/package/*/SHA256SUMS "$folder.sums"
done
diff "$work/one.sums" "$work/another-folder.sums"
echo "The digests are the same."
