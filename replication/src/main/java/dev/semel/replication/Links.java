package dev.semel.replication;

/** What of the messages between members arrives. Tests cut and delay them with it. */
public interface Links {
    /** Whether everything arrives at the moment; then nothing else is asked. */
    default boolean areWhole() {
        return false;
    }

    /**
     * Asked for each message before it is handled; may wait.
     *
     * @return false breaks the connection
     */
    boolean arrives(String from, String to) throws InterruptedException;
}
