#!/usr/bin/env python3
"""Prints what a released program consists of, as SPDX 2.3: the Swift packages, what is linked, what it loads.

    sbom.py CHECKOUTS RESOLVED VERSION COMMIT    the date is that of SOURCE_DATE_EPOCH
"""

import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

SWIFT_LICENSE = "Apache-2.0 WITH Swift-exception"
# Debian's packages of the libraries that the program loads, and their licences.
LIBRARIES = {"libssh2-1": ("libssh2", "BSD-3-Clause"), "libyaml-0-2": ("libyaml", "MIT")}


def license_of(checkout):
    text = next(checkout.glob("LICENSE*")).read_text()
    if "Apache License" not in text:
        sys.exit(f"sbom.py: {checkout.name} has another licence than the Apache License: add it here")
    return SWIFT_LICENSE if "Runtime Library Exception" in text else "Apache-2.0"


def package(name, version, license, location, url, **more):
    return {
        "SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version, "downloadLocation": location,
        "filesAnalyzed": False, "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": url}],
    } | more


def swift_packages(checkouts, resolved):
    for pin in json.loads(resolved.read_text())["pins"]:
        location, state = pin["location"].removesuffix(".git"), pin["state"]
        yield package(
            pin["identity"], state["version"], license_of(checkouts / Path(location).name),
            f"git+{location}.git@{state['revision']}",
            f"pkg:swift/{location.removeprefix('https://')}@{state['version']}")


def bundled(checkouts):
    """What packages and the compiler bring along."""
    crypto = (checkouts / "swift-crypto/Package.swift").read_text()
    commit = re.search(r"BoringSSL Commit: (\w+)", crypto).group(1)
    yield package("boringssl", commit, "Apache-2.0", f"git+https://boringssl.googlesource.com/boringssl@{commit}",
                  f"pkg:generic/boringssl@{commit}", comment="part of swift-crypto")
    version = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
    yield package("swift", version, SWIFT_LICENSE, "https://swift.org/download", f"pkg:generic/swift@{version}",
                  comment="the standard library, Foundation and Dispatch are linked statically")


def libraries():
    for debian, (name, license) in LIBRARIES.items():
        version = output("dpkg-query", "--show", "--showformat=${Version}", debian)
        yield package(name, version, license, "NOASSERTION", f"pkg:deb/debian/{debian}@{version}",
                      comment="loaded from the system; the version is the one that was built with")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    checkouts, resolved, version, commit = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    date = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    root = package("drover", version, "Apache-2.0", "NOASSERTION", f"pkg:generic/drover@{version}", sourceInfo=f"commit {commit}")
    parts = [*swift_packages(checkouts, resolved), *bundled(checkouts)]
    loaded = list(libraries())
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", root)]
    relations += [(root["SPDXID"], "STATIC_LINK", part) for part in parts]
    relations += [(root["SPDXID"], "DYNAMIC_LINK", library) for library in loaded]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"drover-{version}",
        "documentNamespace": f"https://drover.example/spdx/drover-{version}-{commit}",
        "creationInfo": {"created": date.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: drover-packaging"]},
        "packages": [root, *parts, *loaded],
        "relationships": [
            {"spdxElementId": source, "relationshipType": kind, "relatedSpdxElement": target["SPDXID"]}
            for source, kind, target in relations
        ],
    }
    json.dump(document, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
