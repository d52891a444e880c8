"""Compares the findings of `drover status` in the sources with the pages of the runbook.

A page of the runbook shows the findings that it is about in a block of the language `finding`: one a line, a severity and
a text with real names in it. Each finding in the sources needs such a line, and each line a finding. The name of the page is
that of its findings.
"""

import difflib
import re

from swiftsource import ROOT, calls, literals, pattern, words

SOURCES = sorted((ROOT / "Sources/PostgresCluster").glob("Health/*.swift")) + [
    ROOT / "Sources/PostgresCluster/State/BackupStatus.swift",
    ROOT / "Sources/PostgresCluster/State/StatusReader.swift",
]
SEVERITIES = ["critical", "warning", "note"]


class Finding:
    def __init__(self, name, severities, pieces):
        # `etcdNoQuorum` is on the page etcd-no-quorum.
        self.name = re.sub("[A-Z]", lambda letter: "-" + letter.group().lower(), name.lstrip("."))
        self.severities = severities
        self.pieces = pieces

    def matches(self, severity, text):
        return severity in self.severities and pattern(self.pieces).fullmatch(text)

    @property
    def words(self):
        return words(self.pieces)


def existing():
    found = []
    for path in SOURCES:
        source = path.read_text()
        for arguments in list(calls(source, "Finding")) + list(calls(source, "find")):
            found += made(arguments, source)
        for arguments in calls(source, "check"):
            parameter, value, severity, consequence, _ = arguments
            texts = [literals(argument)[0][0] for argument in (parameter, value)]
            pieces = [f"{texts[0]} is {texts[1]} on ", None, ": "] + literals(consequence)[0]
            found.append(Finding("dataNotDurable", [severity.lstrip(".")], pieces))
    # Several places can report the same.
    return list({(finding.words, *finding.severities): finding for finding in found}.values())


def made(arguments, source):
    if len(arguments) != 4 or not arguments[0].startswith("."):
        return []
    name, severity, text, _ = arguments
    severities = [name for name in SEVERITIES if re.search(rf"\.{name}\b", severity)] or SEVERITIES
    texts = literals(text)
    if not texts and re.fullmatch(r"\w+", text):
        declared = re.search(rf"let {text} =\s*((?:\"[^\n]*\n?\s*\+?\s*)+)", source)
        texts = literals(declared.group(1)) if declared else []
    if not texts and text == "$0":
        # A host that does not answer: its name, and the error of the connection.
        texts = [[None, ": ", None]]
    # What is filled in alone is one of the settings, which `check` names.
    return [Finding(name, severities, pieces) for pieces in texts if pieces != [None, " is ", None, " on ", None, ": ", None]]


def documented():
    """The findings in the runbook: page, severity, text."""
    for page in sorted((ROOT / "docs/runbook").glob("*.md")):
        for block in re.findall(r"^```finding\n(.*?)^```", page.read_text(), re.M | re.S):
            for line in block.splitlines():
                severity, text = line.split(None, 1)
                yield page, severity, text.strip()


def assigned():
    """Each finding of the sources with the page that has it, and what fits nothing."""
    findings, pages, problems = existing(), {}, []
    for page, severity, text in documented():
        # Where several fit, the one with the most text of its own counts.
        fitting = [finding for finding in findings if finding.matches(severity, text)]
        if fitting:
            best = max(fitting, key=lambda finding: sum(len(piece) for piece in finding.pieces if piece))
            pages.setdefault(id(best), []).append(page)
            if page.stem != best.name:
                problems.append(
                    f"{page.relative_to(ROOT)}: drover status names the finding '{severity}  {text}' {best.name}, not "
                    f"{page.stem}")
        else:
            nearest = difflib.get_close_matches(text, [finding.words for finding in findings], 1, 0)
            problems.append(
                f"{page.relative_to(ROOT)}: drover status has no finding '{severity}  {text}'; the nearest is '{nearest[0]}'")
    return findings, pages, problems


def unmatched_findings():
    findings, pages, problems = assigned()
    return problems + [
        f"docs/runbook: no page for the finding '{'/'.join(finding.severities)}  {finding.words}'"
        for finding in findings if id(finding) not in pages
    ]


def findings_page():
    findings, pages, _ = assigned()
    text = "# Findings\n\n`drover status` reports these. Each has a page in the [runbook](../runbook/index.md). "
    text += "`…` stands for names and numbers. A critical finding means that the cluster does not serve, or that data is in "
    text += "danger; a warning that it will not serve for long, or not after the next failure. "
    text += "The name of a page is the `name` of its findings in `--json` and `--openmetrics`.\n\n"
    text += "| Severity | Finding | Page |\n|---|---|---|\n"
    for finding in findings:
        for page in dict.fromkeys(pages.get(id(finding), [])):
            title = re.search(r"^# (.*)$", page.read_text(), re.M).group(1)
            sentence = finding.words.replace("|", "\\|").replace("<", "&lt;")
            text += f"| {', '.join(finding.severities)} | {sentence} | [{title}](../runbook/{page.name}) |\n"
    return text
