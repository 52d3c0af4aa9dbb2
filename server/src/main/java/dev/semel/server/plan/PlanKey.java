package dev.semel.server.plan;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;

/**
 * Which queries share a plan: those of one shape that the same indexes can answer. With other values a partial index, or one
 * with a collation, may not be among them.
 *
 * @param candidates the plans there are to choose from
 */
record PlanKey(QueryShape shape, List<String> candidates) {
    static PlanKey of(Query query, List<Contender> contenders) {
        return new PlanKey(
                QueryShape.of(query), contenders.stream().map(Contender::id).toList());
    }

    /** {@code planCacheShapeHash}. */
    String shapeHash() {
        return hex(crc(shape.toString()));
    }

    /** {@code planCacheKey}. */
    String keyHash() {
        return hex(crc(toString()));
    }

    int bytes() {
        int chars = shape.filter().length()
                + shape.sort().length()
                + shape.projection().length();
        for (String each : candidates) {
            chars += each.length();
        }
        return 2 * chars;
    }

    private static long crc(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    private static String hex(long hash) {
        return String.format(Locale.ROOT, "%08X", hash);
    }
}
