#!/usr/bin/env python3
"""Checks the code in README.md and docs/: YAML and JSON parse, shell and Swift have a valid syntax, quoted sources are those of
the repository, and each command of Drover exists with its options. PROGRAM is a built drover."""

import json
import re
import shlex
import subprocess
import sys

import yaml

from markdown import ROOT, blocks, is_generated, pages


class Loader(yaml.SafeLoader):
    """Reads what inventories have: tags of Ansible's vault and of Drover."""


Loader.add_multi_constructor("!", lambda loader, suffix, node: None)


class CommandLine:
    def __init__(self, program):
        dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout
        self.root = json.loads(dump)["command"]

    def problem(self, words):
        """What is wrong with a command after the word `drover`."""
        command, known = self.root, set()
        # Where a page means any playbook.
        words = ["deploy-cluster" if word == "PLAYBOOK" else word for word in words]
        if words[:1] in (["plan"], ["apply"]) and "--plan" not in words and words[1:2] and words[1].startswith("-"):
            words.insert(1, "deploy-cluster")
        for at, word in enumerate(words):
            children = {child["commandName"]: child for child in command.get("subcommands", [])}
            if word == "--":
                nested = words[at + 1 :]
                return self.problem(nested[1:]) if nested[:1] == ["drover"] else None
            if word in children:
                command = children[word]
            elif word.startswith("-") and word != "-":
                names = {name for argument in command.get("arguments", []) for name in self.names(argument)}
                if word == "--generate-completion-script":
                    return None
                if word.split("=")[0] not in names:
                    return f"'{command['commandName']}' has no option {word}"
                known.add(word)
            elif children and not word.isupper() and "--plan" not in known:
                return f"'{command['commandName']}' has no subcommand {word}"
        return None

    @staticmethod
    def names(argument):
        return [("-" if name["kind"] == "short" else "--") + name["name"] for name in argument.get("names") or []]


def commands(text):
    """The commands of Drover in a shell text, as lists of words."""
    for line in text.replace("\\\n", " ").splitlines():
        line = line.removeprefix("$ ").strip()
        if not re.match(r"(sudo )?drover( |$)", line):
            continue
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            continue
        cut = [at for at, word in enumerate(words) if word in ("|", ">", "&&", ";", "||")]
        yield words[words.index("drover") + 1 : cut[0] if cut else None]


def shell_problem(text):
    script = "\n".join(re.sub(r"^\$ ", "", line) for line in text.splitlines())
    result = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
    return result.stderr.strip() or None


def quotation_problem(block):
    """Whether a block that names a file of the repository is a part of it; `// …` stands for what is left out."""
    path = ROOT / block.comment.removeprefix("from: ")
    source = re.sub(r"^ +", "", path.read_text(), flags=re.M) if path.exists() else ""
    for part in re.split(r"\n *// …\n", block.text):
        if re.sub(r"^ +", "", part.strip("\n"), flags=re.M) not in source:
            return f"is not in {path.relative_to(ROOT)}"
    return None


def swift_problem(block):
    result = subprocess.run(["swiftc", "-frontend", "-parse", "-"], input=block.text, capture_output=True, text=True)
    return result.stderr.strip() or None


def problem(block):
    if (block.comment or "").startswith("from: "):
        return quotation_problem(block)
    try:
        if block.language == "yaml":
            list(yaml.load_all(block.text, Loader))
        elif block.language == "json":
            for line in block.text.splitlines():
                json.loads(line)
    except (yaml.YAMLError, ValueError) as error:
        return str(error)
    if block.language == "sh":
        return shell_problem(block.text)
    if block.language == "swift":
        return swift_problem(block)
    if block.language == "":
        return "has no language; write text for plain text"
    return None


def main():
    line, found = CommandLine(sys.argv[1]), []
    for page in pages():
        text = page.read_text()
        if is_generated(page):
            continue
        place = page.relative_to(ROOT)
        for block in blocks(text):
            wrong = problem(block)
            if wrong:
                found.append(f"{place}:{block.line}: {block.language or 'block'}: {wrong}")
            if block.language in ("sh", "console"):
                for words in commands(block.text):
                    wrong = line.problem(words)
                    if wrong:
                        found.append(f"{place}:{block.line}: drover {shlex.join(words)}: {wrong}")
        for code in re.findall(r"`(drover [^`\n]+)`", text):
            for words in commands(code):
                wrong = line.problem(words)
                if wrong:
                    found.append(f"{place}: {code}: {wrong}")
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
