package dev.semel.wire;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;

/** Why a file or a folder cannot be used, in words: the JDK's exceptions often say nothing but its name. */
public final class FileFailure {
    private FileFailure() {}

    /** Without the name of the file, which the caller has. */
    public static String reason(IOException failure) {
        return switch (failure) {
            case ClosedByInterruptException interrupted -> "the thread that works on it was interrupted";
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException missing -> "no such file or folder";
            case NotDirectoryException other -> "it is not a folder";
            case FileSystemException named when named.getReason() != null -> lowerFirst(named.getReason());
            default -> Objects.requireNonNullElseGet(failure.getMessage(), failure.getClass()::getSimpleName);
        };
    }

    private static String lowerFirst(String reason) {
        return reason.isEmpty() ? reason : Character.toLowerCase(reason.charAt(0)) + reason.substring(1);
    }
}
