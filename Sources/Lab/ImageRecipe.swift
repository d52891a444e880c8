import Crypto
import SystemPackage

/// All that decides what an image becomes. An image is cached under the digest of its recipe,
/// so a changed line here makes a new image and never alters one that hosts are running on.
struct ImageRecipe {
    var release: Release
    /// Whether the repository's packages are installed already. None of their daemons starts by itself.
    var isPrepared = false

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
    /// knows only the lab's repository. It runs no generators of units for disks and consoles that it cannot have, which
    /// would take half of the time of each `systemctl daemon-reload`.
    var customization: String {
        """
        set -eu
        rm -f "$1"/etc/ssh/ssh_host_* "$1"/etc/apt/sources.list
        echo 'deb [trusted=yes] http://\(LabNetwork.controllerAddress)/ ./' > "$1"/\(sources)
        : > "$1"/etc/resolv.conf
        systemctl --root="$1" disable apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer
        systemctl --root="$1" mask console-getty.service getty@tty1.service
        mkdir -p "$1"/etc/systemd/system-generators
        for name in cryptsetup debug getty gpt-auto hibernate-resume integritysetup rc-local run system-update \
            veritysetup
        do ln -s /dev/null "$1"/etc/systemd/system-generators/systemd-$name-generator; done
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
        \(forgetting)
        """
    }

    /// Lets the root that is the working directory forget all that apt read.
    private var forgetting: String {
        """
        rm -rf var/lib/apt/lists/* var/cache/apt/*
        mkdir -p var/lib/apt/lists/partial
        touch --date=2000-01-01 var/lib/apt/lists/partial var/lib/apt/lists var/lib/apt var/cache/apt
        """
    }

    /// Makes the image in the folder `$2` from that in `$1`, in a mount namespace of its own: the packages of the
    /// repository are installed, with no database cluster of Debian's making, and which units start is as before.
    var preparation: String {
        """
        set -eu
        cp --archive "$1"/root "$2"
        cp --archive --link "$1"/packages "$2"
        cd "$2"/root
        cp --archive etc/systemd/system \(sources) ..
        mkdir -p etc/postgresql-common/createcluster.d
        echo 'create_main_cluster = false' > etc/postgresql-common/createcluster.d/lab.conf
        printf '#!/bin/sh\\nexit 101\\n' > usr/sbin/policy-rc.d
        chmod 755 usr/sbin/policy-rc.d
        echo 'deb [trusted=yes] file:/mnt ./' > \(sources)
        mount --bind ../packages mnt
        mount --bind /dev dev
        mount -t proc proc proc
        export DEBIAN_FRONTEND=noninteractive
        chroot . apt-get -q update
        chroot . apt-get -q install --yes --no-install-recommends -o DPkg::Options::=--force-unsafe-io \
            \(repositoryPackages.joined(separator: " "))
        umount mnt dev proc
        rm -r etc/postgresql-common/createcluster.d/lab.conf usr/sbin/policy-rc.d etc/systemd/system
        mv ../system etc/systemd/system
        mv ../lab.list \(sources)
        \(forgetting)
        """
    }

    private var sources: String { "etc/apt/sources.list.d/lab.list" }

    /// The recipe of the image that this one is made from.
    var bare: ImageRecipe { ImageRecipe(release: release) }

    /// The command that makes a prepared image from one that is not.
    func preparationCommand(from bare: Image, to image: Image) -> [String] {
        ["unshare", "--mount", "sh", "-c", preparation, "sh", bare.folder.string, image.folder.string]
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
        var commands = rootCommand(image: nowhere) + indexCommand(image: nowhere)
        if isPrepared { commands += preparationCommand(from: nowhere, to: nowhere) }
        let text = commands.joined(separator: "\0")
        let digits = SHA256.hash(data: Array(text.utf8)).prefix(6).map(Hexadecimal.digits).joined()
        return "\(release.rawValue)-\(digits)"
    }
}
