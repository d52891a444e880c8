#!/usr/bin/env python3
"""Finds words in README.md and docs/ that the glossary replaces. Code, example output and generated pages are left out."""

import re
import sys

from markdown import ROOT, is_generated, pages, prose

PROGRAMS = r"(?:Drover|drover|Patroni|PostgreSQL|PgBouncer|HAProxy|etcd|keepalived|pgBackRest|systemd|hosts?|daemons?|members?|clusters?|servers?|runs?|programs?|plans?)"

# What is found, and what stands there instead.
WORDS = [
    (r"\bthe log\b", "WAL, or the server log"),
    (r"\blog positions?\b", "LSN"),
    (r"\bthe archive\b", "the WAL archive"),
    (r"\bwho(ever)? (leads|follows|has|comes|wants|is|was|does|asks)\b", "leader, replica, or a named actor"),
    (r"\bmasters?\b", "leader, primary"),
    (r"\breplicas? of (a|another) replica\b", "cascading replica"),
    (r"\bclusters? that follows?\b", "standby cluster"),
    (r"\b(take|takes|took|taken|taking) over\b", "switchover, failover, or adopt"),
    (r"\bsuccessors?\b", "candidate, or the new leader"),
    (r"\b(handovers?|hands? over|handed over)\b", "leader transition"),
    (r"\b(wants?|wanting) a restart\b", "restart-required, needs a restart"),
    (r"\b(cloned?|mak(e|es)|made) (it |them |this one )?anew\b", "re-clone"),
    (r"\bconsensus store\b", "etcd"),
    (r"\bwithout a vote\b", "learner"),
    (r"\betcd that there (is|was)\b", "external etcd"),
    (r"\bstrangers?\b", "unlisted member"),
    (r"\bauthorit(y|ies)\b", "CA"),
    (r"\b(made|make|makes|making) up\b", "generate"),
    (r"\b(set|sets|setting) aside\b", "retire"),
    (r"\bas it shall be\b", "declared state"),
    (r"\blooks? again\b", "verify"),
    (r"\bcomplain(s|t|ts|ed)?\b", "finding"),
    (r"\bremarks?\b", "notice"),
    (r"\bthis machine\b", "the controller"),
    (r"\bshall\b", "must, or the present tense"),
    (r"\bnobody('s)?\b", "no host, no client, …"),
    (r"\b(is|are) told\b", "Drover prints, reports"),
    (r"\btells? (its|of|that|what)\b", "prints, reports"),
    (r"\bsays? (so|of itself)\b", "prints, reports"),
    (r"\bbears? no\b", "tolerates no"),
    (r"\bis yours to\b", "you must"),
    (r"\bturned (away|over)\b", "refused, rotated"),
    (r"\bmend(s|ed)?\b", "fix"),
    (rf"\b{PROGRAMS} (wants?|hears?|forgets?|knows?|says?|tells?)\b", "prints, reports, requires"),
]


def main():
    found = 0
    for page in pages():
        if is_generated(page):
            continue
        for number, line in prose(page.read_text()):
            for pattern, instead in WORDS:
                match = re.search(pattern, line)
                if match:
                    found += 1
                    print(f"{page.relative_to(ROOT)}:{number}: '{match.group()}'; write: {instead}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
