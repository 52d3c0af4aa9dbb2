#!/usr/bin/env python3
"""The page's part of dev/bench --scale: a table, and curves of what operations cost as a collection grows.

usage: bench-scale.py RESULTS PAGE CURVES

RESULTS has a JSON line per measurement; the table goes into PAGE (Markdown), the curves are drawn as CURVES (SVG).
"""
import json
import math
import sys

BEGIN = "<!-- scale: dev/bench --scale writes it -->\n"
END = "<!-- end of scale -->\n"

LINES = [
    ("load", "load with three indexes, µs of CPU per document", 1),
    ("findId", "find by `_id`, µs of CPU", 1),
    ("findIndexed", "find by an index, µs of CPU", 1),
    ("range100", "range of 100 by an index, µs of CPU", 1),
    ("increment", "`$inc` by `_id`, µs of CPU", 1),
    ("indexBuild", "index build, µs of CPU per document", 1),
    ("restart", "first find after kill -9, s", 2),
    ("disk", "disk use, times the documents' BSON", 2),
]
DRAWN = ["load", "findId", "findIndexed", "range100", "increment", "indexBuild"]
COLOURS = ["#1b6ca8", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#475569"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 380, 60, 150, 30, 50


def read(path):
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("{"):
                each = json.loads(line)
                found.setdefault(each["measurement"], {})[each["documents"]] = each
    return found


def sizes(results):
    return sorted(results["findId"])


def count(documents):
    return f"{documents / 1_000_000:g} million"


def table(results):
    columns = sizes(results)
    rows = ["| | " + " | ".join(count(each) for each in columns) + " |",
            "| --- |" + " ---: |" * len(columns)]
    for name, label, digits in LINES:
        cells = []
        for size in columns:
            each = results[name][size]
            rate = f" ({each['perSecond']:,.0f}/s)" if each["perSecond"] else ""
            cells.append(f"{each['value']:,.{digits}f}{rate}")
        rows.append(f"| {label} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def curves(results):
    """Costs relative to those of the smallest collection, over a logarithmic axis: what grows with the logarithm is straight."""
    columns = sizes(results)
    relative = {name: [results[name][size]["value"] / results[name][columns[0]]["value"] for size in columns] for name in DRAWN}
    highest = math.ceil(max(max(each) for each in relative.values()) * 2) / 2
    first, last = math.log(columns[0]), math.log(columns[-1])

    def x(size):
        return LEFT + (math.log(size) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(value):
        return HEIGHT - BOTTOM - value / highest * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="18">Cost of an operation, relative to that at {count(columns[0])} documents</text>']
    for step in range(int(highest * 2) + 1):
        value = step / 2
        out.append(f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for size in columns:
        out.append(f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{count(size)}</text>')
    ends = spread([y(relative[name][-1]) + 4 for name in DRAWN])
    for name, colour, end in zip(DRAWN, COLOURS, ends):
        points = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in zip(columns, relative[name]))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 8}" y="{end:.1f}" fill="{colour}">{name} {relative[name][-1]:.2f}</text>')
    return "\n".join(out + ["</svg>", ""])


def spread(ends):
    """Moves labels apart that would cover each other."""
    placed = dict.fromkeys(range(len(ends)), 0.0)
    lowest = -math.inf
    for index in sorted(placed, key=lambda each: ends[each]):
        lowest = placed[index] = max(ends[index], lowest + 14)
    return [placed[each] for each in range(len(ends))]


def write_page(path, text):
    with open(path, encoding="utf-8") as page:
        old = page.read()
    begin = old.index(BEGIN) + len(BEGIN)
    end = old.index(END, begin)
    with open(path, "w", encoding="utf-8") as page:
        page.write(old[:begin] + "\n" + text + "\n\n" + old[end:])


def main():
    results_path, page_path, curves_path = sys.argv[1:]
    results = read(results_path)
    text = table(results)
    print(text)
    write_page(page_path, text)
    with open(curves_path, "w", encoding="utf-8") as out:
        out.write(curves(results))


if __name__ == "__main__":
    main()
