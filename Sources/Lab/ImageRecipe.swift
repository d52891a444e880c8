import Crypto
import SystemPackage

/// All that decides what an image becomes. An image is cached under the digest of its recipe,
/// so a changed line here makes a new image and never alters one that hosts are running on.
struct ImageRecipe {
    var release: Release

    /// What a server has before anybody deploys to it: a small but ordinary Debian.
    ///
    /// `python3` and `python3-apt` are here because real servers have them (cloud-init and unattended-upgrades need them),
    /// and rivals that are measured against Drover do too. `curl` and `sudo` are not: a minimal Debian lacks them. Without
    /// `libpam-systemd` a login starts no `user@0.service`, which would cost more than the login itself.
    var basePackages: [String] {
        [
            "systemd", "systemd-sysv", "dbus", "kmod", "procps", "tzdata", "locales",
            "openssh-server", "iproute2", "iputils-ping", "netbase", "ca-certificates",
            "python3", "python3-apt", "less",
        ]
    }

    /// What the lab's package repository offers, with all that these depend on.
    var repositoryPackages: [String] {
        let version = release.postgresqlVersion
        return [
            "postgresql-\(version)", "postgresql-client-\(version)", "postgresql-common",
            "patroni", "python3-etcd", "etcd-server", "etcd-client",
            "haproxy", "keepalived", "pgbouncer", "pgbackrest",
            "chrony", "sudo", "curl", "nftables", "nginx",
            "prometheus-node-exporter", "prometheus-postgres-exporter",
        ]
    }

    /// Turns a fresh root, `$1`, into that of a host in a lab.
    ///
    /// A host does nothing on its own (a timer that holds apt's lock would make tests flicker), has no host keys yet, and
    /// knows only the lab's repository.
    var customization: String {
        """
        set -eu
        rm -f "$1"/etc/ssh/ssh_host_* "$1"/etc/apt/sources.list
        echo 'deb [trusted=yes] http://\(LabNetwork.controllerAddress)/ ./' > "$1"/etc/apt/sources.list.d/lab.list
        : > "$1"/etc/resolv.conf
        systemctl --root="$1" disable apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer
        systemctl --root="$1" mask console-getty.service getty@tty1.service
        """
    }

    /// Downloads the packages of the repository, in the versions that suit the root `$1`, into the folder `$DROVER_PACKAGES`.
    var download: String {
        """
        set -eu
        export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"
        apt-get install --yes --download-only --no-install-recommends \(repositoryPackages.joined(separator: " "))
        mv "$1"/var/cache/apt/archives/*.deb "$DROVER_PACKAGES"
        """
    }

    /// Makes the folder `$1` of packages a repository that apt can read.
    ///
    /// The modification times of what apt looks at go far back: an empty list of packages that was made just now looks fresh,
    /// and a client that trusts it would never fetch the repository's.
    var indexing: String {
        """
        set -eu
        cd "$1"/packages
        apt-ftparchive packages . > Packages
        gzip --best --keep --no-name Packages
        apt-ftparchive release . > ../Release
        mv ../Release .
        cd "$1"/root
        mkdir -p var/lib/apt/lists/partial var/cache/apt
        touch --date=2000-01-01 var/lib/apt/lists/partial var/lib/apt/lists var/lib/apt var/cache/apt
        """
    }

    /// The command that makes the root of an image, and downloads its packages.
    func rootCommand(image: Image) -> [String] {
        [
            "env", "DROVER_PACKAGES=\(image.packages)",
            "mmdebstrap", "--quiet", "--variant=apt", "--include=" + basePackages.joined(separator: ","),
            "--customize-hook=" + download, "--customize-hook=" + customization, release.rawValue, image.root.string,
        ]
    }

    /// The command that makes the packages of an image a repository.
    func indexCommand(image: Image) -> [String] { ["sh", "-c", indexing, "sh", image.folder.string] }

    /// The name of the image's folder: the release, and twelve hexadecimal digits that change with the recipe.
    var name: String {
        let nowhere = Image(folder: "")
        let text = (rootCommand(image: nowhere) + indexCommand(image: nowhere)).joined(separator: "\0")
        let digits = SHA256.hash(data: Array(text.utf8)).prefix(6).map(Hexadecimal.digits).joined()
        return "\(release.rawValue)-\(digits)"
    }
}
