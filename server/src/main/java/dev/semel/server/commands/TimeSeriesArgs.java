package dev.semel.server.commands;

import dev.semel.server.catalog.IndexSpec;
import dev.semel.server.catalog.TimeSeries;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.TimeSeriesOptions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** {@code timeseries} and {@code expireAfterSeconds} of {@code create}. */
final class TimeSeriesArgs {
    private static final String[] NOT_WITH_IT = {
        "size",
        "max",
        "viewOn",
        "pipeline",
        "validator",
        "validationLevel",
        "validationAction",
        "changeStreamPreAndPostImages",
        "clusteredIndex"
    };

    private TimeSeriesArgs() {}

    static @Nullable TimeSeries parse(Arguments in) {
        RawDocument given = in.optionalDocument("timeseries");
        if (given == null) {
            expiryOfOther(in);
            return null;
        }
        if (in.bool("capped", false)) {
            throw notWithIt("capped");
        }
        for (String option : NOT_WITH_IT) {
            if (in.has(option)) {
                throw notWithIt(option);
            }
        }
        Long expiry = in.has("expireAfterSeconds") ? IndexSpec.expiry(in.required("expireAfterSeconds")) : null;
        return TimeSeriesOptions.parse(in.inner("timeseries", given), expiry);
    }

    private static void expiryOfOther(Arguments in) {
        if (in.has("clusteredIndex")) {
            in.notHonoured("expireAfterSeconds");
        } else if (in.has("expireAfterSeconds")) {
            throw invalid("'expireAfterSeconds' is only supported on time-series collections or when the"
                    + " 'clusteredIndex' option is specified");
        }
    }

    private static CommandException notWithIt(String option) {
        return invalid("'%s' is not allowed with 'timeseries'", option);
    }

    private static CommandException invalid(String format, Object... arguments) {
        return new CommandException(ErrorCode.InvalidOptions, format, arguments);
    }
}
