package dev.semel.driver;

import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.List;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecProvider;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.record.RecordCodecProvider;
import org.jspecify.annotations.Nullable;

/** Codecs of Java records. For a record that is not public, the BSON library would fail later and not say why. */
final class PublicRecordCodecProvider implements CodecProvider {
    private final CodecProvider records = new RecordCodecProvider();

    @Override
    public <T> @Nullable Codec<T> get(Class<T> type, CodecRegistry registry) {
        return get(type, List.of(), registry);
    }

    @Override
    public <T> @Nullable Codec<T> get(Class<T> type, List<Type> typeArguments, CodecRegistry registry) {
        if (type.isRecord() && !Modifier.isPublic(type.getModifiers())) {
            throw new CodecConfigurationException("record " + type.getName()
                    + " must be public, because the BSON library reads records by reflection");
        }
        return records.get(type, typeArguments, registry);
    }
}
