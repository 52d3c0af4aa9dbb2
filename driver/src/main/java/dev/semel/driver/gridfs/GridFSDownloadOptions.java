package dev.semel.driver.gridfs;

/** Which of several files with the same name is read. */
public final class GridFSDownloadOptions {
    private int revision = -1;

    public int getRevision() {
        return revision;
    }

    /** 0 is the oldest, 1 the one after; -1, the default, the newest, -2 the one before. */
    public GridFSDownloadOptions revision(int value) {
        revision = value;
        return this;
    }
}
