package dev.semel.cli.isolation;

/** The ways to run several statements. */
enum Level {
    STATEMENTS("single statements"),
    SESSION("session transaction"),
    MVCC("TokuMX `mvcc`"),
    SERIALIZABLE("TokuMX `serializable`"),
    READ_UNCOMMITTED("TokuMX `readUncommitted`");

    private final String title;

    Level(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** As {@code beginTransaction} calls it. */
    String isolation() {
        return switch (this) {
            case MVCC -> "mvcc";
            case SERIALIZABLE -> "serializable";
            case READ_UNCOMMITTED -> "readUncommitted";
            case STATEMENTS, SESSION -> throw new IllegalStateException("not begun by beginTransaction");
        };
    }
}
