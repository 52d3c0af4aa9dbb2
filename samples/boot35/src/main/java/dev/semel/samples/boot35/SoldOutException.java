package dev.semel.samples.boot35;

/** There are fewer seats than visitors. */
public class SoldOutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SoldOutException(String concert) {
        super("sold out: " + concert);
    }
}
