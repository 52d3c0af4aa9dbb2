#!/usr/bin/env python3
"""The table of dev/bench --peers: what an operation costs, beside other servers in the same run.

usage: bench-peers.py RESULTS ACCEPTED PAGE [--accept | --quick]

Prints the table, and fails if a ratio is more than a fifth above that of the file of accepted ones. With --accept that file
and the table of the page are written instead; with --quick nothing is compared.
"""
import json
import statistics
import sys

BEGIN = "<!-- peers: dev/bench --peers --accept writes it -->\n"
END = "<!-- end of peers -->\n"
TOLERANCE = 1.2

# Of each pair, the first is measured against the second.
PAIRS = [
    ("memory", "mongo-java-server"),
    ("durable", "postgresql"),
    ("set", "postgresql"),
]

LINES = [
    ("findId", "find by `_id`"),
    ("findIndexed", "find by an index"),
    ("range100", "range of 100 by an index"),
    ("insert", "`insertOne`"),
    ("insertMany", "`insertMany` of 1,000"),
    ("increment", "`$inc` by `_id`"),
    ("group", "group over all"),
    ("transaction", "transaction of four operations, 64 clients"),
    ("incrementOne", "`$inc` of one document, 64 clients"),
]


def read(path):
    """Per workload and target the measurements in the order of the rounds."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            each = json.loads(line) if line.startswith("{") else {}
            if "target" in each:
                found.setdefault(each["workload"], {}).setdefault(each["target"], []).append(each)
    return found


def cpu(measurements):
    return [each["serverCpuMicrosPerOperation"] for each in measurements]


def ratios(first, second):
    return sorted(ours / theirs for ours, theirs in zip(cpu(first), cpu(second)) if theirs > 0)


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def cost(measurements):
    return number(statistics.median(cpu(measurements))) if measurements else ""


def spread(values):
    return f"{statistics.median(values):.2f} ({values[0]:.2f} to {values[-1]:.2f})" if values else ""


def p99(measurements):
    return number(statistics.median(each["p99Micros"] for each in measurements) / 1000) if measurements else "-"


def table(results):
    rows = [
        "| operation | memory | mongo-java-server | ratio | durable | PostgreSQL | ratio | set of three | ratio to PostgreSQL"
        " | p99, ms: memory, durable, set, PostgreSQL |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for workload, label in LINES:
        of = results.get(workload)
        if not of:
            continue
        cells = [label]
        for ours, theirs in PAIRS:
            cells.append(cost(of.get(ours)))
            if ours != "set":
                cells.append(cost(of.get(theirs)))
            cells.append(spread(ratios(of.get(ours, []), of.get(theirs, []))))
        cells.append(", ".join(p99(of.get(each)) for each in ("memory", "durable", "set", "postgresql")))
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def medians(results):
    found = {}
    for workload, _ in LINES:
        of = results.get(workload, {})
        for ours, theirs in PAIRS:
            values = ratios(of.get(ours, []), of.get(theirs, []))
            if values:
                found.setdefault(workload, {})[f"{ours}/{theirs}"] = round(statistics.median(values), 3)
    return found


def regressions(now, accepted):
    for workload, pairs in accepted.items():
        for pair, before in pairs.items():
            ratio = now.get(workload, {}).get(pair)
            if ratio is not None and ratio > before * TOLERANCE:
                yield f"{workload}: {pair} is {ratio:.2f}, accepted is {before:.2f}"


def write_page(path, text):
    with open(path, encoding="utf-8") as page:
        old = page.read()
    begin = old.index(BEGIN) + len(BEGIN)
    end = old.index(END, begin)
    with open(path, "w", encoding="utf-8") as page:
        page.write(old[:begin] + "\n" + text + "\n\n" + old[end:])


def main():
    results_path, accepted_path, page_path, *mode = sys.argv[1:]
    results = read(results_path)
    text = table(results)
    print(text)
    if mode == ["--quick"]:
        return 0
    now = medians(results)
    if mode == ["--accept"]:
        with open(accepted_path, "w", encoding="utf-8") as out:
            json.dump(now, out, indent=2)
            out.write("\n")
        write_page(page_path, text)
        return 0
    with open(accepted_path, encoding="utf-8") as accepted:
        worse = list(regressions(now, json.load(accepted)))
    for each in worse:
        print("dev/bench: slower than accepted: " + each, file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
