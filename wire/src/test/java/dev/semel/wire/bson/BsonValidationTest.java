package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BsonValidationTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        length cut off                     | 050000
        length of 4                        | 0400000000
        length negative                    | ffffffff00
        length beyond the end              | 0600000000
        last byte is no zero               | 0500000001
        zero before the end                | 060000000000
        unknown type                       | 080000001461 0000
        name without end                   | 08000000 10 616161
        value cut off                      | 0b000000 10 6100 010000 00
        string of length 0                 | 0d000000 02 6100 00000000 00 00
        string of negative length          | 0d000000 02 6100 ffffffff 00 00
        string longer than its document    | 0d000000 02 6100 02000000 00 00
        string without zero                | 0d000000 02 6100 01000000 61 00
        boolean of 2                       | 09000000 08 6100 02 00
        binary longer than its document    | 0d000000 05 6100 01000000 00 00
        binary of negative length          | 0d000000 05 6100 ffffffff 00 00
        old binary with a lie inside       | 11000000 05 6100 04000000 02 01000000 00
        old binary too short for a length  | 0f000000 05 6100 02000000 02 0000 00
        regex without end                  | 0a000000 0b 6100 6100
        inner document longer than outer   | 0d000000 03 6100 06000000 00 00
        inner document shorter than 5      | 0d000000 03 6100 04000000 00 00
        array that does not end            | 0d000000 04 6100 05000000 01 00
        code with scope, length too small  | 17000000 0f 6100 0e000000 01000000 00 05000000 00 00
        code with scope, length too large  | 17000000 0f 6100 10000000 01000000 00 05000000 00 00
        code with scope, negative length   | 17000000 0f 6100 ffffffff 01000000 00 05000000 00 00
        pointer cut off                    | 0e000000 0c 6100 01000000 00 00 00
        """)
    void lieIsFound(String what, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertThatThrownBy(() -> BsonValidation.check(bytes, 0, bytes.length))
                .as(what)
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.InvalidBSON));
    }

    @Test
    void documentMayEndBeforeItsSurroundings() {
        byte[] bytes = Arrays.copyOf(RawDocument.EMPTY.toBytes(), 9);
        assertThat(BsonValidation.check(bytes, 0, 9)).isEqualTo(RawDocument.EMPTY);
    }

    @Test
    void offsetsBeyondTheEndAreRefused() {
        assertThatThrownBy(() -> BsonValidation.check(new byte[4], 8, 4)).isInstanceOf(CommandException.class);
    }

    @Test
    void textThatIsNoUtf8IsLetPass() {
        byte[] bytes = HexFormat.of().parseHex("0e00000002610002000000e90000");
        assertThat(BsonValidation.check(bytes, 0, bytes.length).length()).isEqualTo(14);
    }

    @Test
    void cuttingADocumentAnywhereIsFound() {
        Seeds.check(50, random -> {
            byte[] whole = Documents.of(random).document().toBytes();
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> BsonValidation.check(cut, 0, cut.length))
                        .isInstanceOf(CommandException.class);
            }
        });
    }

    @Test
    void documentWithAnyByteChangedIsRefusedOrCanBeWalked() {
        Seeds.check(100, random -> {
            byte[] bytes = Documents.of(random).document().toBytes();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                assertThat(Json.canonical(BsonValidation.check(bytes, 0, bytes.length)))
                        .isNotEmpty();
            } catch (CommandException e) {
                assertThat(e.code()).isIn(ErrorCode.InvalidBSON, ErrorCode.Overflow);
            }
        });
    }

    @Test
    void messageMayNestTwoHundredLevels() {
        RawDocument deepest = nested(200);
        assertThat(BsonValidation.check(deepest.array(), 0, deepest.length())).isEqualTo(deepest);
        RawDocument tooDeep = nested(201);
        assertThatThrownBy(() -> BsonValidation.check(tooDeep.array(), 0, tooDeep.length()))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.Overflow));
    }

    @Test
    void storedDocumentMayNestOneHundredLevels() {
        BsonValidation.checkStorable(nested(100));
        assertThatThrownBy(() -> BsonValidation.checkStorable(nested(101)))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.Overflow));
    }

    @Test
    void storedDocumentMayHaveSixteenMebibytes() {
        BsonValidation.checkStorable(ofLength(16 * 1024 * 1024));
        assertThatThrownBy(() -> BsonValidation.checkStorable(ofLength(16 * 1024 * 1024 + 1)))
                .isInstanceOf(CommandException.class)
                .hasMessage("object to insert too large. size in bytes: 16777217, max size: 16777216");
    }

    private static RawDocument ofLength(int bytes) {
        RawDocument document = new BsonWriter(bytes + 100)
                .put("b", new Value.Binary((byte) 0, new byte[bytes - 13]))
                .finish();
        assertThat(document.length()).isEqualTo(bytes);
        return document;
    }

    private static RawDocument nested(int levels) {
        RawDocument document = RawDocument.EMPTY;
        for (int i = 1; i < levels; i++) {
            document = new BsonWriter().put("a", document).finish();
        }
        return document;
    }
}
