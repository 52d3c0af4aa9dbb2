package dev.semel.driver.execution;

import dev.semel.driver.connection.Time;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.logging.Log;
import dev.semel.driver.setting.ServerApi;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** What carrying out operations depends on. The jitter is drawn from 0 to 1. */
public record ExecutionSettings(
        boolean retryReads,
        boolean retryWrites,
        int maxAdaptiveRetries,
        boolean enableOverloadRetargeting,
        @Nullable ServerApi serverApi,
        DoubleSupplier jitter,
        List<CommandListener> commandListeners,
        List<RetryListener> retryListeners,
        Log log,
        Time time) {}
