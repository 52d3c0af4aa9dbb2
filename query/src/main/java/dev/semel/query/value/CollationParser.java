package dev.semel.query.value;

import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.util.ULocale;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code collation}: a locale, and what is to differ from its own rules. */
final class CollationParser {
    /** The version of the rules that MongoDB 8.0 names; what it stores names it, too. */
    private static final String VERSION = "57.1";

    private static final Set<String> FIELDS = Set.of(
            "alternate",
            "backwards",
            "caseFirst",
            "caseLevel",
            "locale",
            "maxVariable",
            "normalization",
            "numericOrdering",
            "strength",
            "version");

    /** What may follow the name of a locale: the library fails at some others. */
    private static final Pattern KEYWORDS =
            Pattern.compile("(@[a-z]{1,20}=[a-z0-9-]{1,20}(;[a-z]{1,20}=[a-z0-9-]{1,20}){0,3})?");

    private static final int PRIMARY = 1;
    private static final int SECONDARY = 2;

    private final RawDocument specification;
    private final Map<String, Value> fields = new HashMap<>();

    CollationParser(RawDocument specification) {
        this.specification = specification;
        for (Element each : specification) {
            if (!FIELDS.contains(each.name())) {
                throw new CommandException(
                        ErrorCode.IDLUnknownField, "BSON field 'collation.%s' is an unknown field.", each.name());
            }
            fields.put(each.name(), each.value());
        }
    }

    Collation parse() {
        String name = text("locale");
        if (name == null) {
            throw new CommandException(
                    ErrorCode.IDLFailedToParse, "BSON field 'collation.locale' is missing but a required field");
        }
        if (name.equals("simple")) {
            if (fields.size() > 1) {
                throw bad("If \"locale\" is \"simple\", no other fields should be present in: %s");
            }
            return Collation.SIMPLE;
        }
        String version = text("version");
        if (version != null && !version.equals(VERSION)) {
            throw new CommandException(
                    ErrorCode.IncompatibleCollationVersion,
                    "Requested collation version %s but the only available collator version was %s. Requested collation"
                            + " spec: %s",
                    version,
                    VERSION,
                    Shell.text(specification));
        }
        RuleBasedCollator collator = collator(locale(name));
        apply(collator);
        RawDocument complete = complete(name, collator);
        check(collator);
        return new Collation((RuleBasedCollator) collator.freeze(), complete);
    }

    private ULocale locale(String name) {
        int at = name.indexOf('@');
        String base = at < 0 ? name : name.substring(0, at);
        if (!Collation.isKnown(base)
                || !KEYWORDS.matcher(name.substring(base.length())).matches()) {
            throw bad("Field 'locale' is invalid in: %s");
        }
        ULocale locale = new ULocale(name);
        String variant = locale.getKeywordValue("collation");
        if (!name.equals(locale.getName()) || (variant != null && !isVariant(variant, locale))) {
            throw bad("Field 'locale' is invalid in: %s");
        }
        return locale;
    }

    private static boolean isVariant(String variant, ULocale locale) {
        for (String each : Collator.getKeywordValuesForLocale("collation", locale, false)) {
            if (each.equals(variant)) {
                return true;
            }
        }
        return false;
    }

    private RuleBasedCollator collator(ULocale locale) {
        if (Collator.getInstance(locale) instanceof RuleBasedCollator collator) {
            return collator.cloneAsThawed();
        }
        throw bad("Field 'locale' is invalid in: %s");
    }

    private void apply(RuleBasedCollator collator) {
        Integer strength = strength();
        if (strength != null) {
            collator.setStrength(strengths()[strength - 1]);
        }
        Boolean caseLevel = flag("caseLevel");
        if (caseLevel != null) {
            collator.setCaseLevel(caseLevel);
        }
        String caseFirst = oneOf("caseFirst", Set.of("upper", "lower", "off"));
        if (caseFirst != null) {
            collator.setUpperCaseFirst(caseFirst.equals("upper"));
            collator.setLowerCaseFirst(caseFirst.equals("lower"));
        }
        Boolean numeric = flag("numericOrdering");
        if (numeric != null) {
            collator.setNumericCollation(numeric);
        }
        String alternate = oneOf("alternate", Set.of("non-ignorable", "shifted"));
        if (alternate != null) {
            collator.setAlternateHandlingShifted(alternate.equals("shifted"));
        }
        String maxVariable = oneOf("maxVariable", Set.of("punct", "space"));
        if (maxVariable != null) {
            collator.setMaxVariable(
                    maxVariable.equals("punct") ? Collator.ReorderCodes.PUNCTUATION : Collator.ReorderCodes.SPACE);
        }
        Boolean normalization = flag("normalization");
        if (normalization != null) {
            collator.setDecomposition(normalization ? Collator.CANONICAL_DECOMPOSITION : Collator.NO_DECOMPOSITION);
        }
        Boolean backwards = flag("backwards");
        if (backwards != null) {
            collator.setFrenchCollation(backwards);
        }
    }

    private static int[] strengths() {
        return new int[] {
            Collator.PRIMARY, Collator.SECONDARY, Collator.TERTIARY, Collator.QUATERNARY, Collator.IDENTICAL
        };
    }

    private static int strength(RuleBasedCollator collator) {
        int[] strengths = strengths();
        for (int i = 0; i < strengths.length; i++) {
            if (strengths[i] == collator.getStrength()) {
                return i + 1;
            }
        }
        throw new IllegalStateException("unknown strength " + collator.getStrength());
    }

    private static RawDocument complete(String name, RuleBasedCollator collator) {
        String caseFirst = collator.isUpperCaseFirst() ? "upper" : collator.isLowerCaseFirst() ? "lower" : "off";
        return new BsonWriter(256)
                .put("locale", name)
                .put("caseLevel", collator.isCaseLevel())
                .put("caseFirst", caseFirst)
                .put("strength", strength(collator))
                .put("numericOrdering", collator.getNumericCollation())
                .put("alternate", collator.isAlternateHandlingShifted() ? "shifted" : "non-ignorable")
                .put("maxVariable", collator.getMaxVariable() == Collator.ReorderCodes.SPACE ? "space" : "punct")
                .put("normalization", collator.getDecomposition() == Collator.CANONICAL_DECOMPOSITION)
                .put("backwards", collator.isFrenchCollation())
                .put("version", VERSION)
                .finish();
    }

    /** Options without effect are mistakes. */
    private void check(RuleBasedCollator collator) {
        int strength = strength(collator);
        if (Boolean.TRUE.equals(flag("backwards")) && strength == PRIMARY) {
            throw bad("'backwards' is invalid with 'strength' of 1 in: %s");
        }
        String caseFirst = text("caseFirst");
        boolean hasCaseFirst = caseFirst != null && !caseFirst.equals("off");
        if (hasCaseFirst && strength <= SECONDARY && !collator.isCaseLevel()) {
            throw bad("'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2 in: %s");
        }
    }

    // ---- one option

    private CommandException bad(String format) {
        return new CommandException(ErrorCode.BadValue, format, Shell.text(specification));
    }

    private @Nullable String text(String field) {
        return switch (fields.get(field)) {
            case null -> null;
            case Value.Str(Text text) -> text.toString();
            case Value other -> throw wrongType(field, other, "string");
        };
    }

    private @Nullable Boolean flag(String field) {
        return switch (fields.get(field)) {
            case null -> null;
            case Value.Bool(boolean bool) -> bool;
            case Value other -> throw wrongType(field, other, "bool");
        };
    }

    private @Nullable String oneOf(String field, Set<String> allowed) {
        String text = text(field);
        if (text != null && !allowed.contains(text)) {
            throw notAllowed(field, text);
        }
        return text;
    }

    private @Nullable Integer strength() {
        Value value = fields.get("strength");
        if (value == null) {
            return null;
        }
        if (!Numbers.isNumber(value)) {
            throw wrongType("strength", value, "int");
        }
        long number = Numbers.exactLong(value).orElse(0);
        if (number < PRIMARY || number > strengths().length) {
            throw notAllowed("strength", Shell.text(value));
        }
        return (int) number;
    }

    private static CommandException notAllowed(String field, String value) {
        return new CommandException(
                ErrorCode.BadValue,
                "Enumeration value '%s' for field 'collation.%s' is not a valid value.",
                value,
                field);
    }

    private static CommandException wrongType(String field, Value found, String expected) {
        return new CommandException(
                ErrorCode.TypeMismatch,
                "BSON field 'collation.%s' is the wrong type '%s', expected type '%s'",
                field,
                found.type().alias(),
                expected);
    }
}
