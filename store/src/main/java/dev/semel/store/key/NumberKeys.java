package dev.semel.store.key;

import dev.semel.wire.bson.Decimal128;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Numbers of all types in one exact order. Small whole numbers, the common case, take two bytes. */
final class NumberKeys {
    static final int NAN = 0x28;
    private static final int NEGATIVE_LARGE = 0x29;
    static final int NEGATIVE_SMALL = 0x32;
    static final int ZERO = 0x33;
    static final int POSITIVE_SMALL = 0x34;
    static final int POSITIVE_LARGE = 0x3D;

    /** Exponents of decimals lie between -6176 and 6144. */
    static final int EXPONENT_BIAS = 16384;

    static final int DIGITS = 34;
    static final int DIGITS_BYTES = 15;
    private static final double TWO_TO_63 = 0x1p63;
    private static final BigDecimal BIG_TWO_TO_63 = new BigDecimal(BigInteger.ONE.shiftLeft(63));

    private NumberKeys() {}

    static void put(KeyBytes out, long number) {
        if (number == 0) {
            out.put(ZERO);
        } else if (number == Long.MIN_VALUE) {
            put(out, (double) number);
        } else {
            putWhole(out, number < 0, Math.abs(number), false);
        }
    }

    static void put(KeyBytes out, double number) {
        if (Double.isNaN(number)) {
            out.put(NAN);
            return;
        }
        if (number == 0) {
            out.put(ZERO);
            return;
        }
        boolean negative = number < 0;
        double magnitude = Math.abs(number);
        long whole = (long) magnitude;
        boolean fraction = whole != magnitude;
        if (start(out, negative, whole, magnitude >= TWO_TO_63, fraction)) {
            int from = out.length();
            out.putLong(Double.doubleToRawLongBits(magnitude));
            out.put(0);
            flipIf(negative, out, from);
        }
    }

    static void put(KeyBytes out, Decimal128 number) {
        if (!number.isFinite()) {
            put(out, number.doubleValue());
            return;
        }
        if (number.isZero()) {
            out.put(ZERO);
            return;
        }
        boolean negative = number.isNegative();
        BigDecimal magnitude = number.toBigDecimal().abs();
        boolean large = magnitude.compareTo(BIG_TWO_TO_63) >= 0;
        // Rounding a tiny number to whole digits would take long for nothing.
        boolean small = magnitude.precision() - magnitude.scale() <= 0;
        long whole = large || small ? 0 : magnitude.toBigInteger().longValueExact();
        boolean fraction = small || magnitude.stripTrailingZeros().scale() > 0;
        if (start(out, negative, whole, large, fraction)) {
            int from = out.length();
            putTail(out, magnitude);
            flipIf(negative, out, from);
        }
    }

    /** The code and the whole part; says whether a tail is to follow. */
    private static boolean start(KeyBytes out, boolean negative, long whole, boolean large, boolean fraction) {
        if (large) {
            out.put(negative ? NEGATIVE_LARGE : POSITIVE_LARGE);
            return true;
        }
        if (whole == 0) {
            out.put(negative ? NEGATIVE_SMALL : POSITIVE_SMALL);
            return true;
        }
        putWhole(out, negative, whole, fraction);
        return fraction;
    }

    private static void putWhole(KeyBytes out, boolean negative, long whole, boolean fraction) {
        long body = whole << 1 | (fraction ? 1 : 0);
        int count = Long.BYTES - Long.numberOfLeadingZeros(body) / 8;
        if (negative) {
            out.put(NEGATIVE_SMALL - count);
            out.putLow(~body, count);
        } else {
            out.put(POSITIVE_SMALL + count);
            out.putLow(body, count);
        }
    }

    private static void putTail(KeyBytes out, BigDecimal magnitude) {
        double truncated = Math.min(magnitude.doubleValue(), Double.MAX_VALUE);
        int order = new BigDecimal(truncated).compareTo(magnitude);
        if (order > 0) {
            truncated = Math.nextDown(truncated);
            order = -1;
        }
        out.putLong(Double.doubleToRawLongBits(truncated));
        if (order == 0) {
            out.put(0);
            return;
        }
        out.put(1);
        out.putLow(magnitude.precision() - magnitude.scale() - 1 + EXPONENT_BIAS, 2);
        byte[] digits = magnitude
                .unscaledValue()
                .multiply(BigInteger.TEN.pow(DIGITS - magnitude.precision()))
                .toByteArray();
        for (int i = digits.length; i < DIGITS_BYTES; i++) {
            out.put(0);
        }
        out.put(digits, 0, digits.length);
    }

    private static void flipIf(boolean negative, KeyBytes out, int from) {
        if (negative) {
            out.flip(from);
        }
    }

    /** Where the body of a number with this code ends; {@code flip} is what the whole key's bits are flipped by. */
    static int bodyEnd(byte[] key, int at, int code, int flip) {
        if (code == NAN || code == ZERO) {
            return at;
        }
        boolean negative = code < ZERO;
        int flipped = negative ? flip ^ 0xFF : flip;
        int count = negative ? NEGATIVE_SMALL - code : code - POSITIVE_SMALL;
        if (count > 0 && count <= Long.BYTES) {
            int end = at + count;
            boolean fraction = ((key[end - 1] ^ flipped) & 1) != 0;
            return fraction ? tailEnd(key, end, flipped) : end;
        }
        return tailEnd(key, at, flipped);
    }

    private static int tailEnd(byte[] key, int at, int flip) {
        int marker = at + Double.BYTES;
        return ((key[marker] ^ flip) & 0xFF) == 0 ? marker + 1 : marker + 1 + 2 + DIGITS_BYTES;
    }
}
