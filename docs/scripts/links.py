#!/usr/bin/env python3
"""Checks the links between README.md, SECURITY.md, CONTRIBUTING.md and the pages of docs/, and their anchors, without mkdocs.

A test that SECURITY.md names, as `Suite/test`, must exist, too.
"""

import re
import sys

from markdown import ROOT, pages

OTHERS = [ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md"]


def anchors(page):
    found = set()
    for line in page.read_text().splitlines():
        match = re.match(r"#+ (.*)", line)
        if match:
            text = re.sub(r"[^\w\s-]", "", match.group(1).replace("`", "")).strip().lower()
            found.add(re.sub(r"[\s-]+", "-", text))
    return found


def links(page):
    for number, line in enumerate(page.read_text().splitlines(), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            yield number, target


def missing_tests(page):
    for suite, test in re.findall(r"`(\w+Tests)/(\w+)`", page.read_text()):
        files = list((ROOT / "Tests").rglob(f"{suite}.swift"))
        if not any(f"func {test}(" in file.read_text() for file in files):
            yield f"{page.relative_to(ROOT)}: there is no test {suite}/{test}"


def main():
    found = list(missing_tests(ROOT / "SECURITY.md"))
    for page in pages() + OTHERS:
        for number, target in links(page):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            place = f"{page.relative_to(ROOT)}:{number}: {target}"
            if not file.exists():
                found.append(f"{place}: no such file")
            elif anchor and anchor not in anchors(file):
                found.append(f"{place}: no such heading")
    nav = re.findall(r"([\w./-]+\.md)", (ROOT / "mkdocs.yml").read_text())
    found += [f"mkdocs.yml: {name}: no such file" for name in nav if not (ROOT / "docs" / name).exists()]
    found += [f"mkdocs.yml: {page.relative_to(ROOT / 'docs')} is not in the nav" for page in pages()[1:]
              if str(page.relative_to(ROOT / "docs")) not in nav]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
