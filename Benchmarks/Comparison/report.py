"""What was measured, as people read it."""

from dataclasses import dataclass

OURS = "Drover"
# The no-op on ten hosts: how many times the wall time of Drover a rival should take.
TARGETS = {"ansible-core": 100, "pyinfra": 20}


@dataclass
class Row:
    count: int
    kind: str | None
    tool: str
    cost: dict | None = None
    """Seconds and bytes."""
    hitch: str | None = None
    """Why the tool has no cost."""


def table(count, rows):
    """The costs on this number of hosts beside Drover's, and why some are missing."""
    lines = [[hosts(count), "", "wall s", "ratio", "CPU s", "ratio", "sent KB", "received KB", "ratio"]]
    ours = {row.kind: row.cost for row in rows if row.tool == OURS}
    for kind, base in ours.items():
        measured = sorted((row for row in rows if row.kind == kind), key=lambda row: row.tool != OURS)
        for row in measured:
            lines.append([kind if row.tool == OURS else "", row.tool, *cells(row.cost, base)])
    widths = [max(map(len, column)) for column in zip(*lines)]
    texts = ["  ".join(pad(cell, width, n) for n, (cell, width) in enumerate(zip(line, widths))) for line in lines]
    texts += [f"{row.tool} does not work on {hosts(count)}: {row.hitch}" for row in rows if row.hitch]
    return "\n".join(texts)


def hosts(count):
    return "1 host" if count == 1 else f"{count} hosts"


def cells(cost, base):
    def ratio(*keys):
        return f"{sum(cost[key] for key in keys) / sum(base[key] for key in keys):.1f}"

    return [
        f"{cost['wall']:.2f}",
        ratio("wall"),
        f"{cost['cpu']:.2f}",
        ratio("cpu"),
        f"{cost['sent'] / 1000:.0f}",
        f"{cost['received'] / 1000:.0f}",
        ratio("sent", "received"),
    ]


def pad(cell, width, column):
    """Words to the left, numbers to the right."""
    return cell.ljust(width) if column < 2 else cell.rjust(width)


def verdicts(rows):
    """Whether the targets are reached."""
    walls = {row.tool.split()[0]: row.cost["wall"] for row in rows if (row.count, row.kind) == (10, "no-op")}
    lines = []
    for rival, target in TARGETS.items():
        sentence = f"target: {target} times less wall time than {rival} for the no-op on 10 hosts: "
        if rival not in walls or OURS not in walls:
            lines.append(sentence + "not measured")
            continue
        times = walls[rival] / walls[OURS]
        lines.append(sentence + f"{'reached' if times >= target else 'not reached'} ({times:.0f} times)")
    return "\n".join(lines)
