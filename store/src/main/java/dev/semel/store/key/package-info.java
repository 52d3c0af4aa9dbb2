/**
 * Keys: ranges of them, and how values become bytes that sort, as unsigned bytes, exactly as the values do in BSON order.
 * Uses only {@code wire}.
 *
 * <p>The format is on disk. One value is a code and a body; no encoded value is the beginning of another, so that several
 * may follow each other and each can be skipped without knowing what it is. In a descending field every bit of a value is
 * flipped.
 *
 * <pre>
 * code   value                      body
 * 10     MinKey                     -
 * 18     undefined                  -
 * 20     null, and missing fields   -
 * 28     NaN                        -
 * 29     number, -Infinity..-2^63   tail
 * 2A-31  number, -2^63..-1          8 to 1 bytes: whole part * 2 + (1 if a fraction follows, as tail)
 * 32     number, -1..0              tail
 * 33     0, -0                      -
 * 34     number, 0..1               tail
 * 35-3C  number, 1..2^63            1 to 8 bytes, as above
 * 3D     number, 2^63..Infinity     tail
 * 48     string, symbol             text
 * 50     object                     per field: its kind, its name as text, its value; then 00
 * 58     array                      per element: its value; then 00
 * 60     binary                     length (4), subtype (1), the bytes
 * 68     ObjectId                   12 bytes
 * 70     false, 71 true             -
 * 78     date                       milliseconds (8), sign flipped
 * 80     timestamp                  8 bytes
 * 88     regular expression         pattern as text, options as text
 * 90     DBPointer                  length (4), the namespace's bytes, 12 bytes
 * 98     code                       text
 * A0     code with scope            text, and the scope as an object's body
 * F0     MaxKey                     -
 * </pre>
 *
 * Whole parts have no leading zero byte, and bodies of negative numbers have their bits flipped. A number's code in an
 * object's <em>kind</em> is 28, that of a boolean 70: there, the name decides before the value does.
 *
 * <p><em>Text</em> is the string's bytes with 00 as 01 01 and 01 as 01 02, then 00.
 *
 * <p>A <em>tail</em> is the absolute value, rounded towards zero to a double, as that double's 8 bytes; then 00 if that
 * is exact, else 01, the decimal exponent of the first digit + 16384 (2 bytes) and 34 decimal digits as a number
 * (15 bytes). Only a decimal can be inexact, so all types of numbers share one exact order.
 *
 * <p>What a key does not contain, such as the type of a number, is read from the document.
 */
@NullMarked
package dev.semel.store.key;

import org.jspecify.annotations.NullMarked;
