#!/usr/bin/env python3
"""Writes the manual pages of a program, one for itself and one for each command, from what it prints as its help.

    manual.py PROGRAM VERSION FOLDER    the date is that of SOURCE_DATE_EPOCH
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent

FILES = [
    ("/usr/share/drover/templates", "The configuration files that playbooks write."),
    ("/usr/share/drover/inventory", "Sample inventories; \\fB\\-i\\fP finds them by name from any directory."),
    ("/usr/share/drover/package", "The Swift package that those of \\fBdrover init\\fP build with."),
]



def escaped(text):
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def bold(text):
    return f"\\fB{escaped(text)}\\fP"


def usage(argument):
    """What stands on the command line for an argument, and whether it is a positional one."""
    value = f"\\fI{escaped(argument['valueName'].upper())}\\fP"
    if argument["kind"] == "positional":
        return value
    names = ", ".join(bold(("-" if name["kind"] == "short" else "--") + name["name"]) for name in argument["names"])
    return names if argument["kind"] == "flag" else f"{names} {value}"


def shown(command):
    # `--help` and `--version` are in the page of the program.
    return [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]
            and not {"help", "version"} & {name["name"] for name in argument.get("names", [])}]


def key(argument):
    return json.dumps([argument.get("names"), argument.get("abstract"), argument["kind"]])


def children(command):
    return [child for child in command.get("subcommands", []) if child["commandName"] != "help"]


def rows(entries):
    return "".join(f".TP\n{head}\n{text}\n" for head, text in entries)


def options(arguments):
    entries = []
    for argument in arguments:
        default = argument.get("defaultValue")
        text = escaped(argument.get("abstract", ""))
        if default and argument["kind"] != "flag":
            text += f" Default: {bold(default)}."
        entries.append((usage(argument), text or "\\&"))
    return rows(entries)


def synopsis(path, command):
    rest = " \\fICOMMAND\\fP" if children(command) else ""
    positional = "".join(" " + usage(argument) for argument in shown(command) if argument["kind"] == "positional")
    return f"{bold(' '.join(path))}{rest} [\\fIOPTIONS\\fP]{positional}"


def described(command):
    paragraphs = [command.get("abstract", ""), command.get("discussion", "")]
    return "\n.PP\n".join(escaped(text) for text in paragraphs if text) + "\n"


def head(path, command, version):
    name = "-".join(path)
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    text = f'.TH {escaped(name.upper())} 1 "{date}" "{escaped(path[0])} {version}" "User Commands"\n.nh\n.ad l\n'
    text += f".SH NAME\n{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}\n"
    return text + f".SH SYNOPSIS\n{synopsis(path, command)}\n.SH DESCRIPTION\n{described(command)}"


def page(path, command, version):
    text = head(path, command, version)
    subcommands = children(command)
    every = [{key(argument): argument for argument in shown(child)} for child in subcommands]
    # What all subcommands share is listed once.
    shared = [argument for spelled, argument in (every[0] if len(every) > 1 else {}).items()
              if all(spelled in each for each in every)]
    own = list({key(argument): argument for argument in shown(command) + shared}.values())
    if own:
        text += ".SH OPTIONS\n" + options(own)
    if subcommands:
        text += ".SH COMMANDS\n"
    for child in subcommands:
        text += f".SS {synopsis(path + (child['commandName'],), child)}\n{described(child)}"
        text += options(argument for argument in shown(child) if key(argument) not in {key(other) for other in own})
    return text


def exit_codes():
    yield "0", "Done, or nothing to change."
    titles = [re.match(r"# Exit code (\d+): (.*)", path.read_text()) for path in ROOT.glob("docs/runbook/exit-*.md")]
    for number, meaning in sorted((int(title[1]), title[2]) for title in titles):
        yield str(number), escaped(meaning[0].upper() + meaning[1:] + ".")


def main_page(program, version):
    commands = children(program)
    name = program["commandName"]
    text = head((name,), program, version)
    text += ".SH OPTIONS\n" + rows([
        ("\\fB\\-\\-version\\fP", "Print the version, the commit, and the versions of the libraries."),
        ("\\fB\\-h\\fP, \\fB\\-\\-help\\fP", "Print the help of the program, or of the command before it."),
        ("\\fB\\-\\-generate\\-completion\\-script\\fP \\fISHELL\\fP", "Print the completions for bash, zsh or fish."),
    ])
    text += ".SH COMMANDS\n" + rows((bold(f"{name}-{command['commandName']}") + "(1)", escaped(command["abstract"]))
                                   for command in commands)
    return text + ".SH FILES\n" + rows(FILES) + ".SH EXIT STATUS\n" + rows(exit_codes())


def main():
    program, version, folder = sys.argv[1:]
    help_text = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout
    command = json.loads(help_text)["command"]
    pages = {command["commandName"]: main_page(command, version)}
    for child in children(command):
        path = (command["commandName"], child["commandName"])
        see = f".SH SEE ALSO\n{bold(path[0])}(1)\n"
        pages["-".join(path)] = page(path, child, version) + see
    for name, text in pages.items():
        (Path(folder) / f"{name}.1").write_text(text)


if __name__ == "__main__":
    main()
