package dev.semel.server.catalog;

/** How far an index is. Writers maintain it from the first stage on; readers see it in the last one. */
enum IndexStage {
    /** Documents that were there before are being added. It refuses nothing yet, because its build may still fail. */
    FILLING,

    /** All documents have their entries. It refuses what a finished index refuses, while what it holds is checked. */
    CHECKING,

    READY
}
