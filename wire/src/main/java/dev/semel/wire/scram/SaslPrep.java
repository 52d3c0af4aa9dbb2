package dev.semel.wire.scram;

import java.text.Normalizer;

/**
 * SASLprep (RFC 4013): different ways to type the same characters give the same password, and characters that look like
 * others or like nothing are refused. Unassigned characters are allowed, as the RFC specifies for queries: their properties
 * are not known yet.
 */
public final class SaslPrep {
    private SaslPrep() {}

    /** The password in its normal form; an {@link IllegalArgumentException} says why it has none. */
    public static String prepare(String password) {
        if (isPrintableAscii(password)) {
            return password;
        }
        StringBuilder mapped = new StringBuilder(password.length());
        password.codePoints().forEach(each -> {
            if (isSpace(each)) {
                mapped.append(' ');
            } else if (!isMappedToNothing(each)) {
                mapped.appendCodePoint(each);
            }
        });
        String normal = Normalizer.normalize(mapped, Normalizer.Form.NFKC);
        if (normal.codePoints().anyMatch(SaslPrep::isProhibited)) {
            throw new IllegalArgumentException("the password contains a character that passwords cannot have");
        }
        checkDirections(normal);
        return normal;
    }

    private static boolean isPrintableAscii(String text) {
        return text.chars().allMatch(each -> each >= ' ' && each < 0x7F);
    }

    /** Table C.1.2 of RFC 3454. */
    private static boolean isSpace(int character) {
        return character == 0x200B || (character != ' ' && Character.getType(character) == Character.SPACE_SEPARATOR);
    }

    /** Table B.1. */
    private static boolean isMappedToNothing(int character) {
        return switch (character) {
            case 0x00AD, 0x034F, 0x1806, 0x180B, 0x180C, 0x180D, 0x200C, 0x200D, 0x2060, 0xFEFF -> true;
            default -> character >= 0xFE00 && character <= 0xFE0F;
        };
    }

    /** Tables C.1.2 to C.9. */
    private static boolean isProhibited(int character) {
        return Character.isISOControl(character)
                || isSpace(character)
                || isInvisible(character)
                || (character & 0xFFFE) == 0xFFFE
                || switch (Character.getType(character)) {
                    case Character.PRIVATE_USE, Character.SURROGATE, Character.LINE_SEPARATOR -> true;
                    case Character.PARAGRAPH_SEPARATOR -> true;
                    default -> false;
                };
    }

    private static boolean isInvisible(int character) {
        return switch (character) {
            case 0x06DD, 0x070F, 0x180E, 0x0340, 0x0341, 0x200E, 0x200F, 0xE0001 -> true;
            default ->
                isWithin(character, 0x202A, 0x202E)
                        || isWithin(character, 0x2061, 0x2063)
                        || isWithin(character, 0x206A, 0x206F)
                        || isWithin(character, 0x2FF0, 0x2FFB)
                        || isWithin(character, 0xFDD0, 0xFDEF)
                        || isWithin(character, 0xFFF9, 0xFFFD)
                        || isWithin(character, 0x1D173, 0x1D17A)
                        || isWithin(character, 0xE0020, 0xE007F);
        };
    }

    private static boolean isWithin(int character, int first, int last) {
        return character >= first && character <= last;
    }

    /** Section 6: a text that runs from right to left does so from its first to its last character. */
    private static void checkDirections(String text) {
        if (text.codePoints().noneMatch(SaslPrep::runsLeft)) {
            return;
        }
        boolean mixed = text.codePoints()
                .anyMatch(each -> Character.getDirectionality(each) == Character.DIRECTIONALITY_LEFT_TO_RIGHT);
        if (mixed || !runsLeft(text.codePointAt(0)) || !runsLeft(text.codePointBefore(text.length()))) {
            throw new IllegalArgumentException("the password mixes writing directions");
        }
    }

    private static boolean runsLeft(int character) {
        byte direction = Character.getDirectionality(character);
        return direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
                || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
    }
}
