#!/usr/bin/env python3
"""Writes the tables of docs/performance.md from the results of dev/bench."""
import json
import statistics
import sys

BEGIN = "<!-- table: dev/bench --table writes it -->\n"
END = "<!-- end -->\n"


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.startswith("{")]


def median_cpu(results, target, workload, clients):
    found = [
        each["serverCpuMicrosPerOperation"]
        for each in results
        if each.get("target") == target and each["workload"] == workload and each["clients"] == clients
    ]
    return statistics.median(found) if found else None


def number(value):
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def table(results, ratio):
    ours, theirs = ratio.split("/")
    rows = [
        f"| operation | clients | {ours} µs CPU | {theirs} µs CPU | ratio (min to max) | operations/s, ratio |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for each in results:
        if each.get("ratio") != ratio:
            continue
        cpu, rate = each["serverCpuPerOperation"], each["perSecond"]
        key = (each["workload"], each["clients"])
        rows.append(
            f"| {key[0]} | {key[1]} | {number(median_cpu(results, ours, *key))} "
            f"| {number(median_cpu(results, theirs, *key))} "
            f"| {cpu['median']:.2f} ({cpu['min']:.2f} to {cpu['max']:.2f}) | {rate['median']:.2f} |"
        )
    return "\n".join(rows)


def main():
    results = read(sys.argv[1])
    parts = [table(results, ratio) for ratio in dict.fromkeys(each["ratio"] for each in results if "ratio" in each)]
    for each in results:
        if "syncMicros" in each:
            sync = each["syncMicros"]
            parts.append(f"`fsync` of this disk: median {sync['p50']} µs, 99 % below {sync['p99']} µs.")
    with open(sys.argv[2], encoding="utf-8") as page:
        text = page.read()
    begin = text.index(BEGIN) + len(BEGIN)
    end = text.index(END, begin)
    with open(sys.argv[2], "w", encoding="utf-8") as page:
        page.write(text[:begin] + "\n" + "\n\n".join(parts) + "\n\n" + text[end:])


if __name__ == "__main__":
    main()
