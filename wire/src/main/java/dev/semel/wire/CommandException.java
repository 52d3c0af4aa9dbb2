package dev.semel.wire;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the client did wrong, or must try again: thrown where it is found, turned into a reply in one place, the
 * dispatcher. It carries no stack trace, because a client's mistake is no event worth walking a stack for.
 */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A message may name what the client has sent, which may be megabytes long. */
    private static final int MESSAGE_CHARS_MAX = 64 << 10;

    private final transient ErrorCode code;
    private final transient List<String> labels;
    private final transient ErrorDetails details;

    /** The message is a {@link String#formatted format} when arguments follow. */
    public CommandException(ErrorCode code, String message, Object... arguments) {
        this(code, arguments.length == 0 ? message : message.formatted(arguments), List.of(), ErrorDetails.NONE);
    }

    private CommandException(ErrorCode code, String message, List<String> labels, ErrorDetails details) {
        super(cut(message), null, false, false);
        this.code = code;
        this.labels = labels;
        this.details = details;
    }

    private static String cut(String message) {
        if (message.length() <= MESSAGE_CHARS_MAX) {
            return message;
        }
        boolean isBetweenSurrogates = Character.isHighSurrogate(message.charAt(MESSAGE_CHARS_MAX - 1));
        return message.substring(0, isBetweenSurrogates ? MESSAGE_CHARS_MAX - 1 : MESSAGE_CHARS_MAX) + "...";
    }

    public ErrorCode code() {
        return code;
    }

    /** What the exception says; never null. */
    public String text() {
        String message = getMessage();
        return message == null ? "" : message;
    }

    public List<String> labels() {
        return labels;
    }

    /** Fields that go into the error reply beside code and message, such as {@code keyPattern} and {@code keyValue}. */
    public ErrorDetails details() {
        return details;
    }

    public CommandException withLabel(String label) {
        return new CommandException(
                code, text(), Stream.concat(labels.stream(), Stream.of(label)).toList(), details);
    }

    public CommandException withDetails(ErrorDetails more) {
        return new CommandException(code, text(), labels, more);
    }

    /** What was being done, before the message. */
    public CommandException inContext(String context) {
        return withMessage(context + " :: caused by :: " + text());
    }

    public CommandException withMessage(String message) {
        return new CommandException(code, message, labels, details);
    }
}
