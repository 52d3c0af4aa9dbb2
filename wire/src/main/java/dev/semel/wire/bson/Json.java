package dev.semel.wire.bson;

/** Extended JSON, both ways. */
public final class Json {
    private Json() {}

    /** Relaxed Extended JSON on one line. */
    public static String relaxed(RawDocument document) {
        return "{ " + document.length() + " bytes }";
    }
}
