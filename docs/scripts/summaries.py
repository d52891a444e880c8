#!/usr/bin/env python3
"""Checks the documentation comments of the libraries that packages of others use: each public type has one, and that of each
resource has an example. Tests compile the examples."""

import re
import sys

from swiftsource import ROOT, doc_comment

LIBRARIES = ["Diagnostics", "Secrets", "Vault", "YAML", "Templates", "Inventory", "Engine", "SystemResources",
             "PostgresCluster", "DroverCLI", "DroverTesting"]
TYPE = re.compile(r"^ *public (?:indirect |final )*(?:struct|enum|class|actor|protocol|typealias) (\w+)", re.M)
RESOURCE = re.compile(r"((?:^///.*\n)*)^public struct (\w+): (?:[^{\n]*\W)?Resource\b", re.M)
EXAMPLES = ROOT / "Tests/SystemResourcesTests/DocumentedExampleTests.swift"


def unspaced(text):
    return re.sub(r"\s+", "", text)


def undocumented():
    for library in LIBRARIES:
        for path in sorted((ROOT / "Sources" / library).rglob("*.swift")):
            source = path.read_text()
            for match in TYPE.finditer(source):
                if not doc_comment(source, match.start()):
                    line = source.count("\n", 0, match.start()) + 1
                    yield f"{path.relative_to(ROOT)}:{line}: {match.group(1)} has no documentation comment"


def uncompiled_examples():
    compiled = unspaced(EXAMPLES.read_text())
    for path in sorted((ROOT / "Sources/SystemResources").glob("*.swift")):
        for comment, name in RESOURCE.findall(path.read_text()):
            example = "".join(re.findall(r"^///     (.*)$", comment, re.M))
            if not example:
                yield f"{path.relative_to(ROOT)}: the documentation of {name} has no example"
            elif unspaced(example) not in compiled:
                yield f"{path.relative_to(ROOT)}: the example of {name} is not in {EXAMPLES.name}"
    for path in sorted((ROOT / "Sources/Drover/Drover.docc").glob("*.md")):
        for example in re.findall(r"^```swift\n(.*?)^```", path.read_text(), re.M | re.S):
            if unspaced(example) not in compiled:
                yield f"{path.relative_to(ROOT)}: an example is not in {EXAMPLES.name}"


def main():
    problems = [*undocumented(), *uncompiled_examples()]
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
