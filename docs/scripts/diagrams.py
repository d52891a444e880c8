#!/usr/bin/env python3
"""Draws docs/diagrams/*.dot as SVG with graphviz. With --check it only compares digests, and needs no graphviz."""

import hashlib
import re
import subprocess
import sys

from markdown import ROOT


def digest(source):
    return hashlib.sha256(source.read_bytes()).hexdigest()[:16]


def draw(source):
    svg = subprocess.run(["dot", "-Tsvg", source], check=True, capture_output=True, text=True).stdout
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.S)
    # Its width follows the page, up to its own.
    svg = re.sub(r'<svg width="(\d+)pt" height="\d+pt"', r'<svg width="\1"', svg)
    head, body = svg.split("<svg", 1)
    source.with_suffix(".svg").write_text(f"{head}<!-- {source.name} {digest(source)}: make docs-diagrams -->\n<svg{body}")


def main():
    stale = []
    for source in sorted((ROOT / "docs/diagrams").glob("*.dot")):
        if sys.argv[1:] != ["--check"]:
            draw(source)
        drawn = source.with_suffix(".svg")
        if not drawn.exists() or f"{source.name} {digest(source)}:" not in drawn.read_text():
            stale.append(f"{drawn.relative_to(ROOT)} is not drawn from {source.name}: run make docs-diagrams")
    print("\n".join(stale), end="\n" if stale else "")
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
