#!/bin/sh
# Builds the packages of the commit that is checked out, into .build/package/VERSION/. Two builds of a commit with the same
# dependencies and compiler have the same digests, in whatever folder: see packaging/reproduce.sh.
set -eu
cd "$(dirname "$0")/.."
repository=$PWD
work=$repository/.build/package
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
[ -z "$(git status --porcelain)" ] || echo "package.sh: uncommitted changes are not packaged" >&2

# What git has, and nothing else.
rm -rf "$work/source" "$work/stage"
mkdir -p "$work/source" "$work/stage"
git archive "$commit" | tar --extract --directory="$work/source"
[ ! -e Package.resolved ] || cp Package.resolved "$work/source"
cd "$work/source"
version=$(sed -n 's/.*let current = "\(.*\)"/\1/p' Sources/DroverCLI/ProgramVersion.swift)
name=drover-$version
products=$work/$version
rm -rf "$products"
mkdir "$products"

# Sources of packages are compiled by whoever has them: they say nothing of our compiler.
origin=Sources/DroverCLI/BuildOrigin.swift
cp "$origin" "$work/BuildOrigin.swift"
compiler=$(swift --version 2>/dev/null | sed -n 's/^\(Swift version .*)\)$/\1/p')
sed -i -e "s/commit: String? = nil/commit: String? = \"$commit\"/" \
    -e "s/compiler: String? = nil/compiler: String? = \"$compiler\"/" "$origin"
# Paths of this machine become those of the sources, in symbols and in messages. Digests of paths are in the names of compiled
# C modules, which symbols have as breadcrumbs, and in the marks of incremental code generation.
swift build --configuration release --static-swift-stdlib --product drover --scratch-path "$work/build" \
    -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
    -Xswiftc -file-prefix-map -Xswiftc "$work=/usr/src/drover" -Xcc "-ffile-prefix-map=$work=/usr/src/drover"
cp "$work/BuildOrigin.swift" "$origin"
program=$work/build/release/drover

stage() { # FOLDER ZSH_COMPLETIONS
    DESTDIR=$work/stage/$1 ZSH_COMPLETIONS=$2 sh packaging/install.sh "$program" /usr
    documents=$work/stage/$1/usr/share/doc/drover
    install -d "$documents"
    install -m 644 README.md LICENSE packaging/debian/copyright "$documents"
    gzip --best --no-name <CHANGELOG.md >"$documents/CHANGELOG.md.gz"
    install -m 644 "$products/$name.spdx.json" "$documents/drover.spdx.json"
}
packaging/sbom.py "$work/build/checkouts" "$work/source/Package.resolved" "$version" "$commit" >"$products/$name.spdx.json"

stage deb zsh/vendor-completions
sh packaging/debian/build.sh "$work/stage/deb" "$version" "$products"

stage other zsh/site-functions
sh packaging/rpm/build.sh "$work/stage/other" "$version" "$products"

# The program finds share/ beside bin/, in any folder.
mv "$work/stage/other/usr" "$work/stage/$name"
tar --create --directory="$work/stage" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX --format=gnu --exclude="$name/lib" "$name" | xz --threads=1 >"$products/$name-linux-amd64.tar.xz"

cd "$products"
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
