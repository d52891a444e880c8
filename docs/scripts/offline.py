#!/usr/bin/env python3
"""Fails when a page of the built site would load something from another server when it is viewed."""

import re
import sys
from pathlib import Path

LOADS = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed)\b[^>]*\bsrc=["']?(?:https?:)?//[^"' >]+"""
    r"""|<link\b(?![^>]*rel=["']?canonical)[^>]*\bhref=["']?(?:https?:)?//[^"' >]+"""
    r"""|url\(["']?(?:https?:)?//[^)]+\)|@import\s+["'](?:https?:)?//[^"']+""")


def main():
    found = [
        f"{path}: {match.group()}"
        for path in sorted(Path(sys.argv[1]).rglob("*")) if path.suffix in (".html", ".css", ".svg")
        for match in LOADS.finditer(path.read_text(errors="replace"))
    ]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
