package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.proxy.Observation;

/** Explains a finding and says how to correct the program. */
final class Advice {
    private static final String TOKEN =
            "give the write a token (comment: {once: ...}, docs/retryable-writes.md): it is then applied once, however"
                    + " often it is sent, by this program or by another one after a crash.";

    private final Finding finding;
    private final String message;

    Advice(Finding finding) {
        this.finding = finding;
        this.message = finding.point().message();
    }

    /** Empty if the verdict is correct. */
    String text() {
        return switch (finding.verdict()) {
            case CORRECT -> "";
            case WASTES_TIME -> ofWaste();
            case NON_DETERMINISTIC ->
                "In this run, " + message
                        + " was not sent. Make the operation do the same in every run, or audit its parts.";
            case MAY_UNDERCOUNT -> isOfTwoCopies() ? ofOverwriting() : ofLoss();
            case MAY_OVERCOUNT -> isOfTwoCopies() ? ofLateCheck() : ofRepetition();
            case MAY_HALF_APPLY ->
                (isOfTwoCopies() ? "After two copies of the program sent " : "After the fault of ") + message
                        + (isOfTwoCopies() ? " at the same time" : "")
                        + ", a part of the work is done and the rest is not. Put writes that belong together into one"
                        + " transaction, or into one document. Found:\n"
                        + (finding.effect() instanceof Effect.Part(String found) ? found : "");
        };
    }

    private boolean isOfTwoCopies() {
        return finding.point().kind() == Kind.TWO_COPIES;
    }

    private String ofOverwriting() {
        return "Two copies of the program came to " + message + " at the same time, and the work of one is lost: the"
                + " effect is there " + finding.applied()
                + " times. Do not write what was computed from an earlier read;"
                + " let one update read and write ($inc, or a filter on the old value), or use a transaction.";
    }

    private String ofLateCheck() {
        return "Two copies of the program came to " + message
                + " at the same time, and both did what only one should: the"
                + " effect is there " + finding.applied() + " times. Between a check and the write that depends on it,"
                + " the other copy writes. Let the write check (its filter, or a unique index), use a transaction, or "
                + TOKEN;
    }

    private String ofLoss() {
        if (finding.error().isEmpty()) {
            return "The operation claims that it went well, and its effect is not there. Do not ignore the error of "
                    + message + ".";
        }
        String what = switch (finding.point().kind()) {
            case STALL -> "The server did not answer " + message;
            case STEP_DOWN, RETRYABLE_ERROR -> "The server could not do " + message + " at that moment";
            case TRANSIENT, SECOND_FAULT, OUTAGE, OUTAGE_THAT_ENDS, COMMAND_ERROR, TWO_COPIES ->
                "The server never got " + message;
        };
        return what + ", and one more attempt would have gone well. Use retryable writes, or try once again"
                + (finding.point().kind() == Kind.STALL ? " after a timeout" : " after such an error") + "; then "
                + TOKEN;
    }

    private String ofRepetition() {
        String what = "The server had applied " + message
                + ", and the program did not learn of it. It was sent again as if it were new, and the effect is there "
                + finding.applied() + " times. ";
        return hadNumber()
                ? what
                        + "The driver numbers its own attempts, so that the server knows them; each turn of a loop"
                        + " around the driver gets another number. Leave the loop out, or " + TOKEN
                : what + "Use retryable writes, or " + TOKEN;
    }

    /** Whether the driver sent it as a retryable write. */
    private boolean hadNumber() {
        return finding.messages().stream()
                .filter(Observation::hasFault)
                .anyMatch(each -> each.request().get("txnNumber") != null);
    }

    private String ofWaste() {
        String spent = finding.attempts() + " attempts and " + finding.took().toMillis() + " ms";
        return switch (finding.point().kind()) {
            case COMMAND_ERROR ->
                "The server refused " + message + ", and it was sent " + finding.attempts()
                        + " times. An error that the server states does not go away: give up at once.";
            case OUTAGE ->
                "There was no server any more after " + message
                        + ", and the operation waited for one more than once. Give up when one more attempt, for which"
                        + " the driver has looked for a server, has failed.";
            case OUTAGE_THAT_ENDS ->
                "There was no server for a while after " + message + ", and the operation went on for "
                        + finding.took().toMillis() + " ms without doing its work. Give up when one more attempt, for"
                        + " which the driver has looked for a server, has failed.";
            case SECOND_FAULT ->
                "The network failed twice at " + message + ", and it took " + spent
                        + ". Two attempts are enough to tell a transient error from an outage.";
            case STALL ->
                "The server did not answer " + message + ", and it took " + spent
                        + ". Set timeoutMS or socketTimeoutMS, and try once again.";
            case TRANSIENT, STEP_DOWN, RETRYABLE_ERROR, TWO_COPIES ->
                "After a " + finding.point().kind().label() + " at " + message + ", it took " + spent
                        + ". One more attempt, made at once, would have done.";
        };
    }
}
