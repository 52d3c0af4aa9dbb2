package dev.semel.driver.logging;

/** What a log message is about. Each has its own logger, {@code dev.semel.driver.} and its label. */
public enum LogComponent {
    COMMAND("command", "MONGODB_LOG_COMMAND"),
    TOPOLOGY("topology", "MONGODB_LOG_TOPOLOGY"),
    SERVER_SELECTION("serverSelection", "MONGODB_LOG_SERVER_SELECTION"),
    CONNECTION("connection", "MONGODB_LOG_CONNECTION");

    private final String label;
    private final String variable;

    LogComponent(String label, String variable) {
        this.label = label;
        this.variable = variable;
    }

    public String label() {
        return label;
    }

    /** The environment variable that sets the level. */
    String variable() {
        return variable;
    }
}
