package dev.semel.query.expression;

import dev.semel.query.regex.InvalidRegex;
import dev.semel.query.regex.Regex;
import dev.semel.query.regex.RegexTooHard;
import dev.semel.query.regex.Search;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $regexMatch $regexFind $regexFindAll}. A constant pattern is compiled once, with the expression. */
final class RegexSearch {
    static final Parameters PARAMETERS = Parameters.of(51103, 31024)
            .saying(Parameters.FOUND, "%s requires '%s' parameter")
            .required("input", 31022)
            .required("regex", 31023)
            .optional("options");

    private final String function;

    private record Compiled(String pattern, String options, Regex regex) {}

    /** Patterns that come from documents are often the same again. */
    private volatile @Nullable Compiled latest;

    private RegexSearch(String function) {
        this.function = function;
    }

    static Expression match(String name, Value operand, Parser parser) {
        return parse(new RegexSearch(name), operand, parser, Mode.MATCH);
    }

    static Expression find(String name, Value operand, Parser parser) {
        return parse(new RegexSearch(name), operand, parser, Mode.FIND);
    }

    static Expression findAll(String name, Value operand, Parser parser) {
        return parse(new RegexSearch(name), operand, parser, Mode.FIND_ALL);
    }

    private enum Mode {
        MATCH,
        FIND,
        FIND_ALL
    }

    private static Expression parse(RegexSearch search, Value operand, Parser parser, Mode mode) {
        var arguments = PARAMETERS.parse(search.function, operand).positional(parser);
        Compiled constant = null;
        if (arguments.get(1) instanceof Expression.Literal(var regex)
                && arguments.get(2) instanceof Expression.Literal(var options)
                && regex != null
                && !Types.isNullish(regex)) {
            constant = search.constant(regex, options, parser.scope());
        }
        return new Expression.Call(new Function(search.function, search.new Body(mode, constant)), arguments);
    }

    /** Null if the pattern or its options are wrong where that fails only when it is evaluated. */
    private @Nullable Compiled constant(Value regex, @Nullable Value options, Scope scope) {
        try {
            return compiled(regex, options);
        } catch (CommandException e) {
            if (scope.checksConstants()) {
                throw new ConstantFailure(e);
            }
            return null;
        }
    }

    private final class Body implements Function.Building {
        private final Mode mode;
        private final @Nullable Compiled constant;

        Body(Mode mode, @Nullable Compiled constant) {
            this.mode = mode;
            this.constant = constant;
        }

        @Override
        public @Nullable Value apply(@Nullable Value[] arguments, Scratch scratch) {
            return run(mode, arguments, constant, scratch);
        }
    }

    private Value run(Mode mode, @Nullable Value[] arguments, @Nullable Compiled constant, Scratch scratch) {
        Value input = arguments[0];
        Value regex = arguments[1];
        if (!Types.isNullish(input) && !(input instanceof Value.Str)) {
            throw Types.wrong(51104, "%s needs 'input' to be of type string", function);
        }
        Compiled compiled = constant;
        if (compiled == null && regex != null && !Types.isNullish(regex)) {
            compiled = compiled(regex, arguments[2]);
        }
        if (compiled == null || !(input instanceof Value.Str(var text))) {
            return nothing(mode);
        }
        try {
            // As characters, of two bytes if one of them is not Latin.
            scratch.building(2L * text.length());
            scratch.keep();
            String characters = text.toString();
            return search(mode, compiled.regex.search(characters, scratch::checkpoint), characters, scratch);
        } catch (RegexTooHard e) {
            throw Types.wrong(
                    51156,
                    "Error occurred while executing the regular expression in %s. Result: %s",
                    function,
                    e.reason());
        }
    }

    private static Value nothing(Mode mode) {
        return switch (mode) {
            case MATCH -> Value.FALSE;
            case FIND -> Value.NULL;
            case FIND_ALL -> new BsonWriter(16).finishArray();
        };
    }

    private static Value search(Mode mode, Search matches, String text, Scratch scratch) {
        return switch (mode) {
            case MATCH -> Value.of(matches.find());
            case FIND -> matches.find() ? found(matches, text.codePointCount(0, matches.start())) : Value.NULL;
            case FIND_ALL -> {
                BsonWriter all = new BsonWriter(64);
                int counted = 0;
                int index = 0;
                // As in MongoDB, the end is no place to begin another search from, so nothing empty is found there.
                for (boolean more = matches.find(); more; more = !matches.isAtEnd() && matches.find()) {
                    index += text.codePointCount(counted, matches.start());
                    counted = matches.start();
                    all.add(found(matches, index));
                    scratch.building(all);
                }
                yield all.finishArray();
            }
        };
    }

    private static Value found(Search match, int index) {
        BsonWriter captures = new BsonWriter(64);
        for (int i = 1; i <= match.groups(); i++) {
            String capture = match.group(i);
            captures.add(capture == null ? Value.NULL : Value.of(capture));
        }
        String whole = match.group(0);
        return Value.of(new BsonWriter(128)
                .put("match", whole == null ? "" : whole)
                .put("idx", index)
                .put("captures", captures.finishArray())
                .finish());
    }

    private Compiled compiled(Value regex, @Nullable Value options) {
        String given = options(options);
        return switch (regex) {
            case Value.Regex(String pattern, String flags) -> {
                if (!flags.isEmpty() && options != null && !Types.isNullish(options)) {
                    throw Types.wrong(
                            51107, "%s: found regex option(s) specified in both 'regex' and 'option' fields", function);
                }
                yield compiled(pattern, flags.isEmpty() ? given : flags);
            }
            case Value.Str(var pattern) -> compiled(pattern.toString(), given);
            default -> throw Types.wrong(51105, "%s needs 'regex' to be of type string or regex", function);
        };
    }

    private String options(@Nullable Value options) {
        if (Types.isNullish(options)) {
            return "";
        }
        if (!(options instanceof Value.Str(var text))) {
            throw Types.wrong(51106, "%s needs 'options' to be of type string", function);
        }
        return text.toString();
    }

    private Compiled compiled(String pattern, String options) {
        if (pattern.indexOf('\0') >= 0) {
            throw Types.wrong(51109, "%s: regular expression cannot contain an embedded null byte", function);
        }
        for (int i = 0; i < options.length(); i++) {
            char option = options.charAt(i);
            if ("imsxu".indexOf(option) < 0) {
                throw Types.wrong(51108, "%s invalid flag in regex options: %s", function, option);
            }
        }
        Compiled last = latest;
        if (last != null && last.pattern.equals(pattern) && last.options.equals(options)) {
            return last;
        }
        try {
            Compiled compiled = new Compiled(pattern, options, Regex.compile(pattern, options));
            latest = compiled;
            return compiled;
        } catch (InvalidRegex e) {
            throw Types.wrong(51111, "Invalid Regex in %s: %s", function, e.reason());
        }
    }
}
