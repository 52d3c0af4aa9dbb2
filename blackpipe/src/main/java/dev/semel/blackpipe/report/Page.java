package dev.semel.blackpipe.report;

import java.util.List;

/** A self-contained HTML page with a light and a dark theme. */
public final class Page {
    private static final String STYLE = """
        :root { color-scheme: light dark; --ink: #1c2330; --paper: #fdfdfb; --faint: #8a93a3; --line: #d9dde4;
          --good: #1a7f4b; --bad: #b3261e; --warn: #9a6700; --soft: #f1f3f6; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --paper: #14181f; --faint: #8d97a8;
          --line: #323a47; --good: #5bd197; --bad: #ff8a80; --warn: #f2c14e; --soft: #1d232d; } }
        body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
          max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: left; padding: .4rem .7rem; border-bottom: 1px solid var(--line);
          vertical-align: top; }
        th { color: var(--faint); font-weight: 600; }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
        .warn { color: var(--warn); font-weight: 600; }
        .small { color: var(--faint); font-size: .9rem; }
        details { background: var(--soft); border-radius: .4rem; padding: .5rem .9rem; margin: .6rem 0;
          overflow-wrap: anywhere; }
        summary { cursor: pointer; }
        svg { max-width: 100%; min-width: 26rem; height: auto; font: 12px system-ui, sans-serif; }
        svg text { fill: var(--ink); } svg .end { text-anchor: middle; font-weight: 600; }
        svg .note, svg .from { fill: var(--faint); } svg .from { text-anchor: end; }
        svg .fault { fill: var(--bad); }
        svg .life { stroke: var(--line); stroke-width: 2; }
        svg path { fill: none; stroke: var(--ink); stroke-width: 1.4; }
        svg .rep { stroke-dasharray: 5 3; } svg .cross { stroke: var(--bad); stroke-width: 2.4; }
        pre { background: var(--soft); padding: .6rem .8rem; overflow-x: auto; font-size: .8rem; }
        details > .scroll { margin-top: .6rem; }
        details pre { background: var(--paper); border-radius: .3rem; }
        @media (max-width: 40rem) { body { font-size: 15px; margin: 1rem auto; } th, td { padding: .35rem .45rem; } }
        """;

    private final StringBuilder body = new StringBuilder();
    private final String title;

    /** A cell's text and its class: {@code good}, {@code bad}, {@code warn}, {@code number}, or none. */
    public record Cell(String text, String type) {}

    public Page(String title) {
        this.title = title;
        body.append("<h1>").append(Markup.escaped(title)).append("</h1>\n");
    }

    public Page heading(String text) {
        body.append("<h2>").append(Markup.escaped(text)).append("</h2>\n");
        return this;
    }

    public Page paragraph(String text, String type) {
        body.append("<p class=\"")
                .append(type)
                .append("\">")
                .append(Markup.escaped(text))
                .append("</p>\n");
        return this;
    }

    public Page table(List<String> header, List<List<Cell>> rows) {
        body.append("<div class=\"scroll\"><table>\n<tr>");
        for (int i = 0; i < header.size(); i++) {
            boolean number = !rows.isEmpty() && rows.get(0).get(i).type().equals("number");
            body.append(number ? "<th class=\"number\">" : "<th>")
                    .append(Markup.escaped(header.get(i)))
                    .append("</th>");
        }
        body.append("</tr>\n");
        for (List<Cell> row : rows) {
            body.append("<tr>");
            row.forEach(each -> body.append("<td class=\"")
                    .append(each.type())
                    .append("\">")
                    .append(Markup.escaped(each.text()))
                    .append("</td>"));
            body.append("</tr>\n");
        }
        body.append("</table></div>\n");
        return this;
    }

    /**
     * A section that opens on a click, or is open if the verdict is not correct. The lines of a text after the first
     * are preformatted.
     */
    public Page drawing(Cell summary, List<String> texts, String svg) {
        body.append(summary.type().equals("bad") || summary.type().equals("warn") ? "<details open>" : "<details>")
                .append("<summary class=\"")
                .append(summary.type())
                .append("\">")
                .append(Markup.escaped(summary.text()))
                .append("</summary>\n");
        texts.forEach(this::text);
        body.append("<div class=\"scroll\">").append(svg).append("</div></details>\n");
        return this;
    }

    private void text(String text) {
        int end = text.indexOf('\n');
        paragraph(end < 0 ? text : text.substring(0, end), "");
        if (end >= 0) {
            code(text.substring(end + 1));
        }
    }

    /** Preformatted text. */
    public Page code(String text) {
        body.append("<pre>").append(Markup.escaped(text)).append("</pre>\n");
        return this;
    }

    public String html() {
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>"
                + Markup.escaped(title)
                + "</title>\n<style>\n"
                + STYLE
                + "</style></head><body>\n"
                + body
                + "</body></html>\n";
    }
}
