package dev.semel.cli;

import dev.semel.server.tls.Tls;
import dev.semel.wire.tls.PemFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The TLS options together: with any of them there is encryption or no server, never a server without encryption. */
final class TlsOptions {
    private static final List<StartOption> WITH_TLS = List.of(
            StartOption.TLS_KEY_FILE,
            StartOption.TLS_KEY_PASSWORD,
            StartOption.TLS_CA_FILE,
            StartOption.TLS_WITHOUT_CERTIFICATES);

    private final StartOptions asked;

    private TlsOptions(StartOptions asked) {
        this.asked = asked;
    }

    /** Null without TLS, or if it cannot be set up, which has been reported as a problem then. */
    static @Nullable Tls read(StartOptions asked) {
        return new TlsOptions(asked).read();
    }

    private @Nullable Tls read() {
        var others =
                WITH_TLS.stream().filter(each -> asked.given(each).isPresent()).toList();
        var mode = asked.given(StartOption.TLS_MODE);
        boolean isDisabled =
                mode.filter(StartOption.TLS_MODE.fallback()::equals).isPresent();
        if (isDisabled || (mode.isEmpty() && others.isEmpty())) {
            others.forEach(each -> asked.problem(
                    shown(each) + " needs TLS, but " + asked.source(StartOption.TLS_MODE) + " is disabled"));
            return null;
        }
        if (asked.given(StartOption.TLS_KEY_FILE).isEmpty()) {
            var because = mode.isPresent() ? StartOption.TLS_MODE : others.getFirst();
            asked.problem(
                    "TLS needs a certificate: --tlsCertificateKeyFile, net.tls.certificateKeyFile; it is asked for by "
                            + shown(because));
        }
        // Both are looked at, so that both are named if both are wrong.
        boolean isKeyReadable = isReadable(StartOption.TLS_KEY_FILE);
        boolean isReadable = isReadable(StartOption.TLS_CA_FILE) && isKeyReadable;
        return isReadable && asked.given(StartOption.TLS_KEY_FILE).isPresent()
                ? tls(Tls.Mode.valueOf(mode.orElse(Tls.Mode.requireTLS.name())))
                : null;
    }

    /** With its value, unless that is a secret. */
    private String shown(StartOption option) {
        var source = asked.source(option);
        return option == StartOption.TLS_KEY_PASSWORD ? source : source + " " + asked.text(option);
    }

    private boolean isReadable(StartOption option) {
        var file = asked.path(option);
        if (file.isEmpty()) {
            return true;
        }
        try {
            var content = PemFile.read(file.get());
            if (option == StartOption.TLS_KEY_FILE) {
                content.keyManagers(password());
            } else {
                content.trustManagers();
            }
            return true;
        } catch (IOException e) {
            asked.problem(asked.source(option) + ": " + e.getMessage());
            return false;
        }
    }

    private @Nullable Tls tls(Tls.Mode mode) {
        try {
            return Tls.of(
                    mode,
                    Path.of(asked.text(StartOption.TLS_KEY_FILE)),
                    password(),
                    asked.path(StartOption.TLS_CA_FILE).orElse(null),
                    asked.is(StartOption.TLS_WITHOUT_CERTIFICATES));
        } catch (IOException e) {
            asked.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private @Nullable String password() {
        return asked.given(StartOption.TLS_KEY_PASSWORD).orElse(null);
    }
}
