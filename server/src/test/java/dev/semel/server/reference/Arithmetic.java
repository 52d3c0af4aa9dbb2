package dev.semel.server.reference;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * Sums, differences and products of two numbers: of the wider of both types (int, long, double, decimal); an int that overflows
 * becomes a long, a long a double, where the operation allows that.
 */
enum Arithmetic {
    ADD,
    SUBTRACT,
    MULTIPLY;

    private BigInteger of(BigInteger a, BigInteger b) {
        return switch (this) {
            case ADD -> a.add(b);
            case SUBTRACT -> a.subtract(b);
            case MULTIPLY -> a.multiply(b);
        };
    }

    private BigDecimal of(BigDecimal a, BigDecimal b) {
        return switch (this) {
            case ADD -> a.add(b);
            case SUBTRACT -> a.subtract(b);
            case MULTIPLY -> a.multiply(b);
        };
    }

    private double of(double a, double b) {
        return switch (this) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
        };
    }

    BsonValue of(BsonValue a, BsonValue b, boolean longsBecomeDoubles) {
        BsonNumber left = number(a);
        BsonNumber right = number(b);
        if (is(BsonType.DECIMAL128, a, b)) {
            return Order.isNaN(a) || Order.isNaN(b)
                    ? new BsonDecimal128(Decimal128.NaN)
                    : decimal(of(widened(left), widened(right)));
        }
        if (is(BsonType.DOUBLE, a, b)) {
            return new BsonDouble(of(left.doubleValue(), right.doubleValue()));
        }
        BigInteger result = of(BigInteger.valueOf(left.longValue()), BigInteger.valueOf(right.longValue()));
        if (!is(BsonType.INT64, a, b) && result.bitLength() < 32) {
            return new BsonInt32(result.intValueExact());
        }
        if (result.bitLength() < 64) {
            return new BsonInt64(result.longValueExact());
        }
        if (!longsBecomeDoubles) {
            throw new Refused();
        }
        return new BsonDouble(of((double) left.longValue(), (double) right.longValue()));
    }

    /** A double has 15 digits as a decimal. */
    private static BigDecimal widened(BsonNumber number) {
        BigDecimal exact = Order.exact(number);
        return number.getBsonType() == BsonType.DOUBLE ? exact.round(new MathContext(15)) : exact;
    }

    static BsonValue decimal(BigDecimal value) {
        return new BsonDecimal128(new Decimal128(value.round(MathContext.DECIMAL128)));
    }

    static boolean isNumber(BsonValue value) {
        return value instanceof BsonNumber;
    }

    private static BsonNumber number(BsonValue value) {
        if (value instanceof BsonNumber number) {
            return number;
        }
        throw new Refused();
    }

    private static boolean is(BsonType type, BsonValue a, BsonValue b) {
        return a.getBsonType() == type || b.getBsonType() == type;
    }
}
