package dev.semel.blackpipe.report;

/** Escapes text for HTML and XML. */
final class Markup {
    private Markup() {}

    static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                // Not allowed in XML, whatever its encoding.
                default -> out.append(c < ' ' && c != '\n' && c != '\t' ? ' ' : c);
            }
        }
        return out.toString();
    }
}
