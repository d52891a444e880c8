#!/bin/sh
# Installs a built program with all that belongs to it: install.sh PROGRAM PREFIX, under DESTDIR if that is set.
# ZSH_COMPLETIONS is the folder, below PREFIX/share, in which the system's zsh looks.
set -eu
cd "$(dirname "$0")/.."
program=$1
prefix=${DESTDIR:-}$2
share=$prefix/share
version=$(sed -n 's/.*let current = "\(.*\)"/\1/p' Sources/DroverCLI/ProgramVersion.swift)

# Debuggers find the symbols, which take two thirds of the program, by its build ID.
id=$(readelf --notes "$program" | sed -n 's/.*Build ID: //p')
symbols=${DESTDIR:-}/usr/lib/debug/.build-id/$(echo "$id" | cut -c-2)/$(echo "$id" | cut -c3-).debug
install -d "$prefix/bin" "$(dirname "$symbols")"
objcopy --only-keep-debug --compress-debug-sections "$program" "$symbols"
objcopy --strip-all --remove-section=.comment "$program" "$prefix/bin/drover"
chmod 644 "$symbols"

# copy FOLDER PATH...: the files at these paths that git would keep.
copy() {
    folder=$1
    shift
    find "$@" \( -name '.build*' -o -name '.swiftpm' -o -name Package.resolved \) -prune -o -type f -print |
        while read -r file; do install -D -m 644 "$file" "$folder/$file"; done
}
copy "$share/drover" templates inventory starter
# What the packages of `drover init` build with; its tests stay here.
copy "$share/drover/package" Package.swift Sources playbooks

install -d "$share/man/man1"
python3 packaging/manual.py "$program" "$version" "$share/man/man1"
gzip --best --no-name --force "$share"/man/man1/*.1

completions() { # SHELL FILE
    install -d "$(dirname "$share/$2")"
    # A completion is read, not run.
    "$program" --generate-completion-script "$1" | sed '1{/^#!/d}' >"$share/$2"
    chmod 644 "$share/$2"
}
completions bash bash-completion/completions/drover
completions zsh "${ZSH_COMPLETIONS:-zsh/site-functions}/_drover"
completions fish fish/vendor_completions.d/drover.fish
