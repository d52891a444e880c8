"""Reads what the reference pages need from Swift sources: string literals, calls and their arguments."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _end_of_string(text, at):
    """The index after the string literal that begins at `at`; interpolations may hold strings."""
    assert text[at] == '"'
    at += 1
    while text[at] != '"':
        if text.startswith("\\(", at):
            at = end_of_parentheses(text, at + 1)
        elif text[at] == "\\":
            at += 2
        else:
            at += 1
    return at + 1


def end_of_parentheses(text, at):
    """The index after the parenthesis that closes the one at `at`."""
    depth = 0
    while True:
        if text[at] == '"':
            at = _end_of_string(text, at)
            continue
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return at


def calls(text, name):
    """The argument lists of all calls of a function, each as a list of expressions."""
    for match in re.finditer(r"(?<![\w.])" + re.escape(name) + r"\(", text):
        if text[: match.start()].rstrip().endswith("func"):
            continue
        end = end_of_parentheses(text, match.end() - 1)
        yield arguments(text[match.end() : end - 1])


def arguments(text):
    found, begin, at = [], 0, 0
    while at < len(text):
        if text[at] == '"':
            at = _end_of_string(text, at)
        elif text[at] in "([{":
            at = end_of_parentheses(text, at)
        elif text[at] == ",":
            found.append(text[begin:at].strip())
            at += 1
            begin = at
        else:
            at += 1
    return found + [text[begin:].strip()]


def literals(expression):
    """The texts that an expression can be: literals joined by `+` are one; a condition gives several.

    An interpolation is None in the list of pieces of a text.
    """
    texts, at, joins = [], 0, False
    while at < len(expression):
        if expression[at] == '"':
            end = _end_of_string(expression, at)
            pieces = _pieces(expression[at + 1 : end - 1])
            if joins and texts:
                texts[-1] += pieces
            else:
                texts.append(pieces)
            at, joins = end, False
        else:
            if expression[at] == "+":
                joins = True
            elif expression[at] in "?:":
                joins = False
            elif expression[at] == "(" and joins and texts:
                texts[-1].append(None)
            at = end_of_parentheses(expression, at) if expression[at] in "([{" else at + 1
    return texts


def _pieces(text):
    pieces, at, begin = [], 0, 0
    while at < len(text):
        if text.startswith("\\(", at):
            pieces += [text[begin:at], None]
            at = begin = end_of_parentheses(text, at + 1)
        else:
            at += 2 if text[at] == "\\" else 1
    return [piece for piece in pieces + [text[begin:]] if piece != ""]


def pattern(pieces):
    """What matches a text that was made from these pieces."""
    return re.compile("".join(".*" if piece is None else re.escape(piece) for piece in pieces))


def words(pieces):
    """The text with `…` for what is filled in."""
    return re.sub("…+", "…", "".join("…" if piece is None else piece for piece in pieces))


def doc_comment(text, at):
    """The documentation comment that ends before an index, as one text."""
    lines = []
    for line in reversed(text[:at].splitlines()):
        stripped = line.strip()
        if stripped.startswith("///"):
            lines.append(stripped[3:].strip())
        elif stripped and not stripped.startswith("@"):
            break
        elif lines:
            break
    return "\n".join(reversed(lines))
