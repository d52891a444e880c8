#!/usr/bin/env python3
"""Makes the pages about the API of the libraries from what `swift build` left, with the catalogue Sources/Drover/Drover.docc.

    api.py FOLDER    for a site that has FOLDER as its folder api/. A warning is an error.
"""

import subprocess
import sys
import tempfile

from summaries import LIBRARIES
from swiftsource import ROOT

BUILD = ROOT / ".build/debug"


def module_maps():
    """Those of the C modules that the libraries, or what they import, are built on."""
    found = [*BUILD.glob("*.build/module.modulemap"), *ROOT.glob(".build/checkouts/*/Sources/*/include/module.modulemap"),
             *ROOT.glob("Sources/*/module.modulemap")]
    return [option for path in found for option in ("-Xcc", f"-fmodule-map-file={path}")]


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(result.stdout)


def main():
    target = subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    triple = target.split('"unversionedTriple": "')[1].split('"')[0]
    with tempfile.TemporaryDirectory() as symbols:
        for library in LIBRARIES:
            run("swift-symbolgraph-extract", "-module-name", library, "-I", BUILD / "Modules", *module_maps(),
                "-target", triple, "-output-dir", symbols, "-minimum-access-level", "public",
                "-skip-synthesized-members")
        # Parameters whose names say everything have no description.
        run("docc", "convert", ROOT / "Sources/Drover/Drover.docc", "--additional-symbol-graph-dir", symbols,
            "--output-path", sys.argv[1], "--fallback-bundle-identifier", "drover", "--fallback-display-name", "Drover",
            "--default-code-listing-language", "swift", "--hosting-base-path", "api", "--warnings-as-errors",
            "--disable-parameters-and-returns-validation")


if __name__ == "__main__":
    main()
