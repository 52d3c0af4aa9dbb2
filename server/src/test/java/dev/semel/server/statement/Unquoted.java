package dev.semel.server.statement;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;

/** Documents as shells write them, so that tests are easy to read: names without quotes, single quotes for strings. */
public final class Unquoted {
    private Unquoted() {}

    public static RawDocument document(String shell) {
        return Json.parse(shell.replace('\'', '"').replaceAll("([{,]\\s*)([$_a-zA-Z]+):", "$1\"$2\":"));
    }
}
