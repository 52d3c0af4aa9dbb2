package dev.semel.cli;

/**
 * Where the JVM begins. This class alone is compiled for Java 8, so that an old JVM can read it and say what is needed; such a
 * JVM never gets to {@link Main}.
 */
public final class Start {
    private static final int JAVA_MIN = 21;
    private static final int EXIT_CODE = 1;

    private Start() {}

    public static void main(String[] args) {
        String version = System.getProperty("java.specification.version");
        if (major(version) < JAVA_MIN) {
            System.err.println("semel: needs Java " + JAVA_MIN + " or newer, and this is Java " + version + ": "
                    + System.getProperty("java.home"));
            System.exit(EXIT_CODE);
        }
        Main.main(args);
    }

    /** Java 8 calls itself 1.8. */
    private static int major(String version) {
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }
}
