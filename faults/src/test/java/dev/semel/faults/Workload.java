package dev.semel.faults;

import java.util.List;
import java.util.function.BooleanSupplier;

/** What clients do while faults happen, and what must be true of it afterwards. */
interface Workload {
    /** Before the faults. */
    void prepare(Clients clients);

    /** In a thread of each client; returns after it is over. */
    void run(Clients clients, int client, BooleanSupplier isOver) throws InterruptedException;

    /** How many threads. */
    int clients();

    /** When all members are there again: what should not be so. */
    List<String> wrong(Clients clients);

    /** How many operations were acknowledged, which shows whether anything was tested. */
    long acknowledged();
}
