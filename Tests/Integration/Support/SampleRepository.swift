import Foundation
import Testing

/// A signed package repository with some versions of the package `drover-sample`, which restarts `sample.service` when it
/// is installed, and an archive with a tool.
enum SampleRepository {
    static func make(in folder: String) async throws {
        try await shell(
            """
            mkdir -p "$1/repository" "$1/tool-1/bin" && cd "$1"
            for version in 1.0 1.1 2.0; do
                mkdir -p "deb/DEBIAN"
                printf '%s\\n' 'Package: drover-sample' "Version: $version" 'Architecture: all' \\
                    'Maintainer: nobody <nobody@example.org>' 'Description: sample' >deb/DEBIAN/control
                printf '%s\\n' '#!/bin/sh' 'deb-systemd-invoke restart sample.service' >deb/DEBIAN/postinst
                chmod 755 deb/DEBIAN/postinst
                dpkg-deb --build deb "repository/drover-sample_${version}_all.deb"
            done
            echo tool >tool-1/bin/tool && chmod 755 tool-1/bin/tool
            tar --owner=1234 --group=1234 -czf tool.tar.gz tool-1
            """, folder)
        try await makeKey("first", in: folder)
        try await shell(
            """
            cd "$1/repository"
            apt-ftparchive packages . >Packages && apt-ftparchive release . >../Release && mv ../Release .
            GNUPGHOME="$1/first" gpg --batch --clearsign --output InRelease Release
            """, folder)
    }

    /// Makes a key, and `key.asc` of its public half.
    static func makeKey(_ name: String, in folder: String) async throws {
        try await shell(
            """
            mkdir -m 700 "$1/$2" && export GNUPGHOME="$1/$2"
            gpg --batch --passphrase '' --quick-generate-key "$2@example.org" ed25519 sign
            gpg --batch --yes --armor --output "$1/key.asc" --export "$2@example.org"
            gpgconf --kill all
            """, folder, name)
    }

    static func push(from folder: String, to host: String, of lab: TestLab) async throws {
        let data = try await Command.run([
            "sh", "-c", "tar -C \"$1\" -c repository tool.tar.gz key.asc | base64 -w 0", "sh", folder,
        ])
        try await lab.must(on: host, "base64 -d <<'END' | tar -x -C /srv --no-same-owner\n\(data.output)\nEND")
    }

    /// Gets the key and the archive back from a host to which they were pushed.
    static func fetch(to folder: String, from host: String, of lab: TestLab) async throws {
        let data = try await lab.must(on: host, "tar -C /srv -c tool.tar.gz key.asc | base64 -w 0")
        try await shell(#"mkdir -p "$1"; echo "$2" | base64 -d | tar -C "$1" -x"#, folder, data)
    }

    private static func shell(_ script: String, _ words: String...) async throws {
        let result = try await Command.run(["sh", "-e", "-c", script, "sh"] + words)
        try #require(result.status == 0, "\(result.everything)")
    }
}
