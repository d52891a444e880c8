#!/usr/bin/env python3
"""Turns CHANGELOG.md, on the standard input, into a Debian changelog, without what is unreleased."""

import re
import sys
import textwrap
from datetime import datetime, timezone
from email.utils import format_datetime

MAINTAINER = "Drover maintainers <maintainers@drover.example>"


def releases(text):
    """Version, date and items of each release."""
    for version, date, body in re.findall(r"^## \[([^]\n]+)\] - (\S+)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        yield version, date, [" ".join(item.split()) for item in re.findall(r"^- (.*?)(?=^-|^#|\Z|^$)", body, re.M | re.S)]


def main():
    for version, date, items in releases(sys.stdin.read()):
        day = datetime.fromisoformat(date).replace(tzinfo=timezone.utc)
        print(f"drover ({version}) unstable; urgency=medium\n")
        for item in items:
            print(textwrap.fill(item, 78, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False))
        print(f"\n -- {MAINTAINER}  {format_datetime(day)}\n")


if __name__ == "__main__":
    main()
