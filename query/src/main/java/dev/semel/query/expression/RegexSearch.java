package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** {@code $regexMatch $regexFind $regexFindAll}. A constant pattern is compiled once, with the expression. */
final class RegexSearch {
    static final Parameters PARAMETERS = Parameters.of(51103, 31024)
            .required("input", 31022)
            .required("regex", 31023)
            .optional("options");

    private final String function;

    // The last pattern compiled: one execution uses one, unless the pattern comes from the documents.
    private record Compiled(Value regex, @Nullable Value options, Pattern pattern) {}

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
            constant = new Compiled(regex, options, search.compile(regex, options));
        }
        Compiled known = constant;
        return new Expression.Call(new Function(search.function, values -> search.run(mode, values, known)), arguments);
    }

    private @Nullable Value run(Mode mode, @Nullable Value[] arguments, @Nullable Compiled known) {
        Value input = arguments[0];
        Value regex = arguments[1];
        if (!Types.isNullish(input) && !(input instanceof Value.Str)) {
            throw Types.wrong(51104, "%s needs 'input' to be of type string", function);
        }
        Pattern pattern = null;
        if (known != null) {
            pattern = known.pattern;
        } else if (regex != null && !Types.isNullish(regex)) {
            pattern = compile(regex, arguments[2]);
        }
        if (pattern == null || !(input instanceof Value.Str(var text))) {
            return nothing(mode);
        }
        try {
            return search(mode, pattern, text.toString());
        } catch (StackOverflowError e) {
            // java.util.regex recurses on alternatives inside repetitions; a long text can need more than the stack.
            throw Types.wrong(
                    51156,
                    "Error occurred while executing the regular expression in %s. The match needs too much stack",
                    function);
        }
    }

    private static Value nothing(Mode mode) {
        return switch (mode) {
            case MATCH -> Value.FALSE;
            case FIND -> Value.NULL;
            case FIND_ALL -> new BsonWriter(16).finishArray();
        };
    }

    private static Value search(Mode mode, Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return switch (mode) {
            case MATCH -> Value.of(matcher.find());
            case FIND -> matcher.find() ? found(matcher, text) : Value.NULL;
            case FIND_ALL -> {
                BsonWriter all = new BsonWriter(64);
                while (matcher.find()) {
                    all.add(found(matcher, text));
                    Sizes.check(all);
                }
                yield all.finishArray();
            }
        };
    }

    private static Value found(Matcher matcher, String text) {
        BsonWriter captures = new BsonWriter(64);
        for (int i = 1; i <= matcher.groupCount(); i++) {
            String capture = matcher.group(i);
            captures.add(capture == null ? Value.NULL : Value.of(capture));
        }
        return Value.of(new BsonWriter(128)
                .put("match", matcher.group())
                .put("idx", text.codePointCount(0, matcher.start()))
                .put("captures", captures.finishArray())
                .finish());
    }

    private Pattern compile(Value regex, @Nullable Value options) {
        String given = options(options);
        return switch (regex) {
            case Value.Regex(String pattern, String flags) -> {
                if (!flags.isEmpty() && options != null && !Types.isNullish(options)) {
                    throw Types.wrong(
                            51107, "%s: found regex option(s) specified in both 'regex' and 'option' fields", function);
                }
                yield compile(pattern, flags.isEmpty() ? given : flags);
            }
            case Value.Str(var pattern) -> compile(pattern.toString(), given);
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

    private Pattern compile(String pattern, String options) {
        if (pattern.indexOf('\0') >= 0) {
            throw Types.wrong(51109, "%s: regular expression cannot contain an embedded null byte", function);
        }
        int flags = Pattern.UNICODE_CASE;
        for (int i = 0; i < options.length(); i++) {
            flags |= flag(options.charAt(i));
        }
        try {
            return Pattern.compile(pattern, flags);
        } catch (PatternSyntaxException e) {
            throw Types.wrong(51111, "Invalid Regex in %s: %s", function, e.getDescription());
        } catch (StackOverflowError e) {
            throw Types.wrong(51111, "Invalid Regex in %s: it nests too deeply", function);
        }
    }

    private int flag(char option) {
        return switch (option) {
            case 'i' -> Pattern.CASE_INSENSITIVE;
            case 'm' -> Pattern.MULTILINE;
            case 's' -> Pattern.DOTALL;
            case 'x' -> Pattern.COMMENTS;
            case 'u' -> 0;
            default -> throw invalidFlag(option);
        };
    }

    private CommandException invalidFlag(char option) {
        return Types.wrong(51108, "%s invalid flag in regex options: %s", function, option);
    }
}
