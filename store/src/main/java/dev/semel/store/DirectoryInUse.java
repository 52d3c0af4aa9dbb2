package dev.semel.store;

import java.nio.file.Path;

/** Another process, or another store of this one, has the directory open. */
public final class DirectoryInUse extends EngineException {
    private static final long serialVersionUID = 1L;

    public DirectoryInUse(Path directory) {
        super("the directory " + directory + " is in use by another process");
    }
}
