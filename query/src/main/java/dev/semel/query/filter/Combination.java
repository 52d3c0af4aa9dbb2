package dev.semel.query.filter;

/** The keywords of a schema that make one rule of several schemas. */
enum Combination {
    ALL_OF("allOf"),
    ANY_OF("anyOf"),
    ONE_OF("oneOf"),
    NOT("not");

    private final String keyword;

    Combination(String keyword) {
        this.keyword = keyword;
    }

    /** As schemas spell it. */
    String keyword() {
        return keyword;
    }

    /** Whether it is right that so many of the schemas allow a value. */
    boolean allows(long count, int schemas) {
        return switch (this) {
            case ALL_OF -> count == schemas;
            case ANY_OF -> count > 0;
            case ONE_OF -> count == 1;
            case NOT -> count == 0;
        };
    }
}
