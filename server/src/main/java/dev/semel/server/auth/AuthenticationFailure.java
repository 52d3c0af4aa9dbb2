package dev.semel.server.auth;

/** A client could not prove who it is. The reason is for the log: the client must not learn from it. */
public final class AuthenticationFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public AuthenticationFailure(String reason) {
        super(reason, null, false, false);
    }
}
