package dev.semel.server.once;

/** The commands that take a token. The order is on disk. */
public enum TokenCommand {
    INSERT("insert"),
    UPDATE("update"),
    DELETE("delete"),
    FIND_AND_MODIFY("findAndModify"),
    BULK_WRITE("bulkWrite");

    private final String text;

    TokenCommand(String text) {
        this.text = text;
    }

    /** The command's name. */
    public String text() {
        return text;
    }

    public static TokenCommand named(String name) {
        for (TokenCommand each : values()) {
            if (each.text.equals(name)) {
                return each;
            }
        }
        throw new IllegalArgumentException("the command " + name + " takes no token");
    }
}
