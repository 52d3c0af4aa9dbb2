package dev.semel.wire.bson;

/** An IEEE 754-2008 decimal of 128 bits as its two halves, as BSON stores it. */
public record Decimal128(long high, long low) {}
