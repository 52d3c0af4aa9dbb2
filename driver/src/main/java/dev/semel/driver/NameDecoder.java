package dev.semel.driver;

import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.codecs.Decoder;
import org.bson.codecs.DecoderContext;

/** Decodes only the name from a description. */
final class NameDecoder implements Decoder<String> {
    @Override
    public String decode(BsonReader reader, DecoderContext context) {
        String name = "";
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            if (reader.readName().equals("name")) {
                name = reader.readString();
            } else {
                reader.skipValue();
            }
        }
        reader.readEndDocument();
        return name;
    }
}
