#!/usr/bin/env python3
"""Turns CHANGELOG.md, on the standard input, into a Debian changelog. What is unreleased has the date of SOURCE_DATE_EPOCH."""

import os
import re
import sys
import textwrap
import time
from datetime import datetime, timezone
from email.utils import format_datetime

MAINTAINER = "Drover maintainers <maintainers@drover.example>"


def releases(text):
    """Version, date and items of each release."""
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        head, body = part.split("\n", 1)
        version, date = re.fullmatch(r"\[(.+?)\] - (\d{4}-\d{2}-\d{2}|Unreleased)", head).groups()
        yield version, date, [" ".join(item.split()) for item in re.findall(r"^- (.*?)(?=^-|^#|\Z|^$)", body, re.M | re.S)]


def main():
    now = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())), timezone.utc)
    for version, date, items in releases(sys.stdin.read()):
        day = now if date == "Unreleased" else datetime.fromisoformat(date).replace(tzinfo=timezone.utc)
        print(f"drover ({version}) unstable; urgency=medium\n")
        for item in items:
            print(textwrap.fill(item, 78, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False))
        print(f"\n -- {MAINTAINER}  {format_datetime(day)}\n")


if __name__ == "__main__":
    main()
