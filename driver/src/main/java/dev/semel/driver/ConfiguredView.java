package dev.semel.driver;

import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** The settings of a view, kept in its scope. */
abstract class ConfiguredView<S> implements Configured<S> {
    private final Scope scope;

    ConfiguredView(Scope scope) {
        this.scope = scope;
    }

    final Scope scope() {
        return scope;
    }

    /** The same object with other settings. */
    abstract S with(Scope other);

    @Override
    public final CodecRegistry getCodecRegistry() {
        return scope.codecs();
    }

    @Override
    public final ReadPreference getReadPreference() {
        return scope.readPreference();
    }

    @Override
    public final ReadConcern getReadConcern() {
        return scope.readConcern();
    }

    @Override
    public final WriteConcern getWriteConcern() {
        return scope.writeConcern();
    }

    @Override
    public final @Nullable Duration getTimeout() {
        return scope.timeout();
    }

    @Override
    public final S withCodecRegistry(CodecRegistry value) {
        return with(scope.withCodecs(value));
    }

    @Override
    public final S withReadPreference(ReadPreference value) {
        return with(scope.withReadPreference(value));
    }

    @Override
    public final S withReadConcern(ReadConcern value) {
        return with(scope.withReadConcern(value));
    }

    @Override
    public final S withWriteConcern(WriteConcern value) {
        return with(scope.withWriteConcern(value));
    }

    @Override
    public final S withTimeout(@Nullable Duration value) {
        return with(scope.withTimeout(value));
    }
}
