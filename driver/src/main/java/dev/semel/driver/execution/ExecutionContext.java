package dev.semel.driver.execution;

import dev.semel.driver.topology.Topology;

/** What every operation of a client is carried out with. */
record ExecutionContext(
        Topology topology,
        ExecutionSettings settings,
        RetryPolicy policy,
        Monitoring monitoring,
        RetryCounters counters,
        ClusterClock clock) {}
