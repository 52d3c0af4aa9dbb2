package dev.semel.driver.error;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Whether an answer says that the server is no longer what it was taken for. */
public enum StateChange {
    NONE,
    NOT_PRIMARY,
    RECOVERING,
    SHUTTING_DOWN;

    private static final Set<Integer> NOT_PRIMARY_CODES = Set.of(10107, 13435, 10058);
    private static final Set<Integer> RECOVERING_CODES = Set.of(11602, 13436, 189);
    private static final Set<Integer> SHUTDOWN_CODES = Set.of(11600, 91);

    /** Looks at the answer itself and at its write concern error, never at the errors of single writes. */
    public static StateChange of(BsonDocument reply) {
        StateChange own = ofError(reply);
        return own == NONE && reply.isDocument("writeConcernError")
                ? ofError(reply.getDocument("writeConcernError"))
                : own;
    }

    private static StateChange ofError(BsonDocument error) {
        return of(
                error.isNumber("code") ? error.getNumber("code").intValue() : 0,
                error.get("errmsg") instanceof BsonString message ? message.getValue() : "");
    }

    /** Words count only where there is no code. */
    static StateChange of(int code, String message) {
        if (NOT_PRIMARY_CODES.contains(code)) {
            return NOT_PRIMARY;
        }
        if (RECOVERING_CODES.contains(code)) {
            return RECOVERING;
        }
        if (SHUTDOWN_CODES.contains(code)) {
            return SHUTTING_DOWN;
        }
        if (code != 0) {
            return NONE;
        }
        if (message.contains("not master or secondary") || message.contains("node is recovering")) {
            return RECOVERING;
        }
        return message.contains("not master") ? NOT_PRIMARY : NONE;
    }
}
